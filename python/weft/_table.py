"""Columns with names, units and descriptions."""
from typing import Dict, Iterator, KeysView, NamedTuple

import numpy as np


class Column(NamedTuple):
    """What a column of a table is."""

    unit: str
    description: str


class Table:
    """``table["mass"]`` is a column; ``columns`` tells unit and description of each."""

    columns: Dict[str, Column]
    _data: Dict[str, np.ndarray]

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def keys(self) -> KeysView[str]:
        """The names of the columns."""
        return self.columns.keys()

    def __getitem__(self, name: str) -> np.ndarray:
        return self._data[name]
