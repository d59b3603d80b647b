"""The C library as ctypes sees it: structs, calls, and errors as exceptions.

Sizes and places of members are those of the public headers; tests/python/test_weft.py
holds them to the recorded surface, tests/layers/abi.txt.
"""

import ctypes
import os
from ctypes import (POINTER, Structure, c_char, c_char_p, c_double, c_int, c_int32, c_int64, c_uint8, c_uint32,
                    c_uint64, c_void_p)
from typing import Any, Dict, List, Tuple

_library = ctypes.CDLL(os.path.join(os.path.dirname(os.path.abspath(__file__)), "_weft.so"))


class Error(RuntimeError):
    """What the library says of a device, a kernel's compiler, or a check that failed.

    Other faults are ``ValueError`` (a value or a length), ``TypeError`` (an array of another
    type of elements), ``MemoryError`` and ``OSError`` (files)."""


# weft_status: what each is in Python.
_EXCEPTIONS = {1: ValueError, 2: TypeError, 3: ValueError, 4: MemoryError, 5: Error, 6: Error, 7: Error, 8: Error, 9: Error}


class Array(Structure):
    _fields_ = [("buffer", c_void_p), ("first", c_int64), ("length", c_int64), ("type", c_uint32),
                ("read_only_turn", c_uint32), ("generator", c_void_p), ("arguments", c_void_p)]


class Points(Structure):
    _fields_ = [("x", Array), ("y", Array), ("z", Array), ("stride", c_int64), ("count", c_int64)]


class Bodies(Structure):
    _fields_ = [("points", Points), ("velocity", Array), ("mass", Array), ("particle_mass", c_double),
                ("box", c_double * 3), ("reserved", Array * 4)]


class Options(Structure):
    """A struct whose whole numbers are those that were given: ctypes cuts off what does not fit."""

    def __setattr__(self, name, value):
        super().__setattr__(name, value)
        if hasattr(value, "__index__") and getattr(self, name) != value:
            raise ValueError(f"{name}: {value} does not fit 64 bits")


class FofOptions(Options):
    _fields_ = [("linking_length", c_double), ("box", c_double * 3), ("min_friends", c_int64),
                ("reserved", c_uint64 * 6)]


class DbscanOptions(Options):
    _fields_ = [("eps", c_double), ("min_points", c_int64), ("box", c_double * 3), ("core_only", c_int32),
                ("borders_apart", c_int64), ("reserved", c_uint64 * 5)]


class NearestOptions(Options):
    _fields_ = [("length", c_double), ("box", c_double * 3), ("id", Array), ("reserved", c_uint64 * 6)]


class NeighboursOptions(Options):
    _fields_ = [("count", c_int64), ("box", c_double * 3), ("reserved", c_uint64 * 6)]


class Halos(Structure):
    _fields_ = [("count", c_int64), ("members", c_int64), ("tag", Array), ("offset", Array), ("member", Array)]


class HaloProperties(Structure):
    _fields_ = [(name, Array) for name in ("mass", "center_of_mass", "radius_max", "wraps", "velocity",
                                           "dispersion")] + [("reserved", Array * 8)]


class MbpOptions(Options):
    _fields_ = [("softening", c_double), ("all_pairs", c_int64), ("reserved", c_uint64 * 6)]


class PoissonOptions(Options):
    _fields_ = [("softening", c_double), ("grid", c_int64), ("boundary", c_int), ("reserved", c_uint64 * 6)]


class SoOptions(Options):
    _fields_ = [("densities", c_int64), ("density", c_double * 16), ("id", Array), ("guess", Array),
                ("cells", c_void_p), ("part", c_void_p), ("keep", c_int64), ("reserved", c_uint64 * 6)]


class SoSpheres(Structure):
    _fields_ = [("centers", c_int64), ("densities", c_int64), ("count", Array), ("mass", Array),
                ("radius", Array), ("kept", Array * 3), ("particles", c_int64),
                ("reserved", c_uint64 * 5)]


class SoMeasures(Structure):
    _fields_ = [("threshold", c_int64), ("gravity", c_double), ("softening", c_double),
                ("hubble", c_double), ("reserved", c_uint64 * 7)]


class SoProperties(Structure):
    _fields_ = [(name, Array) for name in (
        "vmax", "rmax", "concentration_vmax", "concentration_r1", "concentration_nfw",
        "concentration_nfw_error", "half_mass_radius", "shape", "shape_axes", "center_of_mass",
        "offset_position", "potential_energy", "spin_bullock", "angular_momentum", "velocity",
        "velocity_dispersion_tensor", "offset_velocity", "kinetic_energy", "bound_fraction",
        "spin_peebles", "shape_reduced", "shape_reduced_axes")] + [("reserved", Array * 6)]


