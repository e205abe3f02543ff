"""What the shop sells in. Settings build it once; functions take it as `shop`."""
