"""Webhook deliveries."""