class ProfilesOptions(Options):
    _fields_ = [("bins", c_int64), ("edge", c_double * 129), ("radius", Array), ("velocity", Array),
                ("reserved", c_uint64 * 8)]


class Profiles(Structure):
    _fields_ = [("centers", c_int64), ("bins", c_int64), ("count", Array), ("mass", Array), ("density", Array),
                ("radial_velocity", Array), ("velocity_dispersion", Array), ("reserved", Array * 4)]


class Lattice(Structure):
    _fields_ = [("n", c_int64 * 3), ("box", c_double * 3), ("particle", Array), ("position", Array),
                ("separation", c_double), ("boxes", Array), ("reserved", c_uint64 * 2)]


class SheetOptions(Options):
    _fields_ = [("grid", c_int64 * 3), ("tessellation", c_int), ("first", c_int64 * 3), ("count", c_int64 * 3),
                ("begin", c_int64), ("end", c_int64), ("units", c_int64), ("reserved", c_uint64 * 7)]


class PowerOptions(Options):
    _fields_ = [("n", c_int64 * 3), ("box", c_double * 3), ("window", c_int), ("plain", c_int32),
                ("slab", c_void_p), ("reserved", c_uint64 * 7)]


class LinksGroups(Structure):
    _fields_ = [("count", c_int64), ("members", c_int64), ("offset", Array), ("id", Array), ("tag", Array),
                ("rank", Array), ("reserved", Array * 3)]


class DeviceInfo(Structure):
    _fields_ = [("backend", c_char * 16), ("name", c_char * 128), ("platform", c_char * 96),
                ("driver", c_char * 96), ("number", c_int64), ("memory", c_uint64),
                ("largest_allocation", c_uint64), ("local_memory", c_uint64), ("compute_units", c_uint32),
                ("largest_group", c_uint32), ("has_f64", c_uint8), ("has_u64_atomics", c_uint8),
                ("is_gpu", c_uint8), ("is_default", c_uint8), ("reserved", c_uint64 * 16)]


class Memory(Structure):
    _fields_ = [("used", c_uint64), ("peak", c_uint64), ("held", c_uint64), ("reserved", c_uint64 * 5)]


class Cosmology(Structure):
    _fields_ = [("h", c_double), ("omega_matter", c_double), ("omega_lambda", c_double),
                ("omega_radiation", c_double), ("reserved", c_double * 4)]


_device, _text, _any = c_void_p, c_char_p, c_void_p
_i64, _f64, _u32 = c_int64, c_double, c_uint32


def _of(struct):
    return POINTER(struct)


# Calls that return a status, and what they take after the device.
STATUS: Dict[str, List[Any]] = {
    "weft_synchronize": [], "weft_return": [Array], "weft_write": [Array, _any], "weft_read": [Array, _any],
    "weft_fof": [_of(Points), _of(FofOptions), Array],
    "weft_friends_count": [_of(Points), _of(FofOptions), _any, Array],
    "weft_dbscan": [_of(Points), _of(DbscanOptions), Array],
    "weft_nearest": [_of(Points), _of(NearestOptions), Array, Array],
    "weft_neighbours": [_of(Points), _of(NeighboursOptions), _of(Halos), Array, Array],
    "weft_halos_group": [Array, Array, _i64, _of(Halos)], "weft_halos_labels": [_of(Halos), Array],
    "weft_halos_measure": [_of(Bodies), _of(Halos), _of(HaloProperties)],
    "weft_mbp": [_of(Bodies), _of(MbpOptions), _of(Halos), Array, Array],
    "weft_potential": [_of(Bodies), _of(MbpOptions), _of(Halos), _f64, Array],
    "weft_mcp": [_of(Points), _of(FofOptions), _any, _of(Halos), Array, Array],
    "weft_poisson": [_of(Bodies), _of(PoissonOptions), _of(Halos), Array, Array],
    "weft_so": [_of(Bodies), _of(Points), _of(SoOptions), _of(SoSpheres)],
    "weft_so_measure": [_of(Bodies), _of(Points), _of(SoOptions), _of(SoSpheres), _of(SoMeasures),
                        _of(SoProperties)],
    "weft_profiles_measure": [_of(Bodies), _of(Points), _of(SoOptions), _of(ProfilesOptions), _of(Profiles)],
    "weft_lattice_find": [_of(Points), Array, _any, POINTER(c_double), _of(Lattice)],
    "weft_sheet_deposit": [_of(Lattice), _of(SheetOptions), Array],
    "weft_fourier_transform": [POINTER(c_int64), c_int, Array, Array],
    "weft_power_particles": [_of(Points), Array, _of(PowerOptions), _any, _any, _any, POINTER(c_double)],
    "weft_power_density": [Array, _of(PowerOptions), _any, _any, _any],
    "weft_links": [_of(LinksGroups), _of(LinksGroups), Array, Array, Array],
    "weft_cosmology_density": [_of(Cosmology), _f64, _text, POINTER(c_double)],
    "weft_sort": [Array, c_int], "weft_sort_by_key": [Array, Array, c_int],
    "weft_lower_bound": [Array, Array, Array], "weft_upper_bound": [Array, Array, Array],
    "weft_scan": [Array, _any, _u32, Array], "weft_reduce": [Array, _any, _any],
    "weft_reduce_segments": [Array, Array, _any, Array],
    "weft_unique": [Array, Array, POINTER(c_int64)],
    "weft_run_length_encode": [Array, Array, Array, POINTER(c_int64)],
    "weft_histogram": [Array, Array], "weft_histogram_ranges": [Array, Array, Array],
    "weft_max_element": [Array, POINTER(c_int64)],
    "weft_copy": [Array, Array], "weft_fill": [Array, _any], "weft_sequence": [Array, _any, _any],
    "weft_gather": [Array, Array, Array], "weft_launch": [_i64, _any, _any],
    "weft_fold_pairs": [Array, Array, _any, _any],
}

