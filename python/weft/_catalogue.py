"""Catalogues of halos, of snapshots or of arrays, as `weft halos` finds them."""

from __future__ import annotations

import ctypes
import os
from typing import Dict, NamedTuple, Optional

import numpy as np

from . import _command
from ._arrays import HostMemory, floats_of, numbers_of
from ._device import Device, Use, current_device


class Column(NamedTuple):
    """What a column of a catalogue is."""

    unit: str
    description: str


class Catalogue:
    """Halos by descending number of particles; ``catalogue["mass"]`` is a column.

    ``columns`` tells unit and description of each, ``len()`` the number of halos; ``members``
    and ``offset`` the particle ids of halo h, ``members[offset[h]:offset[h + 1]]``, and
    ``labels`` the tag of each particle's halo, -1 outside, where they were asked for.
    """

    def __init__(self, handle: int, device: Device):
        self._handle, self._device = handle, device
        self.about = _command.About()
        _command.about(handle, self.about)
        self.columns: Dict[str, Column] = {}
        self._data: Dict[str, np.ndarray] = {}
        for k in range(self.about.columns):
            found = _command.Column()
            _command.column(handle, k, found)
            name = ("profile_" if found.of_profiles else "") + found.name.decode()
            shape = (found.rows,) if found.components == 1 else (found.rows, found.components)
            shape = (found.rows, 3, 3) if found.components == 9 else shape
            self.columns[name] = Column(found.unit.decode(), found.description.decode())
            self._data[name] = self._array(found.data, found.type.decode(), shape)
        self.offset = self._array(self.about.offset, "i8", (self.about.halos + 1,))
        self.members = self._array(self.about.member_id, "i8", (self.about.members,))
        self.labels = self._array(self.about.labels, "i8", (self.about.particles,))

    def _array(self, address, dtype: str, shape) -> Optional[np.ndarray]:
        if not address:
            return np.empty(shape, dtype) if 0 in shape else None
        return np.asarray(HostMemory(address, dtype, shape, self))

    def __del__(self):
        if self._handle:
            _command.halos_free(self._handle)

    def __len__(self) -> int:
        return self.about.halos

    def __iter__(self):
        return iter(self.columns)

    def keys(self):
        return self.columns.keys()

    def __getitem__(self, name: str) -> np.ndarray:
        return self._data[name]

    def __repr__(self) -> str:
        return f"<weft.Catalogue of {len(self)} halos, {len(self.columns)} columns>"

    def to_hdf5(self, path) -> None:
        """Writes it as `weft halos -o` does: CSV where the name ends in .csv, HACC's GenericIO
        where it ends in .gio, else HDF5."""
        with Use(self._device), _command.listening():
            status = _command.write(self._handle, os.fsencode(path))
            if status:
                _command.fail(status)

    def _flat(self) -> Dict[str, np.ndarray]:
        flat = {}
        for name, data in self._data.items():
            rows = data.reshape(len(self), int(np.prod(data.shape[1:], dtype=int)))
            ends = [""] if data.ndim == 1 else ["_x", "_y", "_z"] if data.shape[1:] == (3,) else \
                [f"_{k}" for k in range(rows.shape[1])]
            flat.update((name + end, rows[:, k].copy()) for k, end in enumerate(ends))
        return flat

    def to_pandas(self):
        """A pandas.DataFrame; vectors are columns of _x, _y and _z."""
        import pandas

        return pandas.DataFrame(self._flat())

    def to_astropy(self):
        """An astropy QTable's plain form: an astropy Table with units (as texts) and
        descriptions."""
        from astropy.table import Table

        table = Table({name: data.copy() for name, data in self._data.items()})
        for name, column in self.columns.items():
            table[name].description = column.description
            table[name].meta["unit"] = column.unit
        return table


