"""The semantic grammar: phrases → plan fragments, one file per topic."""
