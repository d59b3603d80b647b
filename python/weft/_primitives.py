"""Primitives with NumPy's results, on any device. Of NumPy's arrays they give NumPy's; where an
input is a ``weft.Array``, so is what they give."""

from __future__ import annotations

from typing import Optional, Tuple, cast

import numpy as np
from numpy.typing import ArrayLike

from . import _library
from ._arrays import I64, TYPES, Answer, Array, Numbers, array, device_of, numbers_of, output_of, place, unmasked
from ._device import Device, Use
from ._library import functions


def _copy(numbers, name: str, device) -> Array:
    """A new array on the device, of one axis."""
    if np.ndim(numbers) != 1 and not (isinstance(numbers, Array) and numbers.ndim == 1):
        raise ValueError(f"{name}: of one axis")
    if not isinstance(numbers, Array):
        return array(numbers_of(numbers, name), device=device)
    if numbers.dtype not in TYPES:
        raise TypeError(f"{name}: integers or floats of 8 to 64 bits, not {numbers.dtype}")
    made = array(np.empty(0, numbers.dtype), device=device)
    with Use(device) as use:
        memory = use.new(TYPES[numbers.dtype], numbers.size)
        use.call("weft_copy", numbers._memory, memory)
        use.check()
        use.keep(memory)
    made._memory, made.shape = memory, numbers.shape
    return made


def _answer(result: Array, numbers):
    return result if isinstance(numbers, Array) else result.numpy()


def sort(numbers: Numbers, descending: bool = False, device: Optional[Device] = None) -> Answer:
    """A sorted copy: stable, NaN last.

    >>> weft.sort([3.0, float("nan"), 1.0])
    array([ 1.,  3., nan])
    """
    device = device_of(device, numbers)
    result = _copy(numbers, "numbers", device)
    with Use(device) as use:
        use.call("weft_sort", result._memory, int(descending))
    return _answer(result, numbers)


def sort_by_key(keys: Numbers, values: Numbers, descending: bool = False,
                device: Optional[Device] = None) -> Tuple[Answer, Answer]:
    """Sorted copies of keys and of the values that belong to them; stable.

    >>> weft.sort_by_key([2, 1, 2], [10, 20, 30])[1]
    array([20, 10, 30])
    """
    device = device_of(device, keys, values)
    sorted_keys, moved = _copy(keys, "keys", device), _copy(values, "values", device)
    if len(sorted_keys) != len(moved):
        raise ValueError(f"values: as many as keys, {len(sorted_keys)}, not {len(moved)}")
    with Use(device) as use:
        use.call("weft_sort_by_key", sorted_keys._memory, moved._memory, int(descending))
    return _answer(sorted_keys, keys), _answer(moved, values)


def argsort(numbers: Numbers, descending: bool = False, device: Optional[Device] = None) -> Answer:
    """The int64 indices that sort, stable.

    >>> weft.argsort([3, 1, 2])
    array([1, 2, 0])
    """
    device = device_of(device, numbers)
    index = array(np.arange(np.size(numbers), dtype="i8"), device=device)
    return _answer(cast(Array, sort_by_key(numbers, index, descending, device)[1]), numbers)


def _summands(numbers: Numbers) -> Numbers:
    """Numbers in the type in which NumPy adds them up; an array of a device keeps its own."""
    if isinstance(numbers, Array):
        return numbers
    host = np.asarray(unmasked(numbers, "numbers"))
    wide = {"b": "i8", "i": "i8", "u": "u8"}.get(host.dtype.kind)
    return host if wide is None else host.astype(wide, copy=False)


def cumsum(numbers: Numbers, device: Optional[Device] = None) -> Answer:
    """Running sums. As in NumPy integers are added up in 64 bits, but those of a ``weft.Array``
    in their own type; what is too large wraps around.

    >>> weft.cumsum([1, 2, 3])
    array([1, 3, 6])
    """
    device = device_of(device, numbers)
    result = _copy(_summands(numbers), "numbers", device)
    with Use(device) as use:
        use.call("weft_scan", result._memory, functions["weft_plus"](TYPES[result.dtype]), 0, result._memory)
    return _answer(result, numbers)


