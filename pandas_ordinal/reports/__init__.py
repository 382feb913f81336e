"""Which metrics a report shows, and reports as tables."""
