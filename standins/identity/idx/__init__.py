"""The identity engine: each response holds the forms that may be submitted next."""