def unique(numbers: Numbers, device: Optional[Device] = None) -> Answer:
    """The different numbers, sorted; NaN once; -0 and +0 are two.

    >>> weft.unique([3, 1, 3])
    array([1, 3])
    """
    ordered = cast(Array, sort(numbers if isinstance(numbers, Array) else array(numbers, device=device)))
    count = _library.c_int64()
    with Use(ordered.device) as use:
        use.call("weft_unique", ordered._memory, ordered._memory, count)
    return _answer(ordered[:count.value], numbers)


def _alike(ordered: Numbers, queries: Numbers) -> tuple:
    """Both in NumPy's common type of them; an array of a device keeps its own, which holds all queries."""
    if isinstance(queries, Array):
        return ordered, queries
    asked = np.asarray(unmasked(queries, "queries"))
    if isinstance(ordered, Array):
        if ordered.dtype.kind == asked.dtype.kind == "f" and not np.array_equal(
                asked.astype(ordered.dtype), asked, equal_nan=True):
            raise ValueError(f"queries: some are no {ordered.dtype}")
        return ordered, queries
    known = np.asarray(unmasked(ordered, "ordered"))
    if known.dtype == asked.dtype or not (known.dtype.kind in "iuf" and asked.dtype.kind in "iuf"):
        return ordered, queries
    common = np.result_type(known.dtype, asked.dtype)
    return known.astype(common, copy=False), asked.astype(common, copy=False)


def searchsorted(ordered: Numbers, queries: Numbers, side: str = "left",
                 device: Optional[Device] = None) -> Answer:
    """Where queries would be inserted into sorted numbers.

    >>> weft.searchsorted([1, 2, 2, 3], [2, 4], side="right")
    array([3, 4])
    """
    if side not in ("left", "right"):
        raise ValueError(f"side: 'left' or 'right', not {side!r}")
    ordered, queries = _alike(ordered, queries)
    with Use(device_of(device, ordered, queries)) as use:
        into, dtype, known = place(use, ordered, "ordered")
        if len(known) != 1:
            raise ValueError("ordered: of one axis")
        asked, _, shape = place(use, queries, "queries", dtype)
        found, out = output_of(use, shape, "i8", isinstance(ordered, Array) or isinstance(queries, Array))
        use.call("weft_lower_bound" if side == "left" else "weft_upper_bound", into, asked, out)
    return found


def segmented_sum(numbers: Numbers, offsets: ArrayLike, device: Optional[Device] = None) -> Answer:
    """Sums of segments, in the type of ``cumsum``.

    numbers : (n,)
    offsets : (s + 1,) of integers that never fall, within 0 .. n; segment k is
        numbers[offsets[k]:offsets[k + 1]], and may be empty
    Returns (s,).

    >>> weft.segmented_sum([1, 2, 3, 4], [0, 3, 3, 4])
    array([6, 0, 4])
    """
    begin = np.asarray(unmasked(offsets, "offsets"))
    if begin.ndim != 1 or not len(begin) or begin.dtype.kind not in "iu":
        raise ValueError("offsets: at least one integer, of one axis")
    if np.ndim(numbers) != 1:
        raise ValueError("numbers: of one axis")
    begin, n = begin.astype("i8"), np.size(numbers)
    if begin[0] < 0 or begin[-1] > n or (begin[1:] < begin[:-1]).any():
        raise ValueError(f"offsets: they must not fall, and lie within 0 .. {n}")
    with Use(device_of(device, numbers)) as use:
        summands, dtype, _ = place(use, _summands(numbers), "numbers")
        sums, out = output_of(use, (len(begin) - 1,), dtype, isinstance(numbers, Array))
        use.call("weft_reduce_segments", summands, use.lend(begin, I64), functions["weft_plus"](TYPES[dtype]), out)
    return sums


