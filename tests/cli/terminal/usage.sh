#!/bin/sh
# usage: usage.sh WEFT SNAPSHOTS COMMON
# Everything that asks for what there is not ends with status 2, and writes nothing.
set -u
weft=$(readlink -f "$1") snapshots=$(readlink -f "$2")
# shellcheck source=common.sh
. "$3"
"$snapshots" >snapshots.log || exit 2

expect 2 'Usage: weft COMMAND'
expect 2 "there is no command 'halo'" halo
expect 2 "there is no option '--bogus'" --bogus
expect 2 "there is no option '-x'" -x
expect 2 'a snapshot is missing' halos
expect 1 'the name of a file to read is empty' halos ''
expect 1 'the name of a file to read is empty' info ''
expect 1 'the name of a file to read is empty' convert '' x.gio
expect 1 'the name of a file to read is empty' dbscan '' --eps 1 --min-points 2
expect 2 'unrecognized option' halos small.hdf5 --bogus
expect 2 'unrecognized option' halos small.hdf5 --xs
expect 2 "there is no option '--mni-members': is it --min-members?" halos small.hdf5 --mni-members 3
expect 2 "there is no option '--epss': is it --eps?" dbscan small.hdf5 --epss=1
expect 2 'is ambiguous' halos small.hdf5 --min-
expect 2 '--linking-length: ' halos small.hdf5 -o --mni-members --linking-length --box
expect 2 'requires an argument' halos small.hdf5 -o
expect 2 "doesn't allow an argument" halos small.hdf5 --members=yes
for value in -1 nan inf 1e999 x 0.2x ''; do
    expect 2 '--linking-length: ' halos small.hdf5 --linking-length "$value"
    expect 2 '--linking-length-absolute: ' halos small.hdf5 --linking-length-absolute "$value"
    expect 2 '--softening: ' halos small.hdf5 --softening "$value"
done
for value in 0 -5 1.5 x 99999999999999999999 ''; do
    expect 2 '--min-members: ' halos small.hdf5 --min-members "$value"
    expect 2 '--threads: ' halos small.hdf5 --threads "$value"
done
for value in -1 0.5 many ''; do
    expect 2 '--min-friends: ' halos small.hdf5 --min-friends "$value"
done
for value in 0 -5G 1KX 1E nan K ''; do
    expect 2 '--memory-limit: ' halos small.hdf5 --memory-limit "$value"
    expect 2 '--memory-limit: ' dbscan small.hdf5 --memory-limit "$value"
done
# Powers of 1024.
for value in 8K:8192 0.01M:10485 0.00001G:10737 0.00000001T:10995; do
    expect 1 "fit ${value#*:} bytes: the least that does is" halos small.hdf5 --linking-length-absolute 40 \
        --memory-limit "${value%:*}"
done
for value in 0 -1 1,2 1,2,3,4 1,,2 1,2,3, 1,2,x nan inf ''; do
    expect 2 '--box: ' halos nobox.hdf5 --box "$value"
done
for value in w xx xyzx X ''; do
    expect 2 '--periodic' halos small.hdf5 --periodic="$value"
done
expect 2 'exclude each other' halos small.hdf5 -b 0.2 --linking-length-absolute 1
expect 2 'contradict each other' halos small.hdf5 --periodic --no-periodic
expect 2 'contradict each other' halos small.hdf5 --no-periodic --periodic=x
expect 2 'contradict each other' halos small.hdf5 --periodic=x --periodic=y
expect 2 'contradict each other' halos small.hdf5 --periodic=x --periodic
expect 2 "there is no center 'middle'" halos small.hdf5 --centers middle
expect 2 "there is no center ''" halos small.hdf5 --centers ''
expect 2 "there is no center ''" halos small.hdf5 --centers none,
expect 2 "there is no center 'MBP'" halos small.hdf5 --centers MBP
expect 2 "--so: '200' is not vir" halos small.hdf5 --so 200c,200
expect 2 "--so: '0c' is not vir" halos small.hdf5 --so 0c
expect 2 "--so: '' is not vir" halos small.hdf5 --so ''
expect 2 "--so: 'vir' comes twice" halos small.hdf5 --so vir,200m,vir
expect 2 '--so needs the center mbp' halos small.hdf5 --so vir --centers mcp
expect 1 'small.hdf5: the file does not tell its' halos small.hdf5 --so vir \
    --linking-length-absolute 0.4
