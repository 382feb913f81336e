from . import coordinates as coordinates
from . import flags as flags
from . import keys as keys
from . import labels as labels
from . import query as query
from . import sample as sample
from . import scored as scored
from . import tiles as tiles
