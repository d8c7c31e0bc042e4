"""From underspecified fragments to typed pieces of a plan: reach, types, units, additivity, scope."""
