"""The only ORM code of this room; takes and returns types."""
