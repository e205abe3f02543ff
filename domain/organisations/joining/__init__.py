"""The four ways into an organisation: an invitation by mail, a file of invitations, a join code, and the domain of a
verified email address. What managers will see, and whether the shop becomes restricted, is told before."""
