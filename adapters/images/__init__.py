"""Pictures that staff send, re-encoded by a child process: the bytes of strangers are decoded nowhere else."""
