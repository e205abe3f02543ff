"""The identity engine: sign-ins of several steps, one at a time, as the provider's forms have them."""