expect 2 '--poisson-grid is for the center poisson' halos small.hdf5 --poisson-grid 31
expect 2 "--poisson-grid: '256' is more than 255" halos small.hdf5 --centers poisson \
    --poisson-grid 256
expect 2 'exclude each other' halos small.hdf5 --centers mbp,none
expect 2 "'mbp' comes twice" halos small.hdf5 --centers mbp,mcp,mbp
expect 2 '--poisson-boundary is for the center poisson' halos small.hdf5 \
    --poisson-boundary zero
expect 2 "--poisson-boundary: 'shut' is neither open nor zero" halos small.hdf5 \
    --centers poisson --poisson-boundary shut
expect 2 'takes its value behind an equals sign: --properties=500c' halos small.hdf5 --properties 500c
expect 2 'takes its value behind an equals sign: --periodic=xy' halos small.hdf5 --periodic xy
expect 2 '--softening is for' halos small.hdf5 --centers none --softening 1
expect 2 'an HDF5 catalogue' halos small.hdf5 --members -o -
expect 2 'an HDF5 catalogue' halos small.hdf5 --members -o halos.CSV
expect 2 "no backend 'cuda' is built in" halos small.hdf5 --backend cuda
expect 2 '--threads is for the backend pthreads' halos small.hdf5 --backend serial --threads 2
expect 2 '--device is for the backend opencl' halos small.hdf5 --backend serial --device 0
expect 2 'exclude each other' halos small.hdf5 --device 0 --threads 2
if "$weft" devices | grep -q '^pthreads'; then
    expect 2 'not a number of threads' halos small.hdf5 --threads 5000000000
fi
expect 2 '--backend: the name is empty' halos small.hdf5 --backend ''
expect 2 '--device: the name is empty' halos small.hdf5 --device ''

# What the environment says wrong is no wrong use of the command, on no backend.
environment() {
    words=$1 setting=$2
    shift 2
    export "$setting"
    expect 1 "$words" "$@"
    unset "${setting%%=*}"
}
environment "WEFT_BACKEND: no backend 'cuda' is built in" WEFT_BACKEND=cuda halos small.hdf5
for backend in $("$weft" devices | grep -o "^[a-z]*"); do
    environment "WEFT_STYLE: 'wide' is neither simd nor simt" WEFT_STYLE=wide halos small.hdf5 --backend "$backend"
    case $backend in
    pthreads)
        environment "WEFT_STYLE: 'wide' is neither" WEFT_STYLE=wide halos small.hdf5 --threads 2
        environment "WEFT_NUM_THREADS: 'no' is not a number of threads" WEFT_NUM_THREADS=no halos small.hdf5
        ;;
    opencl)
        environment "'none', as WEFT_DEVICE says" WEFT_DEVICE=none halos small.hdf5 --backend opencl
        ;;
    esac
done

# Lengths and axes that need a box that nobody gave, and a box that is there already.
expect 2 '--linking-length needs a box, and nobox.hdf5 has none' halos nobox.hdf5
expect 2 '--linking-length needs a box' halos nobox.hdf5 -b 0.1
expect 2 '--periodic needs a box' halos nobox.hdf5 --periodic --linking-length-absolute 1
expect 2 '--box is for files without a box' halos small.hdf5 --box 63

