"""What `weft convert` writes, read by others: usage: readers.py WEFT DATA GENERICIO.PY.

HDF5 by h5py, NumPy's and raw numbers by NumPy, Gadget-2 and GenericIO by what stands here and in
GENERICIO.PY, from their descriptions alone; all of them against h5py's view of the snapshot."""
import importlib.util
import os
import struct
import subprocess
import sys
import tempfile

try:
    import h5py
    import numpy as np
except ImportError:
    print("skipped: python3-h5py is not installed")
    sys.exit(77)

weft, data, checker = map(os.path.abspath, sys.argv[1:4])
spec = importlib.util.spec_from_file_location("genericio", checker)
genericio = importlib.util.module_from_spec(spec)
spec.loader.exec_module(genericio)
folder = tempfile.TemporaryDirectory()
os.chdir(folder.name)

with h5py.File(data + "/lcdm64.hdf5", "r") as snapshot:
    real = {name: array[:] for name, array in snapshot["PartType1"].items()}
    cosmology = [snapshot["Cosmology"].attrs[name][0] for name in ("h", "Omega_m", "Omega_lambda")]
    a = 1 / (1 + snapshot["Header"].attrs["Redshift"][0])
    box = snapshot["Header"].attrs["BoxSize"]
position, velocity = real["Coordinates"], real["Velocities"]
mass, ids = real["Masses"], real["ParticleIDs"]
n = len(ids)


def convert(source, target):
    subprocess.run([weft, "convert", source, target, "-q"], check=True, stderr=subprocess.DEVNULL)
    return target


def same(found, wanted, what):
    assert found.dtype.newbyteorder("=") == wanted.dtype, f"{what}: {found.dtype}"
    assert np.array_equal(found, wanted), f"{what}: other numbers"


def same_hdf5(path, wanted_position, all_of_it):
    with h5py.File(path, "r") as found:
        particles = found["PartType1"]
        same(particles["Coordinates"][:], wanted_position, path)
        if "Masses" in particles:
            same(particles["Masses"][:], mass, path)
        else:  # all are the same: Gadget-2 has a table for that
            assert np.all(mass == found["Header"].attrs["MassTable"][1].astype(mass.dtype)), path
        told = [found["Header"].attrs.get(name) for name in ("HubbleParam", "Omega0", "OmegaLambda")]
        assert all_of_it or np.allclose(told, cosmology), f"{path}: {told}"
        same(particles["ParticleIDs"][:], ids.astype("u8"), path)
        assert np.allclose(particles["Velocities"][:], velocity / np.sqrt(a), 1e-6), path
        assert np.allclose(found["Header"].attrs["BoxSize"], box[0]), path
        for name in real if all_of_it else []:
            same(particles[name][:].astype(real[name].dtype), real[name], f"{path}: {name}")


def read_genericio(path):
    raw = open(path, "rb").read()
    _, _, variables = genericio.check(path)
    n_ranks, size, start = struct.unpack_from("<3Q", raw, 72)
    columns = {name: [] for name in variables}
    for k in range(n_ranks):
        rows, at = struct.unpack_from("<2Q", raw, start + k * size + 24)
        for name, (flags, row, element, _) in variables.items():
            kind = "f" if flags & 1 else "i" if flags & 2 else "u"
            columns[name].append(np.frombuffer(raw, f"<{kind}{element}", rows * row // element, at))
            at += rows * row + 8
    return {name: np.concatenate(pieces) for name, pieces in columns.items()}


def read_gadget(path):
    raw, at, blocks = open(path, "rb").read(), 0, []
    while at < len(raw):
        (length,) = struct.unpack_from("<I", raw, at)
        assert struct.unpack_from("<I", raw, at + 4 + length) == (length,), f"{path}: byte {at}"
        blocks.append(raw[at + 4 : at + 4 + length])
        at += length + 8
    if len(blocks[0]) == 8:  # format 2: a name before each block, and the bytes to the next
        names, blocks = blocks[::2], blocks[1::2]
        assert [name[:4] for name in names] == [b"HEAD", b"POS ", b"VEL ", b"ID  ", b"MASS"][: len(names)]
        for name, block in zip(names, blocks):
            assert struct.unpack("<I", name[4:]) == (len(block) + 8,), name
    return blocks


def same_gadget(path):
    header, pos, vel, id_, *masses = read_gadget(path)
    assert struct.unpack_from("<6i", header) == (0, n, 0, 0, 0, 0), path
    table, time, redshift = struct.unpack_from("<6d", header, 24), *struct.unpack_from("<2d", header, 72)
    assert np.isclose(time, a) and np.isclose(1 / (1 + redshift), a), path
    assert struct.unpack_from("<6I", header, 96) == (0, n, 0, 0, 0, 0), path
    assert np.isclose(struct.unpack_from("<d", header, 128)[0], box[0]), path
    same(np.frombuffer(pos, "<f4").reshape(n, 3), position.astype("f4"), path)
    assert np.allclose(np.frombuffer(vel, "<f4").reshape(n, 3), velocity / np.sqrt(a), 1e-6), path
    same(np.frombuffer(id_, "<u4"), ids.astype("u4"), path)
    found = np.frombuffer(masses[0], "<f4") if masses else np.full(n, table[1], "f4")
    assert np.array_equal(found, mass.astype("f4")), path


real_path = data + "/lcdm64.hdf5"
columns = read_genericio(convert(real_path, "a.gio"))
for k in range(3):
    same(columns["xyz"[k]], position[:, k], "a.gio: " + "xyz"[k])
    same(columns["v" + "xyz"[k]], velocity[:, k], "a.gio: v" + "xyz"[k])
same(columns["mass"], mass, "a.gio: mass")
same(columns["id"].astype(ids.dtype), ids, "a.gio: id")
for name in ("h.gio", "h.hdf5"):
    subprocess.run([weft, "halos", real_path, "-q", "-o", name], check=True)
hacc = read_genericio("h.gio")
with h5py.File("h.hdf5", "r") as file:
    halos, told = file["halos"], file["header"].attrs
    h = told["h"]
    assert told["length_unit"] == "Mpc" and told["length_frame"] == "comoving", dict(told)
    assert halos["center_of_mass"].attrs["frame"] == "comoving"
    assert halos["velocity"].attrs["frame"] == "peculiar"
    same(hacc["fof_halo_mass"], (halos["mass"][:] * 1e10 * h).astype("f4"), "h.gio: Msun/h")
    same(hacc["fof_halo_com_y"], (halos["center_of_mass"][:, 1] * h).astype("f4"), "h.gio: Mpc/h")
    same(hacc["fof_halo_mean_vz"], halos["velocity"][:, 2].astype("f4"), "h.gio: km/s")
same_hdf5(convert("a.gio", "a.hdf5"), position, True)
same_hdf5(convert(real_path, "c.hdf5"), position, False)
same_gadget(convert(real_path, "b.gadget1"))
same_gadget(convert(real_path, "b.gadget2"))
same_hdf5(convert("b.gadget2", "b.hdf5"), position.astype("f4"), False)
same(np.load(convert(real_path, "c.npy")), position, "c.npy")
same(np.fromfile(convert(real_path, "c.f32"), "<f4").reshape(n, 3), position.astype("f4"), "c.f32")
text = np.loadtxt(convert(real_path, "c.csv"), delimiter=",", skiprows=1)
assert np.array_equal(text[:, :3], position) and np.array_equal(text[:, 7], ids), "c.csv"
