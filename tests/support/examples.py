"""How many examples a fuzzer tries: few with every change, many where SOAK is set (`scripts/test --soak`)."""

import os

EXAMPLES = 200 if os.environ.get("SOAK") else 25
