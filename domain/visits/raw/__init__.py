"""Raw visits of this shop and of other sites, as local days are computed from them."""
