"""Reads the catalogue: lists with facets, one course, one shop item. domain/publishing/ writes it."""
