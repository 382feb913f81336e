"""What an interval is made of: what each row adds to a metric, and the tests that follow.

- `influence`: what a row adds to a metric, and the pseudo-row.
- `interval`, `rows`: intervals of metrics of counts, and of scores and probabilities.
- `pairs`: differences of models that predict the same rows.
- `report`: bounds and standard errors as a report asks for them, or by bootstrap.
- `dominance`, `folds`: comparisons that start from finished reports.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
