"""usage: test_arrays.py BUILD/python: arrays of devices; what is copied, kept and refused; calls of two threads at once."""

import os
import shlex
import sys
import threading
import tracemalloc
import warnings

import numpy as np

from support import raises

sys.path.insert(0, sys.argv[1])
sys.modules["sklearn"] = None  # whose import takes most of the time; test_dbscan.py has it
import weft  # noqa: E402
from weft import _compile  # noqa: E402


def same(given, expected):
    """That it is on the device, and what it is there."""
    assert isinstance(given, weft.Array), given
    assert given.dtype == expected.dtype and given.shape == expected.shape and (given.numpy() == expected).all()


def stays(is_host):
    """What primitives give of arrays of a device is there, too."""
    rng = np.random.default_rng(1)
    for n in (0, 1, 500):
        x, k = rng.random(n), rng.integers(0, 9, n).astype("u4")
        on, bins, offsets = weft.array(x), weft.array(k), [0, n // 2, n]
        same(weft.cumsum(bins), k.cumsum(dtype="u4"))
        if not is_host:  # whose programs take long to compile
            continue
        same(weft.segmented_sum(bins, offsets), np.array([k[:n // 2].sum(), k[n // 2:].sum()], "u4"))
        same(weft.sort(on), np.sort(x))
        same(weft.argsort(on), np.argsort(x, kind="stable"))
        same(weft.unique(bins), np.unique(k))
        same(weft.bincount(bins, 4), np.bincount(k, minlength=4))
        same(weft.histogram(on, [0, 0.25, 1]), np.histogram(x, [0, 0.25, 1])[0])
        same(weft.searchsorted(weft.sort(on), x, "right"), np.searchsorted(np.sort(x), x, "right"))
        same(on[n // 3:], x[n // 3:])
        same(weft.sort(on[1:][1:]), np.sort(x[2:]))
        assert (on.numpy() == x).all()  # as it was


def shares(is_host):
    x = weft.array(np.arange(6.0).reshape(3, 2))
    assert np.asarray(x).sum() == 15 and np.asarray(x, "f4").dtype == np.float32
    raises(ValueError, "step 1", lambda: x[::2])
    raises(TypeError, "slices", lambda: x[0])
    raises(ValueError, "view()", x.__array__, copy=False)
    assert x.__dlpack_device__() == (1, 0)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        other = np.from_dlpack(x[1:])
    assert (other == [[2, 3], [4, 5]]).all() and len(told) == (not is_host)
    if is_host:
        x.view()[1, 0] = -1
        assert other[0, 0] == -1  # the same memory
    else:
        raises(BufferError, "copy", x.__dlpack__, copy=False)
    y = x[1:]
    del x
    y.write([[1, 2], [3, 4]])  # it lives as long as its slices
    assert (y.numpy() == [[1, 2], [3, 4]]).all()


def peak_of(call):
    """Bytes of NumPy at most during a call."""
    call()
    tracemalloc.start()
    call()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def no_copies():
    """C-contiguous f4 and f8 as they lie, also where they are of Fortran's order; others are copied."""
    with weft.Device("serial") as device:
        for dtype in ("f4", "f8"):
            x = np.random.default_rng(2).random((100000, 3)).astype(dtype)
            columns = np.asfortranarray(x)
            least = peak_of(lambda: weft.fof(x, 1e-4))
            assert peak_of(lambda: weft.fof(columns, 1e-4)) < least + x.nbytes / 2
            assert peak_of(lambda: weft.fof(x[:, ::-1], 1e-4)) > least + x.nbytes / 2
            flat = x.ravel()
            before = device.memory.held
            assert peak_of(lambda: weft.segmented_sum(flat, [0, flat.size])) < x.nbytes / 8
            assert device.memory.held - before < x.nbytes


def no_leaks():
    """What calls take they give back, those that fail too."""
    with weft.Device("serial") as device:
        x = np.random.default_rng(3).random((20000, 3))

        def work():
            weft.fof(x, 0.01)
            weft.sort(weft.array(x.ravel()))
            weft.DBSCAN(0.01).fit(x)
            raises(ValueError, "linking length", weft.fof, x, -1)
            raises(ValueError, "fall", weft.histogram, x.ravel(), [1, 0])

        def size():
            return int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

        for _ in range(5):
            work()
        used, resident = device.memory.used, size()
        for _ in range(60):
            work()
        assert device.memory.used == used, (device.memory, used)
        assert size() - resident < 60 * x.nbytes / 4, (size(), resident)  # of 60 copies not a quarter


def refusals():
    good = np.zeros((4, 3))
    hidden = np.ma.array(good, mask=good == 0)
    unknown = good.copy()
    unknown[2, 1] = np.nan
    for call in (lambda x: weft.fof(x, 1), lambda x: weft.DBSCAN().fit(x)):
        raises(ValueError, "", call, unknown)
        raises(ValueError, "", call, hidden)
        raises(ValueError, "", call, np.float64(1))
        raises(ValueError, "", call, np.zeros((4, 3, 2)))
        raises((TypeError, ValueError), "", call, np.array([["a", "b"]]))
        raises((TypeError, ValueError), "", call, np.zeros((4, 3), complex))
    raises(ValueError, "", weft.fof, np.zeros((4, 5)), 1)
    raises(TypeError, "float16", weft.fof, good.astype("f2"), 1)
    raises(TypeError, "bool", weft.sort, np.array([True]))
    raises(TypeError, "object", weft.sort, np.array([None]))
    raises(ValueError, "of one axis", weft.sort, good)
    raises(ValueError, "of one axis", weft.cumsum, 3)
    raises(TypeError, "float64", weft.searchsorted, weft.array([1, 2]), weft.array([1.0]))
    raises(ValueError, "as many", weft.sort_by_key, [1, 2], [1])
    masked = np.ma.masked_equal([1, 2, 1], 2)
    for call in (lambda: weft.bincount(masked), lambda: weft.segmented_sum(masked, [0, 3]),
                 lambda: weft.segmented_sum([1, 2], masked), lambda: weft.histogram([1], masked),
                 lambda: weft.fof(good, 1, masked), lambda: weft.halos(good, box=masked), lambda: weft.groups(masked)):
        raises(ValueError, "masked elements", call)
    raises(ValueError, "box: one number, or 3, not (2,)", weft.fof, good, 1, [1, 2])
    raises(TypeError, "box: floats", weft.halos, good, box="one")
    raises(ValueError, "ordered: of one axis", weft.searchsorted, 3, [2])
    small = np.array([1, 2, 3], "u1")
    for ordered, query in ((small, 1.5), (small, -1), (small, 300), ([1, 2], np.nan), ([1, 2], 1e308),
                           ([1, 2], np.array([2**63], "u8")), (np.array([1], "u8"), -1),
                           (np.array([0.1], "f4"), 0.1)):  # not cut off
        for side in ("left", "right"):
            assert weft.searchsorted(ordered, query, side) == np.searchsorted(ordered, query, side), (ordered, query)
        raises(ValueError, "queries: ", weft.searchsorted, weft.array(ordered), query)
    assert weft.searchsorted(small, [2.0, 3.0]).tolist() == [1, 2]
    raises(TypeError, "queries", weft.searchsorted, small, 10**30)
    raises(TypeError, "edges", weft.histogram, [1, 2], ["a", "b"])
    for sums in weft.cumsum, weft.sort, weft.unique:
        raises(TypeError, "numbers", sums, np.zeros(3, [("a", "f8")]))
    raises(TypeError, "labels: integers of 8 to 64 bits, not float64", weft.groups, good[0])
    assert len(weft.groups([]).tag) == 0
    raises(MemoryError, "", weft.array, np.lib.stride_tricks.as_strided(np.zeros(1), (1 << 47,), (0,)))
    raises(TypeError, "weft.Device", weft.sort, [1], device="serial")
    raises(ValueError, "another device", weft.sort, weft.array([1]), device=weft.Device("serial"))
    fixed = np.arange(5.0)
    fixed.flags.writeable = False
    assert (weft.sort(fixed) == fixed).all() and (weft.fof(good[::-1], 1) == 0).all()  # neither is at fault
    assert (weft.sort(np.arange(5, 0, -1).astype(">i4")) == [1, 2, 3, 4, 5]).all()


def two_at_once():
    """Each thread's kernel goes on when the other's has begun: both are in the library, so neither
    holds Python's lock. (Where one does, they give up after some seconds.)"""
    if _compile.compiler() is None:
        return print("no C compiler: the lock of Python was not looked at")
    os.environ["CC"] = shlex.join([*_compile.compiler(), "-O0"])
    meet = weft.kernel("""void meet(index_t i, GLOBAL u32 *here, GLOBAL u32 *met) {
        atomic_add_u32(&here[0], 1u);
        for (u32 k = 0; k < 4000000000u && !met[0]; k++)
            met[0] = atomic_load_u32(&here[0]) == 2u;
    }""", shared="here")
    here, met, begun = np.zeros(1, "u4"), np.zeros((2, 1), "u4"), threading.Barrier(2)
    meet(0, here=here, met=met[0], device=weft.Device("serial"))  # compiled

    def run(k):
        device = weft.Device("serial")
        begun.wait()
        meet(1, here=here, met=met[k], device=device)

    team = [threading.Thread(target=run, args=(k,)) for k in range(2)]
    for thread in team:
        thread.start()
    for thread in team:
        thread.join()
    assert met.all()


for backend in ("serial", "pthreads", "checking", "opencl:0"):
    if backend in {info.name for info in weft.devices()}:
        with weft.Device(backend) as device:
            stays(device.is_host)
            shares(device.is_host)
for test in (no_copies, no_leaks, refusals, two_at_once):
    test()
