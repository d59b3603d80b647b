"""Arrays on devices, and NumPy's arrays as calls take them."""

from __future__ import annotations

import warnings
from typing import Any, Optional, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from . import _library
from ._device import Device, Use, current_device
from ._library import functions

# weft_type of each dtype.
TYPES = {np.dtype(name): kind << 24 | np.dtype(name).itemsize for kind, name in enumerate(
    ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8"), 1)}
DTYPES = {number: dtype for dtype, number in TYPES.items()}
I64, U32, F64 = TYPES[np.dtype("i8")], TYPES[np.dtype("u4")], TYPES[np.dtype("f8")]
NOTHING = _library.Array()
_STRUCTS = 0x0b000000


def type_of(dtype) -> int:
    """The weft_type of a dtype; structs are told apart by their size."""
    dtype = np.dtype(dtype)
    return _STRUCTS | dtype.itemsize if dtype.names else TYPES[dtype]


class Array:
    """An array in the memory of a device; ``weft.array`` makes one.

    It has a ``shape``, a ``dtype`` and a ``device``. Slices of the first axis are views of the
    same memory. ``numpy()``, or NumPy's functions, copy it to the host. Primitives and kernels
    take it where it is, and give arrays of its device.

    >>> x = weft.array([3.0, 1.0, 2.0])
    >>> weft.sort(x)[1:].numpy()
    array([2., 3.])
    """

    __array_priority__ = 100

    def __init__(self, device: Device, memory: _library.Array, dtype, shape: Tuple[int, ...], base=None):
        self.device = device
        self.dtype = np.dtype(dtype)
        self.shape = tuple(shape)
        self._memory = memory
        self._base = base  # whose memory it is; None: its own

    def __del__(self):
        if self._base is None and self.device._handle:
            self.device._garbage.append(self._memory)

    @property
    def size(self) -> int:
        """How many elements it has."""
        return self._memory.length

    @property
    def ndim(self) -> int:
        """How many axes."""
        return len(self.shape)

    @property
    def nbytes(self) -> int:
        """How many bytes its elements take."""
        return self.size * self.dtype.itemsize

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        return f"<weft.Array {self.dtype}{list(self.shape)} on {self.device.backend}: {self.device.name}>"

    def __getitem__(self, key: slice) -> "Array":
        if not isinstance(key, slice):
            raise TypeError("a weft.Array takes slices of its first axis; its numpy() takes all else")
        begin, end, step = key.indices(len(self))
        if step != 1:
            raise ValueError("slices of a weft.Array have step 1")
        end = max(begin, end)
        row = int(np.prod(self.shape[1:], dtype=np.int64))
        with Use(self.device) as use:
            part = functions["weft_slice"](use.handle, self._memory, begin * row, (end - begin) * row)
        return Array(self.device, part, self.dtype, (end - begin, *self.shape[1:]), self._base or self)

    def reshape(self, *shape: Any) -> "Array":
        """The same memory in another shape."""
        shape = np.empty(0).reshape(0).shape if shape == ((),) else shape
        wanted = np.lib.stride_tricks.as_strided(np.empty(1, "u1"), (self.size,), (0,)).reshape(*shape).shape
        return Array(self.device, self._memory, self.dtype, wanted, self._base or self)

    def numpy(self) -> np.ndarray:
        """A copy on the host."""
        numbers = np.empty(self.shape, self.dtype)
        with Use(self.device) as use:
            use.read(self._memory, numbers)
        return numbers

    def write(self, numbers: ArrayLike) -> None:
        """Copies numbers of this shape into it."""
        numbers = np.ascontiguousarray(np.broadcast_to(np.asarray(numbers, self.dtype), self.shape))
        with Use(self.device) as use:
            if numbers.size:
                use.call("weft_write", self._memory, numbers.ctypes.data)

    def __array__(self, dtype=None, copy=None) -> np.ndarray:
        if copy is False:
            raise ValueError("a weft.Array is copied to the host: view() is the same memory, where that is the host's")
        numbers = self.numpy()
        return numbers if dtype is None else numbers.astype(dtype, copy=False)

    def view(self) -> np.ndarray:
        """The same memory as a NumPy array, without a copy, on backends of the host. Nothing
        may run on the array while it is written to; it holds as long as the view does."""
        with Use(self.device) as use:
            functions["weft_synchronize"](use.handle)
            address = functions["weft_address"](use.handle, self._memory)
        if not self.size:
            return np.empty(self.shape, self.dtype)
        return np.asarray(HostMemory(address, self.dtype, self.shape, self))

    def __dlpack__(self, stream=None, **options) -> Any:
        """For PyTorch, JAX and others: the same memory on backends of the host; a copy on the
        host, with a warning, of an OpenCL device's, which nobody else takes."""
        if self.device.is_host:
            return self.view().__dlpack__()
        if options.get("copy") is False:
            raise BufferError("memory of OpenCL is only given as a copy")
        warnings.warn("memory of OpenCL is given as a copy on the host", stacklevel=2)
        return self.numpy().__dlpack__()

    def __dlpack_device__(self) -> Tuple[int, int]:
        """Always the host: (1, 0)."""
        return (1, 0)


Numbers = Union[ArrayLike, Array]  # what calls take,
Answer = Union[np.ndarray, Array]  # and primitives give: an Array where they take one


class HostMemory:
    """Memory of the library as NumPy's array interface, with what keeps it."""

    def __init__(self, address: int, dtype, shape, owner):
        self.owner = owner
        self.__array_interface__ = {"data": (address, False), "typestr": np.dtype(dtype).str,
                                    "shape": tuple(shape), "version": 3}


class Owner:
    """What arrays of memory of the library keep, and who frees it after the last of them."""

    def __init__(self, free, handle):
        self.free, self.handle = free, handle

    def __del__(self):
        self.free(self.handle)

    def array(self, address, dtype, shape) -> Any:
        """None where there is no memory, unless it would be empty."""
        if not address or 0 in shape:
            return np.empty(shape, dtype) if 0 in shape else None
        return np.asarray(HostMemory(address, dtype, shape, self))


def array(numbers: ArrayLike, dtype: Optional[DTypeLike] = None, device: Optional[Device] = None) -> Array:
    """A copy of numbers in the memory of a device, where calls that take it leave it.

    numbers : array_like of any shape, of integers or floats of 8 to 64 bits, or of structs of them
    device : Device, optional

    >>> weft.array([[1, 2], [3, 4]], "f4")[1:].numpy()
    array([[3., 4.]], dtype=float32)
    """
    host = numbers_of(numbers, "numbers", dtype=dtype, kinds="iufV")
    device = current_device(device)
    with Use(device) as use:
        memory = use.new(type_of(host.dtype), host.size)
        if host.size:
            use.call("weft_write", memory, host.ctypes.data)
        use.check()
        use.keep(memory)
    return Array(device, memory, host.dtype, host.shape)


def new_array(use: Use, dtype, length: int) -> Array:
    """An array of this call that outlives it, contents undefined."""
    memory = use.new(type_of(dtype), length)
    use.check()
    use.keep(memory)
    return Array(use.device, memory, dtype, (length,))


def output_of(use: Use, shape: tuple, dtype, on_device: bool):
    """(what a call gives back, the same for the library): an array of the device or of NumPy,
    without contents."""
    if on_device:
        made = new_array(use, dtype, int(np.prod(shape, dtype=np.int64)))
        made.shape = tuple(shape)
        return made, made._memory
    host = np.empty(shape, dtype)
    return host, use.lend_out(host, type_of(dtype))


def unmasked(numbers, name: str):
    """The same, without a mask that hides nothing; one that hides something is refused."""
    if isinstance(numbers, np.ma.MaskedArray):
        if np.ma.is_masked(numbers):
            raise ValueError(f"{name}: masked elements have no numbers: fill them or leave them out")
        return numbers.data
    return numbers


_KINDS = {"f": "floats of 32 or 64 bits", "iu": "integers of 8 to 64 bits"}


def numbers_of(numbers, name: str, dtype=None, kinds: str = "iuf") -> np.ndarray:
    """Numbers as a C-contiguous array of the machine's byte order; where they are one, it.
    What has a mask, or is of another kind, is refused. Lists without elements are of any kind."""
    host = np.asarray(unmasked(numbers, name), dtype)
    if kinds == "iu" and not host.size and not isinstance(numbers, np.ndarray):
        host = host.astype("i8")
    if host.dtype.kind not in kinds or not host.dtype.names and host.dtype.newbyteorder("=") not in TYPES:
        raise TypeError(f"{name}: {_KINDS.get(kinds, 'integers or floats of 8 to 64 bits')}, not {host.dtype}")
    return np.require(host, host.dtype.newbyteorder("="), ["C_CONTIGUOUS", "ALIGNED"])


def floats_of(numbers, name: str) -> np.ndarray:
    """f4 and f8 as they lie; integers, and lists of them, as f8."""
    if isinstance(numbers, np.ndarray) and numbers.dtype.kind not in "iub":
        return numbers_of(numbers, name, kinds="f")
    host = np.asarray(unmasked(numbers, name))
    return numbers_of(host, name, dtype="f8" if host.dtype.kind in "iub" else None, kinds="f")


def _whole(numbers, name: str, dtype: np.dtype) -> np.ndarray:
    """Numbers in a type of integers, which must have them all: none is cut off."""
    given = np.asarray(unmasked(numbers, name))
    if given.dtype == dtype or not given.size:
        return given
    if given.dtype.kind not in "iufb":
        raise TypeError(f"{name}: {dtype}, not {given.dtype}")
    with np.errstate(invalid="ignore"):
        host = given.astype(dtype)
        same = (host == given) & ((host < 0) == (given < 0))
    if not same.all():
        raise ValueError(f"{name}: {given[~same].flat[0]} is not of {dtype}")
    return host


def place(use: Use, numbers, name: str, dtype=None) -> Tuple[_library.Array, np.dtype, tuple]:
    """Numbers or an array of a device, as an input of this call."""
    if isinstance(numbers, Array):
        if dtype is not None and numbers.dtype != dtype:
            raise TypeError(f"{name}: {np.dtype(dtype)}, not {numbers.dtype}")
        return numbers._memory, numbers.dtype, numbers.shape
    if dtype is not None and np.dtype(dtype).kind in "iu":
        numbers = _whole(numbers, name, np.dtype(dtype))
    host = numbers_of(numbers, name, dtype, "iuf" if dtype is None else "iufV")
    return use.lend(host, type_of(host.dtype)), host.dtype, host.shape


def device_of(device: Optional[Device], *arrays) -> Device:
    """Where a call runs: where its arrays are, else the current device."""
    for candidate in arrays:
        if isinstance(candidate, Array):
            if device is not None and device is not candidate.device:
                raise ValueError("device: an array is on another device")
            return candidate.device
    return current_device(device)


def points(use: Use, positions, name: str = "positions", axes: Tuple[int, ...] = (2, 3)):
    """Positions [n][axes] as weft_points: rows side by side, or, where the array is
    column-major, axis after axis; neither is copied."""
    on_device = isinstance(positions, Array)
    if not on_device:
        columns = isinstance(positions, np.ndarray) and positions.ndim == 2 and \
            positions.flags.f_contiguous and not positions.flags.c_contiguous
        host = floats_of(positions.T if columns else positions, name)
        shape = host.shape[::-1] if columns else host.shape
    else:
        columns, shape = False, positions.shape
        if positions.dtype.kind != "f":
            raise TypeError(f"{name}: floats of 32 or 64 bits, not {positions.dtype}")
    if len(shape) != 2 or shape[1] not in axes:
        wanted = " or ".join(f"(n, {k})" for k in axes)
        raise ValueError(f"{name}: of shape {wanted}, not {tuple(shape)}")
    memory = positions._memory if on_device else use.lend(host, TYPES[host.dtype])
    n = shape[0]
    if columns and n:
        parts = [functions["weft_slice"](use.handle, memory, axis * n, n) for axis in range(shape[1])]
        found = functions["weft_points_separate"](use.handle, *parts, *[NOTHING] * (3 - len(parts)))
    else:
        found = functions["weft_points_interleaved" if shape[1] == 3 else "weft_points_interleaved_2d"](
            use.handle, memory)
    use.check()
    return found


def box_of(box, axes: int = 3):
    """The period of each axis: one number for all, or one for each; None: not periodic."""
    periods = np.zeros(3)
    if box is not None:
        given = floats_of(box, "box")
        if given.shape not in ((), (1,), (axes,)):
            raise ValueError(f"box: one number, or {axes}, not {given.shape}")
        periods[:axes] = given
    return periods
