"""Files of particles: what is in them, their arrays, other formats."""

from __future__ import annotations

import os
from typing import Any, Dict, Iterable, Optional, Union

import numpy as np

from . import _command
from ._arrays import Owner

Path = Union[str, bytes, os.PathLike]
FIELDS = ("positions", "velocities", "masses", "ids")


def _text(path) -> bytes:
    if not isinstance(path, (str, bytes, os.PathLike)):
        raise TypeError(f"path: the name of a file, not {type(path).__name__}")
    return os.fsencode(path)


class Particles:
    """Particles of one type, as ``weft.read`` gives them; what was not read, or the file does
    not have, is None.

    ``positions`` (n, 3) comoving, in ``info["length_unit"]``; ``velocities`` (n, 3) peculiar,
    km/s; ``masses`` (n,) in ``info["mass_unit"]``, or one number where all are equal; ``ids``
    (n,) int64; ``info`` as ``weft.info`` gives it.
    """

    positions: Optional[np.ndarray]
    velocities: Optional[np.ndarray]
    masses: Any
    ids: Optional[np.ndarray]

    def __init__(self, found: _command.Snapshot, info: Dict[str, Any]):
        owner = Owner(_command.free, found)
        self.info = info
        self._count = found.n
        for k, name in enumerate(FIELDS):
            shape = (found.n, 3) if k < 2 else (found.n,)
            dtype = "i8" if name == "ids" else f"f{found.bytes[k]}"
            array = owner.array(found.field[k], dtype, shape) if found.bytes[k] and found.field[k] else None
            setattr(self, name, found.mass if array is None and name == "masses" else array)

    def __len__(self) -> int:
        return self._count

    def __repr__(self) -> str:
        return f"<weft.Particles: {len(self)} of {self.info['format']}>"


def told(found: _command.Snapshot) -> Dict[str, Any]:
    known = found.h > 0
    return {
        "format": found.format.decode(), "files": found.parts, "particles": found.n,
        "types": {k: count for k, count in enumerate(found.count) if count},
        "box": tuple(found.box), "periodic": tuple(bool(wrap) for wrap in found.periodic),
        "redshift": None if np.isnan(found.redshift) else found.redshift, "scale_factor": found.scale_factor,
        "h": found.h if known else None, "omega_matter": found.omega_matter if known else None,
        "omega_lambda": found.omega_lambda if known else None,
        "omega_baryon": found.omega_baryon if known else None,
        "length_unit": found.length_unit.decode(), "mass_unit": found.mass_unit.decode(),
        "mass": found.mass,
        "fields": {name: ("i8" if name == "ids" else f"f{found.bytes[k]}")
                   for k, name in enumerate(FIELDS) if found.bytes[k]},
    }


def info(path: Path, verify: bool = True) -> Dict[str, Any]:
    """What a snapshot says of itself.

    path : a file that ``weft.read`` reads
    verify : verify the checksums of all that is in it, where its format has them
    Returns a dict: format, files, particles (of dark matter, type 1), types (particles of
    each), box and periodic of each axis, redshift, scale_factor, h, omega_matter,
    omega_lambda and omega_baryon (None where it does not tell), length_unit, mass_unit, mass
    (of a particle, where masses are no field), fields (and their dtypes).

    >>> weft.info("lcdm64.hdf5")["particles"]  # doctest: +SKIP
    262144
    """
    found = _command.Snapshot()
    with _command.listening():
        status = _command.read(_text(path), 1, 0, int(verify), found)
        if status:
            _command.fail(status)
    return told(found)


def read(path: Path, fields: Iterable[str] = FIELDS, type: int = 1) -> Particles:
    """The particles of a snapshot, of any format that `weft halos` reads, as NumPy arrays.

    path : a file, or one of several that a snapshot has
    fields : of "positions", "velocities", "masses" and "ids"
    type : 1 is dark matter; 0 gas, 2 and 3 heavier dark matter, 4 stars, 5 black holes
    Returns Particles. Ids that are missing, or not unique, are None, which is warned of.

    >>> weft.read("lcdm64.hdf5").positions.shape  # doctest: +SKIP
    (262144, 3)
    """
    fields = (fields,) if isinstance(fields, str) else tuple(fields)
    for name in fields:
        if name not in FIELDS:
            raise ValueError(f"fields: {', '.join(FIELDS)}, not {name!r}")
    found = _command.Snapshot()
    with _command.listening() as notes:
        status = _command.read(_text(path), type, sum(1 << FIELDS.index(name) for name in set(fields)), 0, found)
        if status:
            _command.free(found)
            _command.fail(status)
        if "ids" in fields and found.bytes[3] and not found.field[3] and found.n:
            notes.append(f"{os.fsdecode(path)}: there are no ids to use: {found.ids_note.decode()}")
    return Particles(found, told(found))


def convert(source: Path, target: Path, format: Optional[str] = None, precision: Optional[str] = None) -> None:
    """Writes the dark matter of a snapshot in another format, as `weft convert`; what the
    format does not hold is warned of.

    source : a file that ``weft.read`` reads
    target : a name that tells the format by its ending: .hdf5, .gio, .npy, .csv, .f32, ...
    format : the format, where the name does not tell it; "swift": HDF5 as swiftsimio reads it
    precision : "f4" or "f8", of positions and velocities; None: those of the source
    """
    if precision not in (None, "f4", "f8"):
        raise ValueError(f"precision: 'f4' or 'f8', not {precision!r}")
    with _command.listening():
        status = _command.convert(_text(source), _text(target), None if format is None else format.encode(),
                                  int(precision[1]) if precision else 0)
        if status:
            _command.fail(status)
