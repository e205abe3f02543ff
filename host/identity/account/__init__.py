"""What a signed-in person reads and changes of their own account, at the provider (MyAccount) and with us."""