# All others: what they return, and all that they take.
OTHERS: Dict[str, Tuple[Any, List[Any]]] = {
    "weft_open": (_device, [_text]), "weft_close": (None, [_device]), "weft_check": (c_int, [_device]),
    "weft_error": (_text, [_device]), "weft_clear": (None, [_device]), "weft_version": (_text, []),
    "weft_backend_name": (_text, [_device]), "weft_device_name": (_text, [_device]),
    "weft_devices": (_i64, [_of(DeviceInfo), _i64]),
    "weft_array_new": (Array, [_device, _u32, _i64]), "weft_array_free": (None, [_device, Array]),
    "weft_borrow": (Array, [_device, _u32, _any, _i64]),
    "weft_borrow_const": (Array, [_device, _u32, _any, _i64]),
    "weft_slice": (Array, [_device, Array, _i64, _i64]), "weft_address": (_any, [_device, Array]),
    "weft_memory_use": (Memory, [_device]), "weft_memory_trim": (None, [_device]),
    "weft_memory_reset_peak": (None, [_device]),
    "weft_points_interleaved": (Points, [_device, Array]),
    "weft_points_interleaved_2d": (Points, [_device, Array]),
    "weft_points_separate": (Points, [_device, Array, Array, Array]),
    "weft_halos_free": (None, [_device, _of(Halos)]),
    "weft_halo_properties_free": (None, [_device, _of(HaloProperties)]),
    "weft_so_free": (None, [_device, _of(SoSpheres)]),
    "weft_so_properties_free": (None, [_device, _of(SoProperties)]),
    "weft_profiles_free": (None, [_device, _of(Profiles)]),
    "weft_lattice_free": (None, [_device, _of(Lattice)]),
    "weft_sheet_tetrahedra": (_i64, [_of(Lattice), c_int]), "weft_sheet_units": (_i64, [_of(Lattice), c_int]),
    "weft_power_shells": (_i64, [_of(PowerOptions)]), "weft_fourier_side": (_i64, [_i64]),
    "weft_plus": (_any, [_u32]), "weft_lazy_array": (Array, [_i64, _any, _any]),
}


def _declare(name: str, result: Any, arguments: Any) -> Any:
    function = getattr(_library, name)
    function.restype = result
    function.argtypes = arguments
    return function


functions = {name: _declare(name, c_int, [_device] + arguments) for name, arguments in STATUS.items()}
functions.update((name, _declare(name, result, arguments)) for name, (result, arguments) in OTHERS.items())


def function(name, result, arguments):
    """A call of the glue (python/glue.h)."""
    return _declare(name, result, arguments)


def message_of(device):
    return functions["weft_error"](device).decode(errors="replace")


def raise_error(device):
    """Raises what the device keeps, and clears it."""
    status = functions["weft_check"](device)
    sentence = message_of(device)
    functions["weft_clear"](device)
    raise _EXCEPTIONS.get(status, Error)(sentence)
