#!/bin/sh
# usage: units.sh WEFT SNAPSHOTS COMMON DATA
# Comoving or physical, a and h: in every data set of numbers with a unit, the header, lines of
# CSV, info and pictures.
set -u
weft=$(readlink -f "$1") snapshots=$(readlink -f "$2") data=$4
# shellcheck source=common.sh
. "$3"
"$snapshots" >snapshots.log || exit 2
command -v h5dump >/dev/null || exit 77
# attribute FILE PLACE NAME: its value.
attribute() {
    h5dump -a "$2/$3" "$1" 2>err | sed -n 's/^ *(0): //p' | tr -d '"'
}
# scaled NAME UNIT FRAME A H: what a column of cat.hdf5 says.
scaled() {
    got="$(attribute cat.hdf5 "/halos/$1" unit) $(attribute cat.hdf5 "/halos/$1" frame) $(
        attribute cat.hdf5 "/halos/$1" a_scaling) $(attribute cat.hdf5 "/halos/$1" h_scaling)"
    [ "$got" = "$2 $3 $4 $5" ] || wrong "$1: $got"
}
"$weft" halos "$data/lcdm64.hdf5" -q --so 200c --softening 0.01 -o cat.hdf5 || exit 2
for name in center_of_mass radius_max mbp_position radius_200c; do
    scaled $name Mpc comoving 1 0
done
scaled mass '1e10 Msun' physical 0 0
scaled mass_200c '1e10 Msun' physical 0 0
scaled velocity km/s peculiar 0 0
scaled velocity_dispersion km/s peculiar 0 0
scaled mbp_potential '1e10 Msun / Mpc' comoving -1 0
for pair in 'softening 0.01' 'h 0.68' 'length_unit Mpc' 'length_frame comoving' 'omega_matter 0.31' \
    'omega_lambda 0.69' 'velocity_frame peculiar' 'mass_unit 1e10 Msun'; do
    [ "$(attribute cat.hdf5 /header "${pair%% *}")" = "${pair#* }" ] || wrong "header: $pair"
done

# What snapshots tell; and units that nobody told.
"$weft" convert "$data/lcdm64.hdf5" gadget.hdf5 -q 2>err || exit 2
"$weft" info gadget.hdf5 | grep -q '^cosmology   h 0.68, Omega_m 0.31, Omega_Lambda 0.69$' || wrong 'info: cosmology'
"$weft" info gadget.hdf5 | grep -q '^box .* comoving$' || wrong 'info: comoving'
"$weft" info gadget.hdf5 | grep -q '^redshift .*, scale factor 1$' || wrong 'info: scale factor'
"$weft" halos small.hdf5 -q --linking-length-absolute 0.4 -o cat.hdf5 || exit 2
h5dump -a /halos/radius_max/h_scaling cat.hdf5 >dump 2>&1 && wrong 'h of code units'
[ "$(attribute cat.hdf5 /halos/radius_max a_scaling)" = 1 ] || wrong 'a of code units'

# CSV, and pictures.
"$weft" halos "$data/lcdm64.hdf5" -q --so none --comments -o cat.csv || exit 2
for words in '^# box 73.5.* Mpc, comoving; scale factor .*, h 0.68, Omega_m 0.31' 'softening 0 Mpc$' \
    '^# center_of_mass .Mpc, comoving.:' '^# mass .1e10 Msun, physical.:' '^# velocity .km/s, peculiar.:'; do
    grep -q "$words" cat.csv || wrong "CSV: no '$words': $(grep '^#' cat.csv)"
done
if command -v gnuplot >/dev/null; then
    "$weft" halos "$data/lcdm64.hdf5" -q --so none -o cat.csv --plot cat.svg || exit 2
    [ "$(grep -o 'Mpc, comoving\]' cat.svg | wc -l)" -ge 2 ] || wrong 'a picture does not say comoving'
fi
# In units of 1/h, which cancel in mass / length.
large=$data/../../../shared/data/sim32/z1.hdf5
if [ -e "$large" ]; then
    "$weft" halos "$large" -q --so none -o cat.hdf5 || exit 2
    scaled radius_max Mpc/h comoving 1 -1
    scaled mass '1e10 Msun/h' physical 0 -1
    scaled mbp_potential '1e10 Msun/h / Mpc/h' comoving -1 0
fi
finish
