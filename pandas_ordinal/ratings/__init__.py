"""Agreement of any number of raters: what `agreement` returns on each surface.

- `request`: what is asked, and the columns that show it.
- `left_out`: coefficients without each item, or cluster of items, from sums.
- `uncertainty`: their standard errors and intervals.
- `frames`: reads frames with a column for each rater, or a row for each rating.
- `arrays`: reads arrays with a dimension of raters.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
