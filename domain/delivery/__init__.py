"""Delivery of shipped lines: zones of countries and regions, and the services with their rates."""
