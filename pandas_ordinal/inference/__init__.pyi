from . import dominance as dominance
from . import folds as folds
from . import influence as influence
from . import interval as interval
from . import pairs as pairs
from . import report as report
from . import rows as rows
from . import sentences as sentences
