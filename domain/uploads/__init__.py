"""Files that staff send in parts, so that a large one survives a lost connection and a reload."""