# Names that end as another format's, and an option without a use.
expect 2 "--output: 'o.npy' would be HDF5, not what .npy tells" halos small.hdf5 -o o.npy
expect 2 "--output: 'o.txt' would be HDF5, not what .txt tells" halos small.hdf5 -o o.txt
expect 2 "--labels: 'o.hdf5' would be raw int64, not what .hdf5 tells" halos small.hdf5 --labels o.hdf5
expect 2 "--plot: 'o.jpg' would be PNG, not what .jpg tells" halos small.hdf5 --plot o.jpg
expect 2 "--output: 'o.txt' would be raw int64, not what .txt tells" dbscan small.hdf5 --eps 1 --min-points 2 -o o.txt
expect 2 "--plot: 'o.gif' would be PNG, not what .gif tells" sheet small.hdf5 --grid 4 --plot o.gif
expect 2 '--comments needs a CSV catalogue' halos small.hdf5 -o o.hdf5 --comments
expect 2 '--output: the name is empty' simulate small.hdf5 -o ''
expect 2 '--output: HDF5 needs files, not standard output' simulate small.hdf5 -o -

# Two outputs of one name, and one that is the input.
expect 2 'same is named for two outputs' halos small.hdf5 -o same --labels same
expect 2 't is named for two outputs' halos small.hdf5 --plot t --timings t
ln -s small.hdf5 link
expect 2 'is the input' halos small.hdf5 -o small.hdf5
expect 2 'is the input' halos small.hdf5 --labels link
expect 2 'is the input' halos snap.0.hdf5 --timings ./snap.1.hdf5

# Words that are nearly commands, and help.
expect 2 "there is no command 'halo': is it weft halos?" halo small.hdf5
expect 2 "there is no command 'hlaos': is it weft halos?" hlaos
expect 2 "there is no command 'devcies': is it weft devices?" devcies
expect 2 "there is no command 'frobnicate': see weft --help" frobnicate
expect 2 "there is no option '--frob'" --frob
expect 2 "there is no command 'halo'" help halo
"$weft" halos --help >one
"$weft" help halos >two && cmp one two || wrong 'help halos is not halos --help'
"$weft" --help >one
"$weft" help >two && cmp one two || wrong 'help is not --help'
for size in 5X G -1G 0 5GG; do
    expect 2 "'$size' is not a number of bytes: 1 or more" halos small.hdf5 --memory-limit $size
done
expect 2 "'9999999T' is more than 2^62 bytes" halos small.hdf5 --memory-limit 9999999T
expect 2 "'9223372036854775808' is above 2^63 - 1" halos small.hdf5 --min-members 9223372036854775808
expect 2 "'-9223372036854775809' is not a whole number of at least 1" halos small.hdf5 \
    --min-members -9223372036854775809
expect 2 "'1:2,0:-0,:': the range of y is empty" halos small.hdf5 --region 1:2,0:-0,:
"$weft" halos small.hdf5 -q --memory-limit 5GB -o limited.csv --so none || wrong '5GB'
rm -f one two limited.csv

expect 2 'a file is missing' info
expect 2 'one file at a time' info small.hdf5 empty.hdf5
expect 2 'unrecognized option' info small.hdf5 --backend serial
expect 2 'the file to read is missing' convert
expect 2 'the file to write is missing' convert small.hdf5
expect 2 "'b.gio' is one too many" convert small.hdf5 a.gio b.gio
expect 2 "the name 'out' tells no format" convert small.hdf5 out
expect 2 "there is no format 'gadget3'" convert small.hdf5 out --to gadget3
expect 2 "'f2' is neither f4 nor f8" convert small.hdf5 out.gio --precision f2
expect 2 'f32 holds no f8' convert small.hdf5 out.f32 --precision f8
expect 2 'is the input' convert small.hdf5 link --to gadget2
expect 2 'is the input' convert snap.0.hdf5 snap.1.hdf5
expect 2 "nothing to do with 'all'" devices all
expect 2 'unrecognized option' devices --bogus
finish
