from . import artists as artists
from . import canvas as canvas
from . import facets as facets
from . import matrix as matrix
from . import models as models
from . import pairs as pairs
from . import reliability as reliability
from .models import critical_difference as critical_difference
from .models import forest as forest
from .pairs import differences as differences

__all__ = ["critical_difference", "differences", "forest"]
