"""Catalogues of halos: columns, members, files, tables."""

from __future__ import annotations

import os
from typing import Any, Dict, Optional, Union

import numpy as np
from numpy.typing import ArrayLike

from . import _command
from ._arrays import Owner
from ._device import Device, Use
from ._table import Column, Table


def _columns(handle: int, owner: Owner, first: int, end: int):
    """What columns are, and their numbers."""
    columns: Dict[str, Column] = {}
    data: Dict[str, np.ndarray] = {}
    for k in range(first, end):
        found = _command.Column()
        _command.column(handle, k, found)
        name = ("profile_" if found.of == 1 else "") + found.name.decode()
        shape = (found.rows,) if found.components == 1 else (found.rows, found.components)
        shape = (found.rows, 3, 3) if found.components == 9 else shape
        columns[name] = Column(found.unit.decode(), found.description.decode())
        data[name] = owner.array(found.data, found.type.decode(), shape)
    return columns, data


class Subhalos(Table):
    """The clumps within halos; ``subhalos["mass"]`` is a column, and ``columns`` tells what each
    is. ``members`` and ``offset`` are the ids of the particles that are bound to subhalo s,
    ``members[offset[s]:offset[s + 1]]``, the most bound first; ``members`` is None where they
    were not asked for."""

    def __init__(self, handle: int, owner: Owner, about):
        self.columns, self._data = _columns(handle, owner, about.columns, about.columns + about.subhalo_columns)
        self.offset = owner.array(about.subhalo_offset, "i8", (about.subhalos + 1,))
        self.members = owner.array(about.subhalo_member_id, "i8",
                                   (self.offset[-1],)) if about.subhalo_member_id else None

    def __len__(self) -> int:
        return len(self.offset) - 1

    def __repr__(self) -> str:
        return f"<weft.Subhalos: {len(self)}, {len(self.columns)} columns>"


class Catalogue(Table):
    """Halos by descending number of particles; ``catalogue["mass"]`` is a column.

    ``columns`` tells unit and description of each, ``len()`` the number of halos; ``members``
    and ``offset`` the particle ids of halo h, ``members[offset[h]:offset[h + 1]]``, and
    ``labels`` the tag of each particle's halo, -1 outside, where they were asked for; and so is
    ``subhalos``.
    """

    def __init__(self, handle: int, device: Device):
        self._handle, self._device = handle, device
        self._positions: Any = None  # of the particles, or the path of a snapshot that has them
        owner = Owner(_command.halos_free, handle)
        self._owner = owner
        self.about = _command.About()
        _command.about(handle, self.about)
        self.columns, self._data = _columns(handle, owner, 0, self.about.columns)
        self.subhalos = Subhalos(handle, owner, self.about) if self.about.subhalo_offset else None
        self.offset = owner.array(self.about.offset, "i8", (self.about.halos + 1,))
        self.members = owner.array(self.about.member_id, "i8", (self.about.members,))
        self.labels = owner.array(self.about.labels, "i8", (self.about.labelled,))

    def __len__(self) -> int:
        return self.about.halos

    def __repr__(self) -> str:
        return f"<weft.Catalogue of {len(self)} halos, {len(self.columns)} columns>"

    @property
    def header(self) -> Dict[str, Any]:
        """What holds for all of it: box, periodic, linking_length, mean_separation, redshift,
        scale_factor, h, omega_matter, omega_lambda, length_unit, mass_unit, n_particles, ids
        ("file" or "index"); what is not known is None."""
        about = self.about
        known = about.h > 0
        return {
            "n_particles": about.particles, "box": tuple(about.box),
            "periodic": tuple(bool(wrap) for wrap in about.periodic), "linking_length": about.linking_length,
            "mean_separation": None if np.isnan(about.mean_separation) else about.mean_separation,
            "redshift": None if np.isnan(about.redshift) else about.redshift, "scale_factor": about.scale_factor,
            "h": about.h if known else None, "omega_matter": about.omega_matter if known else None,
            "omega_lambda": about.omega_lambda if known else None, "length_unit": about.length_unit.decode(),
            "mass_unit": about.mass_unit.decode(), "ids": "file" if about.ids_from_file else "index",
        }

    def to_hdf5(self, path: Union[str, bytes, os.PathLike]) -> None:
        """Writes it as `weft halos -o` does: CSV where the name ends in .csv, HACC's GenericIO
        where it ends in .gio, else HDF5."""
        with Use(self._device), _command.listening():
            status = _command.write(self._handle, os.fsencode(path))
            if status:
                _command.fail(status)

    def plot(self, positions: Optional[ArrayLike] = None, axis: str = "z", bins: int = 256, largest: int = 200) -> Any:
        """A matplotlib Figure: the logarithm of the projected density with the largest halos on
        it, and the halo mass function.

        positions : (n, 3) of the particles; None: those that the halos were found among; a
            snapshot is read once more
        axis : along which the density is projected
        bins : of the picture, along an axis
        largest : so many halos are drawn
        """
        from ._plot import plot

        return plot(self, self._positions if positions is None else positions, axis, bins, largest)

    def _flat(self) -> Dict[str, np.ndarray]:
        flat: Dict[str, np.ndarray] = {}
        for name, data in self._data.items():
            rows = data.reshape(len(self), int(np.prod(data.shape[1:], dtype=int)))
            ends = [""] if data.ndim == 1 else ["_x", "_y", "_z"] if data.shape[1:] == (3,) else \
                [f"_{k}" for k in range(rows.shape[1])]
            flat.update((name + end, rows[:, k].copy()) for k, end in enumerate(ends))
        return flat

    def to_pandas(self) -> Any:
        """A pandas.DataFrame; vectors are columns of _x, _y and _z."""
        import pandas

        return pandas.DataFrame(self._flat())

    def to_astropy(self) -> Any:
        """An astropy Table with descriptions and units, in which h is astropy's littleh. Columns
        in a unit that nobody told, "code", have none."""
        from astropy.table import Table

        table = Table({name: data.copy() for name, data in self._data.items()})
        for name, column in self.columns.items():
            table[name].description = column.description
            if "code" not in column.unit and column.unit != "1":
                table[name].unit = _astropy_unit(column.unit)
        return table


def _astropy_unit(text: str):
    """Of "Mpc/h", "1e10 Msun", "km/s", and of such over each other, "Msun / (Mpc)^3"."""
    from astropy.cosmology.units import littleh
    from astropy.units import Unit

    above, _, below = text.partition(" / ")
    if below:
        cube = below.endswith(")^3")
        return _astropy_unit(above) / _astropy_unit(below[1:-3] if cube else below) ** (3 if cube else 1)
    unit = Unit((text[:-2] if text.endswith("/h") else text).replace("Msun", "solMass"))
    return unit / littleh if text.endswith("/h") else unit
