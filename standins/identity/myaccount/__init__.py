"""MyAccount: what a signed-in person reads and changes of the own account, version 1.0.0."""
