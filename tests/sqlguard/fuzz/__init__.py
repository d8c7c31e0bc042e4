"""Statements made at random, judged, and what passes is run where it could do harm: see `run`."""
