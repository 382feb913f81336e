"""Memory for arrays that are made and dropped block by block."""

import numpy as np

BYTES = 2**24


def keep_at_hand() -> None:
    """Have the allocator keep freed arrays of a block's size, for the next block.

    Where memory comes from glibc's malloc, a large array that is freed raises the size up to which
    memory is kept. Without it each block's temporaries go back to the system, which has to zero
    them again page by page: up to three times the time of the arithmetic. Costs a microsecond, no
    page is touched; elsewhere it does nothing.
    """
    np.empty(BYTES, np.uint8)
