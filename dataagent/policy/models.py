"""Tables of this room."""
