#!/bin/sh
# usage: catalogues.sh WEFT SNAPSHOTS COMMON GENERICIO.PY
# Catalogues that other programs open: HACC's columns in GenericIO, XDMF beside HDF5.
set -u
weft=$(readlink -f "$1") snapshots=$(readlink -f "$2") checker=$4
# shellcheck source=common.sh
. "$3"
"$snapshots" >snapshots.log || exit 2
find_halos() {
    "$weft" halos small.hdf5 -q --linking-length-absolute 0.4 --min-members 2 "$@" ||
        wrong "halos $* fails"
}
find_halos -o h.csv
find_halos -o h.gio
find_halos -o none.gio --centers none
find_halos -o commented.csv --comments
grep -v '^#' commented.csv | cmp - h.csv || wrong 'comments change the catalogue'
grep -q '^# center_of_mass \[code, comoving\]: center' commented.csv || wrong "$(head commented.csv)"
find_halos -o "a & b.hdf5" --xdmf
"$weft" halos small.hdf5 --linking-length-absolute 0.4 -o told.gio >out 2>err
[ "$(grep -c "not in HACC's" err)" = 2 ] || wrong "units of told.gio: $(cat err)"
"$weft" info h.gio >info || wrong 'info h.gio fails'
[ "$(grep -c 'checksums right' info)" = 19 ] || wrong "info: $(cat info)"
expect 1 'h.gio holds no positions' halos h.gio
expect 2 '--xdmf needs an HDF5 catalogue' halos small.hdf5 --xdmf -o h.csv
expect 2 '--members needs an HDF5 catalogue' halos small.hdf5 --members -o h.gio
expect 2 'same.xdmf is named for two outputs' halos small.hdf5 -o same.hdf5 --xdmf \
    --labels same.xdmf
command -v python3 >/dev/null || finish
python3 "$checker" h.gio none.gio >listed || wrong 'the checksums are not right'

python3 - <<'END' || wrong 'the catalogues differ'
import csv
import struct
import xml.etree.ElementTree

def read(path):
    data = open(path, "rb").read()
    (rows,), (n_vars, size, start) = struct.unpack_from("<Q", data, 16), \
        struct.unpack_from("<3Q", data, 48)
    at = struct.unpack_from("<Q", data, 8)[0] + 8
    columns = {}
    for k in range(n_vars):
        entry = start + k * size
        name = data[entry : entry + 256].rstrip(b"\0").decode()
        flags, row = struct.unpack_from("<2Q", data, entry + 256)
        kind = "f" if flags & 1 else {4: "i", 8: "q"}[row]
        columns[name] = struct.unpack_from(f"<{rows}{kind}", data, at)
        at += rows * row + 8
    return columns

def f4(text):
    return struct.unpack("<f", struct.pack("<f", float(text)))[0]

halos, bare = read("h.gio"), read("none.gio")
rows = list(csv.DictReader(open("h.csv")))
assert len(rows) == len(halos["fof_halo_tag"]) > 0
for i, row in enumerate(rows):
    assert halos["fof_halo_count"][i] == int(row["count"])
    assert halos["fof_halo_tag"][i] == int(row["tag"])
    assert halos["fof_halo_mass"][i] == f4(row["mass"])
    for axis in "xyz":
        assert halos["fof_halo_center_" + axis][i] == f4(row["mbp_position_" + axis])
        assert bare["fof_halo_center_" + axis][i] == -101
        assert halos["fof_halo_com_" + axis][i] == f4(row["center_of_mass_" + axis])
        assert halos["fof_halo_mean_v" + axis][i] == f4(row["velocity_" + axis])
    assert halos["fof_halo_1D_vel_disp"][i] == f4(row["velocity_dispersion"])
    assert halos["fof_halo_ke"][i] == -101

xdmf = xml.etree.ElementTree.parse("a & b.xdmf").getroot()
items = {item.text for item in xdmf.iter("DataItem")}
assert "a & b.hdf5:/halos/center_of_mass" in items, items
names = {attribute.get("Name") for attribute in xdmf.iter("Attribute")}
assert names >= {"tag", "count", "mass", "velocity", "mbp_position"}, names
assert xdmf.find(".//Topology").get("NumberOfElements") == str(len(rows))
END
if /usr/bin/python3 -c 'import h5py' 2>/dev/null; then
    /usr/bin/python3 - <<'END' || wrong 'the XDMF tells of other data sets than there are'
import xml.etree.ElementTree
import h5py
for item in xml.etree.ElementTree.parse("a & b.xdmf").getroot().iter("DataItem"):
    name, data_set = item.text.split(":")
    array = h5py.File(name, "r")[data_set]
    assert array.shape == tuple(int(n) for n in item.get("Dimensions").split()), data_set
    assert array.dtype.itemsize == int(item.get("Precision")), data_set
END
fi
finish