def _given(positions, velocities, masses, ids, box, periodic, redshift, h, omega_matter, omega_lambda,
           length_unit, mass_unit, keep):
    given = _command.Snapshot(length_unit=length_unit.encode(), mass_unit=mass_unit.encode(), mass=1.0,
                              redshift=redshift, scale_factor=1.0 if np.isnan(redshift) else 1 / (1 + redshift),
                              h=h, omega_matter=omega_matter, omega_lambda=omega_lambda)
    fields = [("positions", positions), ("velocities", velocities), ("masses", masses), ("ids", ids)]
    for k, (name, numbers) in enumerate(fields):
        if numbers is None:
            continue
        if name == "masses" and np.ndim(numbers) == 0:
            given.mass = float(numbers)
            if not 0 < given.mass < np.inf:
                raise ValueError(f"masses: {given.mass} is not above 0")
            continue
        host = numbers_of(numbers, name, "i8", "i") if name == "ids" else floats_of(numbers, name)
        if name == "positions":
            given.n = len(host) if host.ndim else 0
        shape = (given.n,) if k > 1 else (given.n, 3)
        if host.shape != shape:
            raise ValueError(f"{name}: of shape {'(n, 3)' if k == 0 else shape}, not {host.shape}")
        keep.append(host)
        given.field[k], given.bytes[k] = host.ctypes.data, host.dtype.itemsize
    if box is not None:
        given.box[:] = np.broadcast_to(np.asarray(box, "f8"), (3,))
        given.periodic[:] = [int(length > 0) for length in given.box]
    return given


def halos(snapshot, linking_length: Optional[float] = None, *, linking_length_absolute: Optional[float] = None,
          min_members: int = 20, min_friends: int = 0, periodic: Optional[str] = None, box=None,
          centers: Optional[str] = None, softening: Optional[float] = None, so: Optional[str] = None,
          properties: Optional[str] = None, profiles: bool = False, members: bool = False, labels: bool = False,
          types: Optional[str] = None, region: Optional[str] = None, velocities=None, masses=None, ids=None,
          redshift: float = float("nan"), h: float = 0.0, omega_matter: float = 0.0, omega_lambda: float = 0.0,
          length_unit: str = "code", mass_unit: Optional[str] = None, device: Optional[Device] = None) -> Catalogue:
    """A catalogue of the halos of a snapshot, or of arrays.

    snapshot : the path of a file that `weft halos` reads, or positions (n, 3) of float32 or
        float64, which are not copied
    linking_length : of the mean separation of particles (default: 0.2)
    linking_length_absolute : in the snapshot's unit of length, instead
    min_members, min_friends, periodic ("xyz", "" for none), box, centers ("mbp,mcp"),
    softening, so ("vir,200c"), properties, profiles, members, types, region : as the options
        of `weft halos`
    labels : keep the tag of each particle's halo, too
    velocities (n, 3), masses (n,) or one number, ids (n,), redshift, h, omega_matter,
    omega_lambda, length_unit ("Mpc/h"), mass_unit ("1e10 Msun/h") : of arrays alone
    """
    from_file = isinstance(snapshot, (str, bytes, os.PathLike))
    keep: list = []
    request = _command.Request(min_members=min_members, min_friends=min_friends, profiles=profiles,
                               members=members, labels=labels)
    if min_members < 1 or min_friends < 0:
        raise ValueError("min_members is at least 1, and min_friends at least 0")
    for name, length in (("linking_length", linking_length), ("softening", softening),
                         ("linking_length_absolute", linking_length_absolute)):
        if length is not None and not 0 <= length < np.inf:
            raise ValueError(f"{name}: {length} is not a finite number of at least 0")
        setattr(request, name, -1.0 if length is None else length)
    for name, text in (("periodic", periodic), ("centers", centers), ("so", so), ("properties", properties),
                       ("types", types), ("region", region)):
        setattr(request, name, None if text is None else text.encode())
    if from_file:
        request.snapshot = os.fsencode(snapshot)
        if box is not None:
            request.box[:] = np.broadcast_to(np.asarray(box, "f8"), (3,))
    else:
        if types is not None or region is not None:
            raise ValueError("types and region are of files: choose among the arrays")
        given = _given(snapshot, velocities, masses, ids, box, periodic, redshift, h, omega_matter, omega_lambda,
                       length_unit, mass_unit or ("1" if masses is None else "code"), keep)
        request.snapshot, request.given = b"the arrays", ctypes.pointer(given)
    device = current_device(device)
    status = ctypes.c_int()
    with Use(device) as use, _command.listening():
        handle = _command.halos(use.handle, request, status)
        if handle is None:
            use.check()
            _command.fail(status.value, OSError if from_file else ValueError)
    return Catalogue(handle, device)
