"""Devices: where arrays lie and calls run."""

from __future__ import annotations

import collections
import contextvars
import os
import threading
import weakref
from typing import Any, List, NamedTuple, Optional

from . import _library
from ._library import Error, functions

_current: contextvars.ContextVar = contextvars.ContextVar("weft_device", default=None)
_default: Optional["Device"] = None
_default_lock = threading.Lock()
_opened: "weakref.WeakSet[Device]" = weakref.WeakSet()


class DeviceInfo(NamedTuple):
    """A device of one of the backends that are built in. Sizes in bytes, 0 where unknown."""

    name: str
    backend: str
    device: str
    memory: int
    compute_units: int
    has_f64: bool
    is_gpu: bool


class MemoryUse(NamedTuple):
    """Bytes in use now, the most so far, and what the device's pool holds."""

    used: int
    peak: int
    held: int


class Device:
    """Opens a device: one thread, all cores, or an OpenCL device.

    ``name`` is ``"serial"``, ``"pthreads"``, ``"pthreads:4"``, ``"opencl"``, ``"opencl:1"`` or
    ``"opencl:NVIDIA"`` (a part of its name), or ``"checking"``; ``None`` is ``$WEFT_BACKEND``,
    else the library's default. In a ``with`` block it is the device of all calls that name
    none. It closes when nothing refers to it any more, or by ``close()``.

    One call at a time runs on a device: others wait. Threads that shall work at the same
    time take a device each. After a fork the child cannot use its parent's devices.

    >>> with weft.Device("serial") as device:
    ...     device.backend
    'serial'
    """

    def __init__(self, name: Optional[str] = None):
        self._lock = threading.RLock()
        self._garbage: Any = collections.deque()
        self._handle = None
        handle = functions["weft_open"](None if name is None else os.fsencode(name))
        if handle is None:
            raise MemoryError("out of memory: a device")
        if functions["weft_check"](handle):
            try:
                _library.raise_error(handle)
            finally:
                functions["weft_close"](handle)
        self._handle = handle
        #: The backend: serial, pthreads, opencl or checking.
        self.backend: str = functions["weft_backend_name"](handle).decode()
        #: The device's name: "2 threads", "NVIDIA H200 (NVIDIA CUDA)".
        self.name: str = functions["weft_device_name"](handle).decode()
        #: Whether arrays lie in the memory of the host.
        self.is_host: bool = self.backend != "opencl"
        _opened.add(self)

    def __enter__(self) -> "Device":
        _current.set((self, _current.get()))
        return self

    def __exit__(self, *exception) -> None:
        _current.set(_current.get()[1])

    def __repr__(self) -> str:
        return f"<weft.Device {self.backend}: {self.name}>"

    def __del__(self):
        if getattr(self, "_handle", None):
            functions["weft_close"](self._handle)

    def close(self) -> None:
        """Frees all that lies on the device. Later calls on it raise ``weft.Error``."""
        with self._lock:
            handle, self._handle = self._handle, None
            if handle:
                functions["weft_close"](handle)

    @property
    def memory(self) -> MemoryUse:
        """What arrays use; memory that is lent to a call is not counted."""
        with Use(self) as use:
            memory = functions["weft_memory_use"](use.handle)
        return MemoryUse(memory.used, memory.peak, memory.held)

    def trim(self) -> None:
        """Gives back to the system what the pool holds and nothing uses."""
        with Use(self) as use:
            functions["weft_memory_trim"](use.handle)


class Use:
    """A device for one call: nobody else has it meanwhile, what is lent is taken back at the
    end, and what failed becomes an exception."""

    __slots__ = ("device", "handle", "_lent", "_made")

    def __init__(self, device: Device):
        self.device = device
        self._lent: list = []
        self._made: list = []

    def __enter__(self) -> "Use":
        device = self.device
        device._lock.acquire()
        self.handle = device._handle
        if self.handle is None:
            device._lock.release()
            raise Error("the device is closed, or was opened before a fork")
        while device._garbage:
            functions["weft_array_free"](self.handle, device._garbage.popleft())
        return self

    def __exit__(self, kind, exception, trace) -> None:
        try:
            for array, _ in self._lent:
                functions["weft_return"](self.handle, array)
            for array in self._made:
                functions["weft_array_free"](self.handle, array)
            if kind is None and functions["weft_check"](self.handle):
                _library.raise_error(self.handle)
            functions["weft_clear"](self.handle)
        finally:
            self.device._lock.release()

    def call(self, name: str, *arguments) -> None:
        """A call of the library; its error is kept for the end, as the device does."""
        functions[name](self.handle, *arguments)

    def check(self) -> None:
        """Raises what failed so far."""
        if functions["weft_check"](self.handle):
            _library.raise_error(self.handle)

    def lend(self, numbers, type_of: int) -> _library.Array:
        """A contiguous NumPy array, as it lies, until the end of the call; read only."""
        array = functions["weft_borrow_const"](self.handle, type_of, numbers.ctypes.data, numbers.size)
        self._lent.append((array, numbers))  # which live as long
        return array

    def lend_out(self, numbers, type_of: int) -> _library.Array:
        """The same, to be written."""
        array = functions["weft_borrow"](self.handle, type_of, numbers.ctypes.data, numbers.size)
        self._lent.append((array, numbers))  # which live as long
        return array

    def new(self, type_of: int, length: int) -> _library.Array:
        """A new array that is freed at the end of the call."""
        array = functions["weft_array_new"](self.handle, type_of, length)
        self._made.append(array)
        return array

    def keep(self, array: _library.Array) -> None:
        """The array outlives the call."""
        self._made = [made for made in self._made if made is not array]

    def read(self, array: _library.Array, numbers) -> None:
        """All of an array, into contiguous NumPy memory."""
        if array.length:
            functions["weft_read"](self.handle, array, numbers.ctypes.data)


def current_device(device: Optional[Device] = None) -> Device:
    """The device of calls that name none: that of the innermost ``with weft.Device(...)``,
    else one that is opened as ``weft.Device()`` when it is first needed and shared by all
    threads.

    >>> with weft.Device("serial") as device:
    ...     weft.current_device() is device
    True
    """
    global _default
    if device is not None:
        if not isinstance(device, Device):
            raise TypeError(f"device: a weft.Device, not {type(device).__name__}")
        return device
    entered = _current.get()
    if entered is not None:
        return entered[0]
    if _default is None:
        with _default_lock:
            if _default is None:
                _default = Device()
    return _default


def devices() -> List[DeviceInfo]:
    """All devices of the backends that are built in; ``weft.Device(info.name)`` opens one.

    >>> len(weft.devices()) > 0
    True
    """
    count = functions["weft_devices"](None, 0)
    found = (_library.DeviceInfo * max(count, 1))()
    count = min(count, functions["weft_devices"](found, count))
    infos = []
    for info in found[:count]:
        backend = info.backend.decode()
        name = f"opencl:{info.number}" if backend == "opencl" else backend
        infos.append(DeviceInfo(name, backend, info.name.decode(errors="replace"), info.memory,
                                info.compute_units, bool(info.has_f64), bool(info.is_gpu)))
    return infos


def _after_fork() -> None:
    """The threads and locks of the parent's devices are not there."""
    global _default, _default_lock
    for device in list(_opened):
        device._handle = None
        device._lock = threading.RLock()
    _default, _default_lock = None, threading.Lock()


os.register_at_fork(after_in_child=_after_fork)
