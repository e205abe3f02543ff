"""How the site was: samples that host processes take, and what they come to."""
