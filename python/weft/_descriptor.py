"""The structs of weft/descriptor.h, as a registration makes them in C."""

import ctypes
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_int, c_int32, c_int64, c_size_t, c_uint32, c_void_p

ROLES = ("value", "in", "optional", "out", "inout", "shared", "bundle")
LEAST = CFUNCTYPE(None, c_int64, POINTER(c_int64))


class Parameter(Structure):
    _fields_ = [("name", c_char_p), ("type_name", c_char_p), ("type", c_uint32), ("role", c_int),
                ("bundle", c_void_p), ("offset", c_size_t)]


class Source(Structure):
    _fields_ = [("file", c_char_p), ("text", c_char_p), ("length", c_size_t)]


class Function(Structure):
    _fields_ = [("name", c_char_p), ("source", POINTER(Source)), ("parameters", POINTER(Parameter)),
                ("count", c_int32), ("least", LEAST), ("comparison", c_char_p), ("compared", c_char_p)]


class Kernel(Structure):
    _fields_ = [("function", Function), ("loop", c_void_p)]


class Generator(Structure):
    _fields_ = [("function", Function), ("type_name", c_char_p), ("type", c_uint32), ("fill", c_void_p)]


class Operator(Structure):
    _fields_ = [("name", c_char_p), ("type_name", c_char_p), ("source", POINTER(Source)), ("type", c_uint32),
                ("identity", c_void_p), ("combine", c_void_p), ("scan", c_void_p), ("lead", c_void_p)]


class Pairs(Structure):
    _fields_ = [("function", Function), ("type_name", c_char_p), ("type", c_uint32), ("initial", c_void_p),
                ("fold", c_void_p)]


# Of each kind: its struct, and which of its members are functions of the host.
KINDS = {"kernel": (Kernel, ("loop",)), "generator": (Generator, ("fill",)),
         "operator": (Operator, ("combine", "scan", "lead")), "pairs": (Pairs, ("fold",))}


class Bundle(Structure):
    _fields_ = [("fields", POINTER(Parameter)), ("count", c_int32), ("least", LEAST)]


def least_of(lengths: list):
    """The least lengths of arrays for a call over n: of each a number, a function of n, or None."""
    def least(n, out):
        for k, length in enumerate(lengths):
            out[k] = n if length is None else length(n) if callable(length) else length

    return LEAST(least)


def table_of(parameters: list):
    """``parameters``: (name, type's name, type, role, bundle or None, offset) of each."""
    return (Parameter * max(len(parameters), 1))(*[
        Parameter(own.encode(), kind.encode(), number, ROLES.index(role),
                  None if bundle is None else ctypes.addressof(bundle), offset)
        for own, kind, number, role, bundle, offset in parameters])
