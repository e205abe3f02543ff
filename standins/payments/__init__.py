"""The payment gateway of development and tests: Stripe's API and its hosted page (decision 0039)."""
