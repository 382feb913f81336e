"""Change the library one place at a time, and see whether its tests notice.

A mutant is one change in one module. The tests that reach its line run in a copy of the project;
the sources themselves are never written to. These are tests that `make test` runs: what only the
slow tests would notice survives here. Each module has as many mutants as any other. Survivors that
no test could kill stand in `equivalent.txt`, each with the reason.

No library does this here: mutmut leaves out functions with decorators, which all metrics have,
and cosmic-ray runs one command for all modules.
"""
