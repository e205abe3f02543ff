"""Tax: where a sale is taxed, at which rates, and VAT ids of businesses."""
