"""Counterfactual branches: grown from what went wrong, settled by what happened, never recalled as fact."""
