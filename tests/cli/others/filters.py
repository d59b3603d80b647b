"""usage: filters.py WEFT

Arrays in filters that come as plugins: read where the plugin is, and otherwise one sentence that names
the filter and the package. Skipped without python3-h5py.
"""
import ctypes.util
import os
import subprocess
import sys
import tempfile

try:
    import h5py
    import numpy as np
except ImportError:
    print("skipped: python3-h5py is not installed")
    sys.exit(77)

FILTERS = {32000: ("LZF", "hdf5-plugin-lzf"), 32001: ("Blosc", "hdf5-filter-plugin-blosc-serial"),
           307: ("bzip2", "hdf5-filter-plugin"), 32004: ("LZ4", "hdf5-filter-plugin")}
weft, failures, read = os.path.abspath(sys.argv[1]), 0, 0


def run(arguments, **environment):
    return subprocess.run([weft] + arguments, capture_output=True, text=True, check=False,
                          env=dict(os.environ, **environment))


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    position = np.random.default_rng(3).random((5000, 3)).astype("f4")
    position[::2] = 0.5
    for number, (name, package) in FILTERS.items():
        if not h5py.h5z.filter_avail(number):
            print(f"{name}: h5py cannot write it")
            continue
        path = f"{name}.hdf5"
        with h5py.File(path, "w") as file:
            header = file.create_group("Header").attrs
            header["NumPart_ThisFile"] = header["NumPart_Total"] = np.array([0, 5000, 0, 0, 0, 0], "u4")
            header["MassTable"], header["BoxSize"] = np.array([0, 1.0, 0, 0, 0, 0]), 1.0
            file.create_dataset("PartType1/Coordinates", data=position, chunks=(500, 3), compression=number)
        done = run(["convert", path, "out.npy", "-q"], HDF5_PLUGIN_PATH="/nowhere")
        if done.returncode != 1 or f"filter {number}, {name}" not in done.stderr or \
                f"install Debian's {package}" not in done.stderr:
            failures += 1
            print(f"WRONG: {name} without its plugin: {done.stderr}")
        # Debian 12's plugin for LZF is not linked with what it needs.
        preload = {"LD_PRELOAD": "liblzf.so.1"} if name == "LZF" and ctypes.util.find_library("lzf") else {}
        done = run(["convert", path, "out.npy", "-q"], **preload)
        if done.returncode == 0:
            read += 1
            if not np.array_equal(np.load("out.npy"), position):
                failures += 1
                print(f"WRONG: {name}: other numbers")
        elif "install" not in done.stderr:
            failures += 1
            print(f"WRONG: {name}: {done.stderr}")
    os.chdir("/")
print(f"read with plugins: {read}")
sys.exit(failures > 0)
