"""Random numbers inside compiled functions."""

from typing import Any

import numpy as np

from powderkeg.core.fast.compiling import kernel_part


@kernel_part
def random_below(r: Any, n: int) -> int:
    """A random number below `n`; `r` holds the generator (xorshift64)."""
    x = r[0]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    r[0] = x
    return int((np.int64(x >> np.uint64(33)) * n) >> 31)
