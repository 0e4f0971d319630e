"""`python -m dream`."""

import sys

from dream.cli import main

if __name__ == "__main__":
    sys.exit(main())
