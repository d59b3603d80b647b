"""The glue of python/glue.h: what the command `weft` has beside the library."""

from __future__ import annotations

import contextlib
import re
import signal
import sys
import threading
import warnings
from ctypes import (CFUNCTYPE, POINTER, Structure, c_char, c_char_p, c_double, c_int, c_int32, c_int64, c_uint,
                    c_uint64, c_void_p)
from typing import Any

from . import _library

_step_type, _note_type = CFUNCTYPE(c_int, c_char_p), CFUNCTYPE(None, c_char_p)
_lock = threading.RLock()


class Snapshot(Structure):
    _fields_ = [("format", c_char * 128), ("length_unit", c_char * 32), ("mass_unit", c_char * 32),
                ("ids_note", c_char * 96), ("n", c_int64), ("parts", c_int64), ("count", c_int64 * 16),
                ("mass", c_double), ("box", c_double * 3), ("redshift", c_double), ("scale_factor", c_double),
                ("h", c_double), ("omega_matter", c_double), ("omega_lambda", c_double),
                ("omega_baryon", c_double), ("periodic", c_int32 * 3), ("bytes", c_int32 * 4),
                ("field", c_void_p * 4)]


class Request(_library.Options):
    _fields_ = [("snapshot", c_char_p), ("given", POINTER(Snapshot)), ("linking_length", c_double),
                ("linking_length_absolute", c_double), ("min_members", c_int64), ("min_friends", c_int64),
                ("periodic", c_char_p), ("box", c_double * 3), ("centers", c_char_p), ("so", c_char_p),
                ("properties", c_char_p), ("types", c_char_p), ("region", c_char_p), ("softening", c_double),
                ("poisson_grid", c_int64), ("poisson_boundary", c_char_p), ("poisson_prove", c_int32),
                ("profiles", c_int32), ("shapes", c_int32),
                ("members", c_int32), ("labels", c_int32), ("subhalos", c_int32), ("memory_limit", c_int64),
                ("assume", c_char_p)]


class Column(Structure):
    _fields_ = [("name", c_char_p), ("unit", c_char_p), ("description", c_char_p), ("type", c_char_p),
                ("data", c_void_p), ("rows", c_int64), ("components", c_int32), ("of", c_int32)]


class About(Structure):
    _fields_ = [("particles", c_int64), ("halos", c_int64), ("members", c_int64), ("labelled", c_int64),
                ("subhalos", c_int64), ("box", c_double * 3), ("linking_length", c_double),
                ("mean_separation", c_double), ("redshift", c_double), ("scale_factor", c_double),
                ("h", c_double), ("omega_matter", c_double), ("omega_lambda", c_double),
                ("profile_edge", c_double * 22), ("periodic", c_int32 * 3), ("columns", c_int32),
                ("subhalo_columns", c_int32), ("ids_from_file", c_int32), ("profile_bins", c_int32),
                ("length_unit", c_char_p), ("mass_unit", c_char_p), ("offset", c_void_p),
                ("member_id", c_void_p), ("member_friends", c_void_p), ("labels", c_void_p),
                ("subhalo_offset", c_void_p), ("subhalo_member_id", c_void_p)]


class Ics(_library.Options):
    _fields_ = [("n", c_int64), ("order", c_int64), ("rows", c_int64), ("seed", c_uint64), ("box", c_double),
                ("redshift", c_double), ("h", c_double), ("omega_matter", c_double), ("omega_baryon", c_double),
                ("n_s", c_double), ("sigma8", c_double), ("table", c_char_p), ("k", c_void_p), ("p", c_void_p),
                ("output", c_char_p), ("fixed", c_int32), ("reserved", c_int32)]


class Forest(Structure):
    _fields_ = [("halos", c_int64), ("trees", c_int64), ("columns", c_int32), ("snapshots", c_int32),
                ("length", c_void_p), ("start", c_void_p), ("redshift", c_void_p), ("kind", c_char_p)]


message = _library.function("weft_python_message", c_char_p, [])
listen = _library.function("weft_python_listen", None, [_step_type, _note_type])
read = _library.function("weft_python_read", c_int, [c_char_p, c_int, c_uint, c_int, POINTER(Snapshot)])
free = _library.function("weft_python_free", None, [POINTER(Snapshot)])
convert = _library.function("weft_python_convert", c_int, [c_char_p, c_char_p, c_char_p, c_int])
halos = _library.function("weft_python_halos", c_void_p, [c_void_p, POINTER(Request), POINTER(c_int)])
about = _library.function("weft_python_about", None, [c_void_p, POINTER(About)])
column = _library.function("weft_python_column", None, [c_void_p, c_int64, POINTER(Column)])
write = _library.function("weft_python_write", c_int, [c_void_p, c_char_p])
halos_free = _library.function("weft_python_halos_free", None, [c_void_p])
ics = _library.function("weft_python_ics", c_int, [c_void_p, POINTER(Ics), POINTER(Snapshot)])
link = _library.function("weft_python_link", c_void_p, [c_void_p, POINTER(c_char_p), c_int, c_int, c_char_p, POINTER(c_int)])
trees_about = _library.function("weft_python_trees_about", None, [c_void_p, POINTER(Forest)])
trees_column = _library.function("weft_python_trees_column", None, [c_void_p, c_int64, POINTER(Column)])
trees_free = _library.function("weft_python_trees_free", None, [c_void_p])


def _in_words_of_python(sentence: str) -> str:
    return re.sub(r"--([a-z][a-z-]*)", lambda option: option.group(1).replace("-", "_"), sentence)


def fail(status: int, fault=OSError):
    """Raises the last sentence: a ValueError where the request was at fault."""
    sentence = _in_words_of_python(message().decode(errors="replace"))
    if sentence.startswith(("out of memory", "no memory")):
        fault = MemoryError
    raise (ValueError if status == 2 else fault)(sentence)


@contextlib.contextmanager
def listening(progress=None, depth: int = 4):
    """One call of the command's code at a time. Notes become warnings at the end, of the caller
    `depth` frames up; ^C ends the call at its next step, and so does an exception of `progress`,
    which hears of each. HDF5 has no threads: where h5py is loaded, its lock is held."""
    notes: list = []
    stopped: list = []
    raised: list = []
    told = ""

    def step(line: bytes) -> int:
        nonlocal told
        text, told_before = line.decode(errors="replace"), told
        told = text
        try:
            if progress is not None and text and text != told_before:
                progress(text)
        except BaseException as exception:
            raised.append(exception)
        return not (stopped or raised)

    previous: Any = None
    if threading.current_thread() is threading.main_thread() and callable(signal.getsignal(signal.SIGINT)):
        previous = signal.signal(signal.SIGINT, lambda *what: stopped.append(what))
    h5py = sys.modules.get("h5py")
    lock = h5py._objects.phil if h5py else contextlib.nullcontext()
    # (Python's handlers of signals run as a step is told.)
    heard = _step_type(step), _note_type(lambda note: notes.append(note.decode(errors="replace")))
    try:
        with _lock, lock:
            listen(*heard)
            try:
                yield notes
            finally:
                listen(_step_type(0), _note_type(0))
    finally:
        if previous:
            signal.signal(signal.SIGINT, previous)
        if stopped:
            previous(*stopped[0])
        if raised:
            exception = raised.pop()  # which refers to here: no cycles
            try:
                raise exception from None
            finally:
                del exception
    for note in notes:
        warnings.warn(_in_words_of_python(note), stacklevel=depth)
