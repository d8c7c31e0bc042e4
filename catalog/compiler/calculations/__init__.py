"""What stands on top of metrics by group: comparisons, shares, ranks, running totals and moving windows."""
