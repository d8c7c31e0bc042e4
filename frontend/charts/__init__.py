"""Charts drawn on the server as SVG: no script is needed to read them."""
