"""Dream: a local memory with a sleep cycle. Importing the package imports nothing else."""

__version__ = "0.1.0"
