"""Notes are clustered and judged by four roles; a verdict names its judge."""
