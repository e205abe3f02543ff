"""Long work of staff, in slices: who started it, how far it is, and what came of it.

A process claims a job for a slice. Each step of it is one transaction that does the work and moves `processed` on, if
the process still has the job: whatever is killed, every step counts once. A job whose process fell silent for LEASE is
claimed by another one, which goes on at `processed`.
"""
