"""What the gateway stores: sessions, payment intents, charges, refunds, disputes, movements of money, events."""
