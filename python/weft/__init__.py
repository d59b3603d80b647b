"""Weft: halo finders and data-parallel primitives on every processor.

NumPy arrays go in and come out; C-contiguous float32 and float64 are taken as they lie,
without a copy. Errors are exceptions with the library's sentence: ``ValueError``,
``TypeError``, ``MemoryError``, ``OSError``, and ``weft.Error`` for devices and kernels.

>>> import numpy as np, weft
>>> weft.fof(np.array([[0.0, 0, 0], [0.1, 0, 0], [5, 0, 0]]), linking_length=0.2)
array([0, 0, 2])
"""

from ._arrays import Array, array
from ._catalogue import Catalogue, Subhalos
from ._centers import Centers, Groups, groups, mbp, mcp, poisson
from ._device import Device, DeviceInfo, current_device, devices
from ._files import Particles, convert, info, read
from ._fourier import irfftn, rfftn
from ._groups import fof
from ._halos import halos
from ._ics import ics
from ._kernel import Kernel, kernel
from ._library import Error, functions as _functions
from ._links import Links, Trees, link, links
from ._neighbours import Neighbours, neighbours
from ._power import Spectrum, power
from ._primitives import (argsort, bincount, cumsum, histogram, searchsorted, segmented_sum, sort, sort_by_key,
                         unique)
from ._sheet import Lattice, Sheet, lattice, sheet
from ._spheres import Profiles, Spheres, density, profiles, so
from ._table import Column

__version__ = _functions["weft_version"]().decode()


def __getattr__(name: str):
    if name == "DBSCAN":  # loads scikit-learn where it is installed
        from ._cluster import DBSCAN

        globals()[name] = DBSCAN
        return DBSCAN
    raise AttributeError(f"module 'weft' has no attribute {name!r}")
