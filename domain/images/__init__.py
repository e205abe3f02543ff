"""Pictures that staff send: re-encoded in up to three widths, shown under an address that never changes."""
