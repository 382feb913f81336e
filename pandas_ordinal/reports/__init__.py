"""What a report shows, and reports as tables.

- `metrics`: which metrics a report shows, and how they are bound to the classes of a sample.
- `by_class`: what a table by class or by cut shows.
- `columns`: the columns of a finished report, read back as metrics with their intervals.
- `facts`: what a result says about itself in attributes and captions.
- `style`: reports as styled tables, for notebooks and LaTeX.
- `style_rows`: the same for comparisons and summaries, which have a metric per row.
"""
