"""Attribution."""
