#!/bin/sh
# usage: halos.sh WEFT SNAPSHOTS COMMON COMPARE DATA BACKEND
# On one backend: the halos of a real snapshot are those that SWIFT found, on any number of
# threads; the catalogue is the serial backend's to the last digit; and all that can be
# written is.
set -u
weft=$(readlink -f "$1") snapshots=$(readlink -f "$2") compare=$(readlink -f "$4") data=$5 backend=$6
# shellcheck source=common.sh
. "$3"
"$snapshots" >snapshots.log || exit 2
real=$data/lcdm64.hdf5
gunzip -c "$data/lcdm64.swift-fof.i64.gz" >swift.i64 || exit 2

case $backend in
pthreads) teams='1 2 7' ;;
*) teams=default ;;
esac
for team in $teams; do
    set -- --backend "$backend"
    [ "$team" = default ] || set -- "$@" --threads "$team"
    "$weft" halos "$real" "$@" -o "$team.csv" --labels "$team.i64" >summary 2>err ||
        wrong "$*: $(cat err)"
    [ -s err ] && wrong "$*: says $(cat err)"
    grep -q '833 halos.* 89854 particles.*largest has 1949' summary || wrong "$(cat summary)"
    [ "$("$compare" "$team.i64" "$real" swift.i64)" = '833 89854 1949' ] ||
        wrong "$*: labels are not SWIFT's"
done
"$weft" halos "$real" --backend serial -o - >serial.csv 2>err || cat err
[ -s err ] && wrong "-o -: says $(cat err)"
for team in $teams; do
    cmp serial.csv "$team.csv" || wrong "$backend, $team: another catalogue"
done
inside=vmax,rmax,spin_bullock,concentration_vmax,concentration_r1,concentration_nfw,\
concentration_nfw_error,half_mass_radius,shape_x,shape_y,shape_z,$(seq -s, -f 'shape_axes_%g' 0 8),\
shape_reduced_x,shape_reduced_y,shape_reduced_z,$(seq -s, -f 'shape_reduced_axes_%g' 0 8),\
$(seq -s, -f 'velocity_dispersion_tensor_%g' 0 5),offset_position,offset_velocity,\
kinetic_energy,potential_energy,bound_fraction,spin_peebles,angular_momentum_x,\
angular_momentum_y,angular_momentum_z,\
center_of_mass_200c_x,center_of_mass_200c_y,center_of_mass_200c_z,velocity_200c_x,\
velocity_200c_y,velocity_200c_z,velocity_dispersion_200c,inside
[ "$(sed -n 1p serial.csv)" = "tag,count,wraps,mass,center_of_mass_x,center_of_mass_y,\
center_of_mass_z,radius_max,velocity_x,velocity_y,velocity_z,velocity_dispersion,mbp_id,\
mbp_position_x,mbp_position_y,mbp_position_z,mbp_potential,mass_vir,radius_vir,count_vir,\
mass_200m,radius_200m,count_200m,mass_200c,radius_200c,count_200c,mass_500c,radius_500c,\
count_500c,mass_2500c,radius_2500c,count_2500c,$inside" ] ||
    wrong "the columns are $(sed -n 1p serial.csv)"
[ "$(wc -l <serial.csv)" = 834 ] || wrong 'not 833 rows'
sed 1d serial.csv >rows
LC_ALL=C sort -t, -k2,2nr -k1,1n rows | cmp - rows || wrong 'rows are not in order'

# (What options do is not looked at again where each access is.)
[ "$backend" = checking ] && finish

# Centers: none, the one that is there by default, and one that a softening moves.
set -- --backend "$backend"
"$weft" halos "$real" "$@" --centers none -o none.csv >summary 2>&1
cut -d, -f1-12 serial.csv | cmp - none.csv || wrong "--centers none: $(cat summary)"
"$weft" halos "$real" "$@" --centers mbp -o same.csv >summary 2>&1
cmp serial.csv same.csv || wrong "--centers mbp is not the default: $(cat summary)"
"$weft" halos "$real" "$@" --softening 0.05 -o soft.csv >summary 2>&1
cut -d, -f1-12 soft.csv | cmp - none.csv || wrong "--softening: $(cat summary)"
cut -d, -f13 soft.csv >soft
cut -d, -f13 serial.csv | cmp -s - soft && wrong '--softening moves no center'

# Spherical overdensities: those asked for, their mean density (h = 0.68: 200 rho_c is
# 2566.66 1e10 Msun/Mpc^3), and that they nest. Without them friends keep their columns.
"$weft" halos "$real" "$@" --so 200c,1000m -o some.csv >summary 2>&1
cut -d, -f24-26 serial.csv >expected
cut -d, -f18-20 some.csv | cmp - expected || wrong "--so 200c,1000m: $(cat summary)"
cut -d, -f24- some.csv >inside
cut -d, -f33- serial.csv | cmp - inside || wrong "--so 200c,1000m: other properties"
"$weft" halos "$real" "$@" --so 200c,1000m --properties=none -o same.csv >summary 2>&1
cut -d, -f1-23 some.csv | cmp - same.csv || wrong "--properties=none: $(cat summary)"
sed 1d serial.csv | awk -F, '
    { for (k = 20; k <= 26; k += 3) if ($k > 0) some++
      rho = $24 / (4.18879020478639 * $25 ^ 3) / 2566.66
      if ($26 > 0 && (rho < 0.9999 || rho > 1.0001)) bad = 1
      if (!($22 >= $19 && $19 >= $25 && $25 >= $28 && $28 >= $31 && $26 > 0)) bad = 1 }
    END { exit bad || some != 3 * 833 }' || wrong 'overdensities'
