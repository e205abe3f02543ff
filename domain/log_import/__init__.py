"""Access logs of other sites: their pages become visits, whose days are computed as those of the shop."""
