"""Sign-in, memberships and tokens.  What a member may do is made by policy."""
