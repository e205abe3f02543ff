"""What people do about their own organisations, whichever area they are signed in to."""
