"""ParaView opens our catalogue by its XDMF: usage: with_paraview.py WEFT DATA."""
import os
import subprocess
import sys
import tempfile

try:
    import numpy as np
    from paraview import servermanager, simple
    from vtkmodules.util.numpy_support import vtk_to_numpy
except ImportError:
    sys.exit(77)

weft, data = map(os.path.abspath, sys.argv[1:3])
folder = tempfile.TemporaryDirectory()
os.chdir(folder.name)
subprocess.run([weft, "halos", data + "/lcdm64.hdf5", "-q", "--xdmf", "-o", "halos.hdf5",
                "--centers", "mbp,mcp"], check=True)
subprocess.run([weft, "halos", data + "/lcdm64.hdf5", "-q", "-o", "halos.csv",
                "--centers", "mbp,mcp"], check=True)
halos = np.genfromtxt("halos.csv", delimiter=",", names=True, dtype=None)
reader = simple.Xdmf3ReaderS(FileName=[os.path.abspath("halos.xdmf")])
reader.UpdatePipeline()
points = servermanager.Fetch(reader)


def expect(array, name):
    """Columns of three are NAME_x, NAME_y, NAME_z in the CSV."""
    if name in halos.dtype.names:
        assert np.array_equal(vtk_to_numpy(array), halos[name]), name
    else:
        columns = [halos[name + axis] for axis in ("_x", "_y", "_z")]
        assert np.array_equal(vtk_to_numpy(array), np.transpose(columns)), name


expect(points.GetPoints().GetData(), "center_of_mass")
arrays = points.GetPointData()
names = [arrays.GetArrayName(k) for k in range(arrays.GetNumberOfArrays())]
assert {"tag", "mass", "velocity", "mbp_position", "mcp_friends"} <= set(names)
for name in names:
    expect(arrays.GetArray(name), name)
