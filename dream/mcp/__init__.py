"""The MCP surface: ten tools and a few resources over one opened store."""
