"""What templates show: frozen dataclasses in which everything is already formatted."""
