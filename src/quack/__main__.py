"""`python -m quack` is `quack`."""

import sys

from quack.cli import main

sys.exit(main())
