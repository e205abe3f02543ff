"""Reports about what people searched for, and about what they did not find."""
