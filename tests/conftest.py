"""How many examples the properties draw: all, or 20 of 100 with ``--hypothesis-profile=quick``."""

from hypothesis import settings

settings.register_profile("quick", max_examples=20)
