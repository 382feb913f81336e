"""How sure a metric is: what a row adds to it, and intervals that follow from that."""

from pandas_ordinal.inference.influence import influence

__all__ = ["influence"]
