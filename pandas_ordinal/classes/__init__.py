"""The gate: what the classes are, in which order, and how labels become codes.

- `gate`: labels are read as codes of the classes that are declared.
- `undeclared`: columns that declare no order: whole numbers count as classes, and here is the
  refusal of text without order.
- `orders`: several orders of classes are merged into one.
- `bins`: classes with edges, and numbers cut into them.
- `labelled`: options that are labelled by class, such as costs.
- `arrow`: tables and columns of other libraries, read through Arrow.
- `columns`: columns of a frame: labels to exclude, scores, probabilities and weights.
"""