"$weft" halos "$real" "$@" --so none -o same.csv >summary 2>&1
cut -d, -f1-17 serial.csv | cmp - same.csv || wrong "--so none: $(cat summary)"
"$weft" halos "$real" "$@" --memory-limit 64M -o same.csv --labels same.i64 >summary 2>err
cmp "${teams%% *}.i64" same.i64 || wrong '--memory-limit: other labels'
cmp serial.csv same.csv || wrong "--memory-limit: $(cat summary err)"

# The other linking lengths, and the axes.
"$weft" halos "$real" "$@" --no-periodic -o free.csv >summary 2>&1
grep -q '834 halos.* 89709 particles' summary || wrong "--no-periodic: $(cat summary)"
"$weft" halos "$real" "$@" --linking-length-absolute 0.22977941176470587 \
    --periodic=xyz --box 73.529411764705884 -o same.csv >summary 2>&1
cmp serial.csv same.csv || wrong "an absolute length: $(cat summary)"
"$weft" halos "$real" "$@" --min-friends 1 -o same.csv >summary 2>&1
cmp serial.csv same.csv || wrong "--min-friends 1 is not plain: $(cat summary)"

# The default name, members, timings; and silence.
"$weft" halos small.hdf5 "$@" --linking-length-absolute 0.4 --members --timings t.json -q \
    >out 2>&1 || wrong "small: $(cat out)"
[ -s out ] && wrong "--quiet says $(cat out)"
for key in version command backend device n_particles steps peak_memory read upload fof \
    group properties centers write plot total process seconds bytes; do
    grep -q "\"$key\":" t.json || wrong "timings have no $key"
done
for step in read upload fof group properties centers write; do
    tr -d '\t\n ' <t.json | grep -Eq "\"$step\":.\"seconds\":[^,]*,\"bytes\":[1-9]" ||
        wrong "$step has no bytes"
done
if [ -e /dev/stdout ]; then
    "$weft" halos small.hdf5 "$@" --linking-length-absolute 0.4 -q -o s.csv --timings /dev/stdout |
        cat >piped
    grep -q '"steps":' piped || wrong "timings in a pipe: $(cat piped)"
fi
if command -v h5dump >/dev/null; then
    [ "$(h5dump -d /halos/count -y small.halos.hdf5 | grep -c ' 300$')" = 1 ] ||
        wrong 'small.halos.hdf5 has not one halo of 300'
    h5dump -d /members/particle_id -s 299 -c 1 -y small.halos.hdf5 | grep -q 1000000904 ||
        wrong 'the last member is not the largest id'
    h5dump -a /header/command small.halos.hdf5 | grep -q 'weft halos small.hdf5 --backend' ||
        wrong 'the command is not told'
fi

# No particles, no halos, several files, other types, missing and repeated ids.
"$weft" halos empty.hdf5 "$@" --labels empty.i64 -o empty.csv >out 2>&1 || wrong "$(cat out)"
[ -e empty.i64 ] || wrong 'no labels of no particles'
[ -s empty.i64 ] && wrong 'labels of no particles'
[ "$(wc -l <empty.csv)" = 1 ] || wrong 'rows of no particles'
"$weft" halos small.hdf5 "$@" -b 0 -o none.csv >out 2>&1 || wrong "$(cat out)"
grep -q '^0 halos' out || wrong "no halos: $(cat out)"
set -- "$@" --linking-length-absolute 0.4
"$weft" halos small.hdf5 "$@" -o - >small.csv 2>err
"$weft" halos snap.1.hdf5 "$@" -o - >parts.csv 2>err
cmp small.csv parts.csv || wrong 'two files are not one'
"$weft" halos snap "$@" -q || wrong 'the stem of two files is not found'
[ -e snap.halos.hdf5 ] || wrong 'snap.halos.hdf5 is not there'
"$weft" halos gas.hdf5 "$@" -o - >gas.csv 2>err
cmp small.csv gas.csv || wrong 'gas changes the halos'
grep -q 'the 2 particles of PartType0 are left out' err || wrong "gas: $(cat err)"
"$weft" halos twice.hdf5 "$@" -o twice.csv >out 2>err
grep -q 'index takes the place of particle ids: the id .* more than once' err || wrong "repeated ids: $(cat err)"
sed -n 2p twice.csv | grep -q '^0,300,' || wrong "the index is not the id: $(cat twice.csv)"
"$weft" halos bare.hdf5 "$@" -o - >bare.csv 2>err
sed -n 1p bare.csv | grep -q 'velocity' && wrong 'velocities out of nothing'
sed -n 2p bare.csv | grep -q '^0,300,1,300,' || wrong "bare: $(cat bare.csv)"
finish
