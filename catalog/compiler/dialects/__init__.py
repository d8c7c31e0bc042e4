"""The compiler's tree → the text of one engine: what each engine has otherwise, a small file per thought."""

from catalog.compiler.dialects.binding import for_driver
from catalog.compiler.dialects.facts import DIALECTS
from catalog.compiler.dialects.write import written

__all__ = ["DIALECTS", "for_driver", "written"]