def bincount(numbers: Numbers, minlength: int = 0, device: Optional[Device] = None) -> Answer:
    """How often each of 0, 1, ... occurs, up to the largest number: NumPy's without weights.

    numbers : (n,) of integers from 0 to 2^32 - 1; a weft.Array is one of uint32
    minlength : at least so many counts
    Returns int64.

    >>> weft.bincount([2, 0, 2])
    array([1, 0, 2])
    """
    if minlength < 0:
        raise ValueError(f"minlength: {minlength} is negative")
    if isinstance(numbers, Array):
        return _bins_counted(numbers, int(minlength), device_of(device, numbers))
    host = np.asarray(unmasked(numbers, "numbers"))
    if host.size == 0 and host.ndim == 1:
        host = host.astype("u4")
    if host.ndim != 1 or host.dtype.kind not in "iu":
        raise ValueError("numbers: integers, of one axis")
    if host.size and not 0 <= host.min() <= host.max() < 2**32:
        raise ValueError("numbers: from 0 to 2^32 - 1")
    counts = np.zeros(max(int(host.max()) + 1 if host.size else 0, int(minlength)), "i8")
    if counts.size:
        with Use(device_of(device)) as use:
            bins = use.lend(np.ascontiguousarray(host, "u4"), TYPES[np.dtype("u4")])
            use.call("weft_histogram", bins, use.lend_out(counts, I64))
    return counts


def _bins_counted(numbers: Array, minlength: int, device) -> Array:
    """bincount of numbers that are on the device, where they stay."""
    if numbers.dtype != np.dtype("u4") or numbers.ndim != 1:
        raise TypeError(f"numbers: uint32 of one axis, not {numbers.dtype}{list(numbers.shape)}")
    largest = -1
    if numbers.size:
        index = _library.c_int64()
        with Use(device) as use:
            use.call("weft_max_element", numbers._memory, index)
        largest = int(numbers[index.value:index.value + 1].numpy()[0])
    bins = max(largest + 1, minlength)
    if bins == 0:
        return array(np.empty(0, "i8"), device=device)
    with Use(device) as use:
        counts, out = output_of(use, (bins,), "i8", True)
        use.call("weft_histogram", numbers._memory, out)
    return counts


def _bounds(edges: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Of each edge the least number of this type that is not below it, and of the last the
    least above it."""
    if dtype.kind == "f":
        bounds = edges.astype(dtype)
        below = bounds < edges
        below[-1] = bounds[-1] <= edges[-1]
        return np.where(below, np.nextafter(bounds, dtype.type(np.inf)), bounds)
    limits = np.iinfo(dtype)
    is_float = edges.dtype.kind == "f"
    bounds = (np.ceil(edges) if is_float else edges).astype(object)  # of any size
    if np.isfinite(edges[-1]):
        bounds[-1] = int(np.floor(edges[-1]) if is_float else edges[-1]) + 1
    if (bounds > limits.max).any():
        raise ValueError(f"edges: the last is not below the largest {dtype}: take a wider type")
    return np.maximum(bounds, limits.min).astype(dtype)


def histogram(numbers: Numbers, edges: ArrayLike, device: Optional[Device] = None) -> Answer:
    """How many numbers lie from each edge to the next, which is in the last bin alone: the
    counts of NumPy's. NaN is in none, nor are infinite numbers.

    numbers : (n,)
    edges : (k + 1,), rising; the last of integers is below the largest of their type, which is int64
        or uint64 but in a ``weft.Array``
    Returns (k,) int64.

    >>> weft.histogram([0.5, 1.0, 2.0], [0, 1, 2])
    array([1, 2])
    """
    with Use(device_of(device, numbers)) as use:
        given = np.asarray(unmasked(edges, "edges"))
        counted, dtype, shape = place(use, _summands(numbers), "numbers")
        if len(shape) != 1 or given.ndim != 1 or len(given) < 2:
            raise ValueError("numbers and edges: of one axis, and at least two edges")
        if given.dtype.kind not in "iuf":
            raise TypeError(f"edges: integers or floats, not {given.dtype}")
        if not (given[1:] >= given[:-1]).all():
            raise ValueError("edges: they must not fall")
        bounds = _bounds(given, dtype)
        counts, out = output_of(use, (len(bounds) - 1,), "i8", isinstance(numbers, Array))
        use.call("weft_histogram_ranges", counted, use.lend(bounds, TYPES[dtype]), out)
    return counts
