"""What can be wrong with ordinal data, as exceptions and one warning."""


class ClassOrderError(ValueError):
    """The order of the classes is not declared, or is declared in contradictory ways."""


class UnknownClassError(ValueError):
    """A label is none of the declared classes."""


class MissingValueError(ValueError):
    """A label or a group key is missing."""


class UndefinedMetricWarning(UserWarning):
    """A metric has no value for some group that holds rows."""
