"""``python -m prompt_adapters`` is the command ``prompt-adapters``."""

import sys

from prompt_adapters.cli import main

sys.exit(main())
