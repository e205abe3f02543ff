"""What is stored of days, and the digest by which it is seen that nobody has changed it since."""
