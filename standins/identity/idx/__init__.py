"""The identity engine: every step is answered with the forms that may be submitted next."""
