"""`scripts/bench soak`: a whole shop in use while each of its parts fails in turn, and a restore of its copy."""
