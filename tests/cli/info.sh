#!/bin/sh
# usage: info.sh WEFT SNAPSHOTS COMMON DATA [COMMAND...]
# What info tells of files that hold no particles: catalogues, grids, labels; and that damage
# to them is a sentence.
set -u
weft=$(readlink -f "$1") snapshots=$(readlink -f "$2") data=$4
# shellcheck source=common.sh
. "$3"
shift 4
"$snapshots" >snapshots.log || exit 2
tells() {
    file=$1
    shift
    "$weft" info "$file" >out 2>err || wrong "info $file: $(cat err)"
    for words; do
        grep -q "$words" out || wrong "info $file: no '$words': $(cat out)"
    done
}
"$weft" halos "$data/lcdm64.hdf5" -q --so 200c --profiles --members --labels labels --softening 0.01 || exit 2
tells lcdm64.halos.hdf5 'a halo catalogue of weft [0-9]' '^command *weft halos .*--softening 0.01$' \
    '^halos: 833 rows$' '^members: 89854 rows$' '^box *73.529[0-9 .]*$' '^length_unit *Mpc$' \
    '^  center_of_mass_z *f8 *\[Mpc, comoving\]  center of mass' '^omega_matter *0.3' \
    '^  tag *i8  *smallest particle id' \
    '^  shape_axes_0\.\.8 *f8 ' '^  count_0\.\.20 *i8 ' '^  count_200c *i8 ' '^h *0.68$' \
    '^softening *0.01' '^scale_factor' '^  mass_200c *f8 *.1e10 Msun'
grep -q particle_position out && wrong "yt's view is told, too"
[ -z "$("$weft" info -q lcdm64.halos.hdf5 2>&1)" ] || wrong 'info --quiet says something'
"$weft" halos small.hdf5 -q --linking-length-absolute 0.4 -o small.gio || exit 2
tells small.gio fof_halo_count '^fof_halo_mass *f4'
tells grid.hdf5 'HDF5, of weft 9.8.7' '^command *weft sheet small.hdf5 --grid 3,4,5$' \
    '^density: f8, 3 x 4 x 5$' '^  unit *mean density$' '^box *64 64 64$'
tells labels 'labels *262144$' 'halos or clusters *833$' 'outside of them *172290$'
"$weft" dbscan small.hdf5 --eps 0.4 --min-points 2 -q -o clusters.i64 || exit 2
tells clusters.i64 'labels *300$' 'clusters *1$' 'them *0$'

# Not all of eight bytes each is labels.
printf 'sixteen letters.' >text.bin
expect 1 'text.bin is not an HDF5 snapshot' info text.bin
printf '\376\377\377\377\377\377\377\377' >minus-two
expect 1 'minus-two is not an HDF5 snapshot' info minus-two

# Damage of catalogues, any byte of it: a sentence, or what is told as before. So with
# each COMMAND: weft sql, where it is built.
"$weft" halos small.hdf5 -q --linking-length-absolute 0.4 --members -o cat.hdf5 || exit 2
size=$(wc -c <cat.hdf5)
for k in $(seq 1 60); do
    cp cat.hdf5 damaged.hdf5
    at=$(((k * 7919 * 31) % size))
    [ "$k" -gt 40 ] && at=$(((k - 40) * 37 % 800))
    printf '\377' | dd of=damaged.hdf5 bs=1 seek=$at conv=notrunc 2>dd.log
    for command in info "$@"; do
        # shellcheck disable=SC2086
        "$weft" $command damaged.hdf5 >out 2>err </dev/null
        [ $? -le 1 ] || wrong "$command with byte $at: status: $(cat err)"
        [ "$(grep -vc 'WARNING: AddressSanitizer' err)" -le 1 ] || wrong "$command with byte $at: $(cat err)"
    done
done
head -c 4000 cat.hdf5 >cut.hdf5
expect 1 'cut.hdf5' info cut.hdf5
finish
