from . import arrays as arrays
from . import frames as frames
from . import left_out as left_out
from . import request as request
from . import uncertainty as uncertainty
