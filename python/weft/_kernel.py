"""Kernels written in Python: C functions, compiled where they run."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Mapping
from typing import Any, Callable, Dict, Iterable, Iterator, Literal, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from . import _compile, _descriptor, _library
from ._arrays import Answer, Array, Numbers, device_of, output_of, place, type_of, unmasked
from ._declaration import Parameter, declaration
from ._device import Device, Use, devices
from ._library import Error, functions

_ROOM = ctypes.sizeof(_library.Array)  # of an argument; no value that is usual is larger


class _Place(NamedTuple):
    """Where the argument of a parameter is in the struct of all; fields from a bundle's own place."""

    parameter: Parameter
    dtype: Any
    offset: int
    fields: Tuple["_Place", ...] = ()


def _lay(parameters, dtypes) -> Tuple[Tuple[_Place, ...], int]:
    """Places one after another, and how many bytes they are."""
    places, size = [], 0
    for p in parameters:
        if p.role == "bundle":
            fields, own = _lay(p.fields, dtypes)
            kinds = [(f.name, dtypes[f.type] if f.role == "value" else np.dtype("u8")) for f in p.fields]
            places.append(_Place(p, np.dtype(kinds, align=True), size, fields))
        else:
            dtype = dtypes[p.type]
            places.append(_Place(p, dtype, size))
            own = max(_ROOM, -(-dtype.itemsize // 16) * 16) if p.role == "value" else _ROOM
        size += own
    return tuple(places), size


def _each(named: Iterable[Any]) -> Iterator[Any]:
    """Arguments, those of bundles in their place."""
    for given in named:
        yield from _each(given.values()) if isinstance(given, Mapping) else (given,)


def _literal(value) -> str:
    """A number, or a struct of numbers and arrays of them, as C's initializer."""
    if value.dtype.names:
        return "{" + ", ".join(_literal(value[name]) for name in value.dtype.names) + "}"
    if value.ndim:
        return "{" + ", ".join(map(_literal, value)) + "}"
    if value.dtype.kind != "f":
        return f"{value}ull" if value.dtype.kind == "u" else f"({int(value) + 1}ll - 1)"
    if not np.isfinite(value):
        return "NAN" if np.isnan(value) else "INFINITY" if value > 0 else "-INFINITY"
    return float(value).hex() + ("f" if value.dtype.itemsize == 4 else "")


def _number(value, dtype, name: str):
    """A value as one of its type, which must be able to hold it."""
    try:
        number = np.array(value, dtype)
        same = dtype.kind not in "iu" or int(number) == value
    except (TypeError, ValueError, OverflowError):
        same = False
    if not same or number.shape != ():
        raise ValueError(f"{name}: {value!r} is no {dtype}")
    return number


def _refuse_other(given, dtype, what: str, casting: Literal["no", "safe"] = "no") -> None:
    """Numbers that have a type must have this one, or may be cast to it. Those of lists have none."""
    if isinstance(given, memoryview) or hasattr(given, "__array_interface__"):
        own = np.asarray(given).dtype
        if not np.can_cast(own, dtype, casting):
            raise TypeError(f"{what}: {dtype}, not {own}")


def _words(p: Parameter) -> str:
    """As a registration has it."""
    return f"({p.role}, {p.type}, {p.name})"


class Lazy:
    """An array that a generator computes as it is read, for operators."""

    def __init__(self, generator: "Kernel", n: int, named: dict):
        self.generator, self.n, self.named = generator, n, named


class Kernel:
    """A C function that calls run on devices; ``weft.kernel`` makes it."""

    def __init__(self, text: str, roles: dict, start, lengths, where):
        told = self._told = declaration(text, roles)
        self.name, self.kind = told.name, told.kind
        self.__name__ = told.name
        self._text, self._place = text, _compile.Place(told.name, text, *where)
        self._embedded = _compile.embed(told.name, text, self._place)
        self._lengths: Dict[str, Any] = lengths or {}
        for unknown in set(self._lengths) - set(told.arrays()):
            raise ValueError(f"{told.name}: lengths: there is no array {unknown}")
        self.dtype: Optional[np.dtype] = told.dtypes.get(told.result)
        if (told.kind in ("operator", "pairs")) != (start is not None):
            raise ValueError(f"{told.name}: operators have an identity, pairs an initial value, others neither")
        self._start: Any = None if start is None else _number(start, self.dtype, f"{told.name}: start")
        self._host_is_there = False
        self._made: Any = None
        self._describe()

    def __repr__(self) -> str:
        return f"<weft.kernel {self.name}: a {self.kind} of {', '.join(p.name for p in self._told.parameters)}>"

    def _describe(self) -> None:
        """What the library knows a function by. It lives as long as the process: programs are
        found by its address."""
        told, name = self._told, self.name.encode()
        carried = _compile.carried(self._embedded)
        source = self._source = _descriptor.Source(name + b".kernel.h", carried, len(carried))
        self._places, size = _lay(told.parameters, told.dtypes)
        self._size = max(size, 1)
        self._kept: list = []  # what the library reads, and no struct refers to for Python
        if self.kind == "operator":
            self._made = _descriptor.Operator(name, told.result.encode(), ctypes.pointer(source), type_of(self.dtype),
                                              self._start.ctypes.data)
            return
        table = self._table(self._places)
        least = _descriptor.least_of([self._lengths.get(p.name) for p in told.parameters])
        function = _descriptor.Function(name, ctypes.pointer(source), table, len(self._places), least)
        if self.kind == "kernel":
            self._made = _descriptor.Kernel(function)
        else:
            self._made = _descriptor.KINDS[self.kind][0](function, told.result.encode(), type_of(self.dtype))
        if self.kind == "pairs":
            self._made.initial = self._start.ctypes.data

    def _table(self, places):
        """Descriptors of parameters, or of the fields of a bundle."""
        rows = []
        for p, dtype, offset, fields in places:
            made = None
            if p.role == "bundle":
                least = _descriptor.least_of([self._lengths.get(f"{p.type}.{field.name}") for field in p.fields])
                made = _descriptor.Bundle(self._table(fields), len(fields), least)
                self._kept.append(made)
            rows.append((p.name, p.type, type_of(dtype), p.role, made, offset))
        return _descriptor.table_of(rows)

    def _registration(self) -> str:
        told = self._told
        first = {"kernel": "", "generator": told.result, "operator": told.result, "pairs": told.result}[told.kind]
        start = "" if self._start is None else _literal(self._start[()])
        bundles = {p.type: p.fields for p in told.parameters if p.role == "bundle"}
        lines = [f"WEFT_BUNDLE({', '.join([kind, *map(_words, fields)])})\n" for kind, fields in bundles.items()]
        words = [told.name, first, start, *map(_words, told.parameters)]
        return ("#include <weft/register.h>\n#include <weft/kernel.h>\n#include \"{0}.kernel.h\"\n" + "".join(lines) +
                "WEFT_{1}({2})\nWEFT_API const void *weft_python_made(void);\n"
                "const void *weft_python_made(void) {{\n    return &{0}_{3};\n}}\n").format(
                    told.name, told.kind.upper(), ", ".join(filter(None, words)), told.kind)

    def _ready(self, device: Device) -> None:
        """Sees to loops of the host. Where there is no compiler, devices of OpenCL do without."""
        if self._host_is_there:
            return
        if not device.is_host and _compile.compiler() is None and all(
                info.has_f64 for info in devices() if info.backend == "opencl"):
            return
        loaded = _compile.load(self.name, self._text, self._embedded, self._registration(), self._place)
        loaded.weft_python_made.restype = ctypes.c_void_p
        struct, members = _descriptor.KINDS[self.kind]
        there = struct.from_address(loaded.weft_python_made())
        if self.kind != "operator":
            for (p, dtype, *_), own in zip(self._places, there.function.parameters or ()):
                if own.type != type_of(dtype):
                    raise Error(f"{self.name}: {p.type} has {own.type & 0xffffff} bytes in C, not {dtype.itemsize}")
        for member in members:
            setattr(self._made, member, getattr(there, member))
        self._loaded, self._host_is_there = loaded, True

    def _arguments(self, use: Use, named: Mapping):
        """The argument struct. What it points to is lent for the call."""
        memory = ctypes.create_string_buffer(self._size)
        self._fill(use, ctypes.addressof(memory), self._places, named, "")
        return memory

    def _fill(self, use: Use, memory: int, places, named: Mapping, bundle: str) -> None:
        """Arguments into their places; `bundle` is the name of theirs and a point."""
        for p, dtype, offset, fields in places:
            what, given = f"{self.name}: {bundle}{p.name}", named.get(p.name)
            if given is None:
                if p.role != "optional":
                    raise TypeError(f"{self.name}: '{bundle}{p.name}' is missing")
            elif p.role == "bundle":
                if not isinstance(given, Mapping):
                    raise TypeError(f"{what}: a dict of what {p.type} has, not {type(given).__name__}")
                self._fill(use, memory + offset, fields, given, p.name + ".")
            elif p.role == "value":
                number = _number(given, dtype, what)
                ctypes.memmove(memory + offset, number.ctypes.data, dtype.itemsize)
            else:
                there = self._lend(use, p, dtype, given, what)
                ctypes.memmove(memory + offset, ctypes.byref(there), _ROOM)
        for unknown in set(named) - {p.name for p, *_ in places}:
            raise TypeError(f"{self.name}: there is no parameter '{bundle}{unknown}'")

    def _lend(self, use: Use, p: Parameter, dtype, given, what: str) -> _library.Array:
        if p.role in ("in", "optional") or isinstance(given, Array):
            _refuse_other(given, dtype, what)
            return place(use, given, what, dtype)[0]
        given = unmasked(given, what)
        if not isinstance(given, np.ndarray) or given.dtype != dtype or not given.flags.carray:
            raise TypeError(f"{what}: a C-contiguous, writable NumPy array of {dtype}, or a weft.Array, is written to")
        return use.lend_out(given, type_of(dtype))

    def _run(self, device, arrays, work: Callable):
        """What work gives, on the device of the arrays."""
        device = device_of(device, *_each(arrays))
        self._ready(device)
        try:
            with Use(device) as use:
                return work(use)
        except Error as error:
            raise Error(self._place.true(str(error))) from None

    def lazy(self, n: int, **named: Any) -> Lazy:
        """Of a generator: its n elements, computed as an operator reads them."""
        if self.kind != "generator":
            raise TypeError(f"{self.name}: a {self.kind}, not a generator")
        return Lazy(self, n, named)

    def _input(self, use: Use, numbers, keep: list):
        """Numbers, an array or a lazy one, as an input of an operator."""
        if not isinstance(numbers, Lazy):
            if self.dtype.kind == "f":  # (Whole numbers are looked at one by one.)
                _refuse_other(numbers, self.dtype, f"{self.name}: numbers", "safe")
            return place(use, numbers, f"{self.name}: numbers", self.dtype)[0]
        keep.append(numbers.generator._arguments(use, numbers.named))
        return functions["weft_lazy_array"](numbers.n, ctypes.addressof(numbers.generator._made),
                                            ctypes.addressof(keep[-1]))

    def _operate(self, numbers, device, work: Callable):
        if self.kind != "operator":
            raise TypeError(f"{self.name}: a {self.kind}, not an operator")
        arrays = tuple(_each(numbers.named.values())) if isinstance(numbers, Lazy) else (numbers,)
        if isinstance(numbers, Lazy):
            numbers.generator._ready(device_of(device, *arrays))
        keep: list = []
        return self._run(device, arrays, lambda use: work(use, self._input(use, numbers, keep), arrays))

    def reduce(self, numbers: Union[Numbers, Lazy], device: Optional[Device] = None) -> Any:
        """Of an operator: all numbers combined; its identity where there are none."""
        def work(use, there, _):
            result = np.empty((), self.dtype)
            use.call("weft_reduce", there, ctypes.addressof(self._made), result.ctypes.data)
            use.check()
            return result[()]
        return self._operate(numbers, device, work)

    def scan(self, numbers: Union[Numbers, Lazy], exclusive: bool = False,
             device: Optional[Device] = None) -> Answer:
        """Of an operator: what the numbers up to each come to, or, exclusive, those before it."""
        def work(use, there, arrays):
            result, out = output_of(use, (there.length,), self.dtype,
                                    any(isinstance(given, Array) for given in arrays))
            use.call("weft_scan", there, ctypes.addressof(self._made), int(exclusive), out)
            use.check()
            return result
        return self._operate(numbers, device, work)

    def __call__(self, over: Union[int, Numbers], /, *, device: Optional[Device] = None,
                 **named: Any) -> Optional[Answer]:
        """Runs it: a kernel for i = 0 .. over - 1; a generator, for its elements 0 .. over - 1;
        pairs, within segments whose offsets are ``over``, for one result a point."""
        if self.kind == "operator":
            raise TypeError(f"{self.name}: an operator has reduce() and scan()")
        on_device = any(isinstance(given, Array) for given in _each(named.values()))
        made = ctypes.addressof(self._made)

        def launch(use):
            arguments = self._arguments(use, named)
            use.call("weft_launch", over, made, ctypes.addressof(arguments))
            use.check()

        def generate(use):
            arguments = self._arguments(use, named)
            result, out = output_of(use, (over,), self.dtype, on_device)
            use.call("weft_copy", functions["weft_lazy_array"](over, made, ctypes.addressof(arguments)), out)
            use.check()
            return result

        def fold(use):
            arguments = self._arguments(use, named)
            points = _library.Array.from_buffer(arguments, self._places[0].offset).length
            result, out = output_of(use, (points,), self.dtype, on_device)
            use.call("weft_fill", out, self._start.ctypes.data)
            use.call("weft_fold_pairs", place(use, over, f"{self.name}: offsets", np.dtype("i8"))[0], out, made,
                     ctypes.addressof(arguments))
            use.check()
            return result

        return self._run(device, named.values(), {"kernel": launch, "generator": generate, "pairs": fold}[self.kind])


_made: Dict[Any, Kernel] = {}


Names = Union[str, Sequence[str]]


def _names(given: Names) -> list:
    return given.replace(",", " ").split() if isinstance(given, str) else list(given)


def kernel(text: str, *, identity: Any = None, initial: Any = None, out: Names = (), shared: Names = (),
           optional: Names = (), lengths: Optional[Dict[str, Union[int, Callable[[int], int]]]] = None) -> Kernel:
    """A C function as something to call, on every backend: docs/guide.md has the language.

    text : the function, after what it uses; their names begin with its name. One of
        ``void f(index_t i, ...)``, a kernel: ``f(n, x=...)`` runs it for i = 0 .. n - 1;
        ``T f(index_t i, ...)``, a generator: ``f(n, x=...)`` gives (n,) results;
        ``T f(T a, T b)``, an associative operator: ``f.reduce(x)``, ``f.scan(x)``, whose inputs
        may be ``generator.lazy(n, ...)``;
        ``A f(A sum, T p, T q, ...)``, pairs: ``f(offsets, p=x)`` gives (n,) folds over the segment of each
    identity : of an operator, what changes nothing
    initial : of pairs, what each fold begins with
    out, shared, optional : names of arrays that are written and never read, that several i
        touch by atomic functions, that may be None. Others are read where they are ``const``,
        and read and written where not
    lengths : of arrays that are not of n elements, how many they have at least: a number, or a
        function of n

    A struct with arrays, ``typedef struct tree { GLOBAL const f32 *mass; u32 leaves; } tree;``, is
    a bundle: its parameter ``t`` is given as ``t={"mass": x, "leaves": 3}``, and ``out``,
    ``lengths`` and the others name its arrays by its type, ``"tree.mass"``.

    Arrays are named. NumPy arrays are lent, and written in place; their types are those of the
    text. A struct of the text is a structured dtype with the same members, aligned. Hosts need a
    C compiler (``$CC``, cc, gcc or clang); what it makes is kept in the cache of programs.
    Errors of compilers are ``weft.Error`` with the line of the text.

    >>> scale = weft.kernel("void scale(index_t i, f32 a, GLOBAL f32 *x) { x[i] *= a; }")
    >>> x = weft.array([1, 2, 3], "f4")
    >>> scale(3, a=2, x=x)
    >>> x.numpy()
    array([2., 4., 6.], dtype=float32)
    """
    roles = {name: role for role, names in (("out", out), ("shared", shared), ("optional", optional))
             for name in _names(names)}
    start = identity if identity is not None else initial
    caller = sys._getframe(1)
    key = (text, tuple(sorted(roles.items())), repr(start), repr(lengths), caller.f_code.co_filename)
    if key not in _made:
        _made[key] = Kernel(text, roles, start, lengths, (caller.f_code.co_filename, caller.f_globals))
    return _made[key]
