"""What people see of seats: managers of all of their organisation, members of their own."""
