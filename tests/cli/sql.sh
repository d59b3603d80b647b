#!/bin/sh
# usage: sql.sh WEFT SNAPSHOTS COMMON DATA EXTENSION
# Queries give what the catalogue holds, read the columns that they use and no others, and
# cannot change anything; the extension gives the same to SQLite's own shell.
set -u
weft=$(readlink -f "$1") snapshots=$(readlink -f "$2") data=$4 extension=$(readlink -f "$5")
# shellcheck source=common.sh
. "$3"
"$snapshots" >snapshots.log || exit 2
"$weft" halos "$data/lcdm64.hdf5" -q --so 200c --members || exit 2
"$weft" halos "$data/lcdm64.hdf5" -q --so 200c -o halos.csv || exit 2
cat=lcdm64.halos.hdf5

# sql WORDS...: of a query that must be answered.
sql() {
    "$weft" sql "$@" </dev/null 2>err || wrong "weft sql $*: $(cat err)"
}

# Every number of every column.
names=$(head -1 halos.csv)
sql --csv $cat "SELECT $names FROM halos" >all.csv
cmp all.csv halos.csv || wrong 'the catalogue as CSV and as a table differ'
echo "SELECT $names FROM halos" | "$weft" sql $cat --csv | cmp - halos.csv || wrong 'a query from standard input'
expect 1 'Bad file descriptor' sql $cat <&-
head -3 halos.csv | cut -d, -f1-2 | tr ',' '\n' | sort >wanted
sql $cat 'SELECT tag, count FROM halos LIMIT 2' | tr -s ' ' '\n' | grep . | sort >got
cmp wanted got || wrong "an aligned table: $(cat got)"

# Bounds of the row number give what looking at every row gives.
for bound in '= 7' '= -1' '= 833' '< 3' '<= 3' '> 829' '>= 829' 'BETWEEN 100 AND 103' '> 1e9' \
    '< -5' '= 2.5' '> 830.5' 'IN (5, 3, 900)' "= '4'" '= NULL' '> NULL'; do
    sql --csv $cat "SELECT rowid, tag FROM halos WHERE rowid $bound ORDER BY rowid" >fast
    case $bound in *NULL) where="+rowid $bound" ;; *) where="CAST(rowid AS INTEGER) $bound" ;; esac
    [ "$bound" = "= '4'" ] && where='+rowid = 4'
    sql --csv $cat "SELECT rowid, tag FROM halos WHERE $where ORDER BY tag - tag + rowid" >slow
    cmp fast slow || wrong "rowid $bound"
done
[ "$(wc -l <fast)" = 1 ] || wrong 'rowid > NULL has rows'

# Members know the rows of their halos.
sql --csv $cat 'SELECT count(*) FROM halos h WHERE h.count =
    (SELECT count(*) FROM members m WHERE m.halo = h.rowid)' >got
[ "$(tail -1 got)" = 833 ] || wrong "halos with their members: $(cat got)"
sql --csv $cat 'SELECT count(*) FROM (SELECT min(particle_id) AS least, halo FROM members GROUP BY halo) m
    JOIN halos h ON h.rowid = m.halo WHERE h.tag = m.least' >got
[ "$(tail -1 got)" = 833 ] || wrong "the least id is the tag: $(cat got)"
sql --csv $cat "SELECT value FROM header WHERE name IN ('min_members', 'n_particles')" | sort -n >got
[ "$(tr '\n' ' ' <got)" = 'value 20 262144 ' ] || wrong "header: $(cat got)"

# What is there.
sql $cat >list
for words in 'halos: 833 rows' 'members: 89854 rows' 'center_of_mass_y .*\[Mpc, comoving\]' \
    ' mass .*\[1e10 Msun, physical\]  sum of the members'; do
    grep -q "$words" list || wrong "the list has no '$words': $(cat list)"
done
sql --list $cat | cmp - list || wrong '--list is another list'
"$weft" halos empty.hdf5 -q 2>err || exit 2
[ "$(sql empty.halos.hdf5 'SELECT count(*) FROM halos' | tr -d '\n')" = 'count(*)       0' ] || wrong 'no halos'
sql --csv small.hdf5 'SELECT count(*), count(Coordinates_z) FROM PartType1' | grep -q '^300,300$' ||
    wrong 'a snapshot'

# Only what is used is read: damage elsewhere is not met. Here of HDF5 in chunks,
if command -v h5repack >/dev/null; then
    h5repack -l CHUNK=833 -f FLET $cat chunked.hdf5 2>err || h5repack -f FLET $cat chunked.hdf5 || exit 2
    python3 - <<'END' || exit 2
import struct
with open('halos.csv') as text:
    names = text.readline().strip().split(',')
    rows = [line.strip().split(',') for line in text]
column = struct.pack('<8d', *(float(row[names.index('radius_max')]) for row in rows[:8]))
data = bytearray(open('chunked.hdf5', 'rb').read())
at = data.find(column)
assert at > 0 and data.find(column, at + 1) < 0
data[at + 20] ^= 1
open('chunked.hdf5', 'wb').write(data)
END
    sql --csv chunked.hdf5 'SELECT sum(count), max(mass), min(velocity_x) FROM halos' >got
    sql --csv $cat 'SELECT sum(count), max(mass), min(velocity_x) FROM halos' | cmp - got ||
        wrong 'columns beside the damage'
    expect 1 'halos/radius_max in chunked.hdf5 is damaged' sql chunked.hdf5 \
        'SELECT max(radius_max) FROM halos'
fi
# and the last variable of GenericIO.
"$weft" convert small.hdf5 small.gio -q 2>err || exit 2
last=$(sql small.gio --list | tail -1 | awk '{print $1}')
cp small.gio damaged.gio
printf '\001\002\003' | dd of=damaged.gio bs=1 seek=$(($(wc -c <small.gio) - 40)) conv=notrunc 2>dd.log
for column in x vx mass; do
    [ "$column" = "$last" ] && continue
    sql --csv small.gio "SELECT rowid, $column FROM data" >wanted
    sql --csv damaged.gio "SELECT rowid, $column FROM data" | cmp - wanted || wrong "$column of damaged.gio"
    [ "$(wc -l <wanted)" = 301 ] || wrong "rows of $column"
done
expect 1 "the block of $last in rank 0 of damaged.gio is damaged" sql damaged.gio \
    "SELECT sum($last) FROM data"
sql --verify small.gio 'SELECT 1' >verified || wrong '--verify'
expect 1 "the block of $last in rank 0 of damaged.gio is damaged" sql --verify damaged.gio 'SELECT 1'
sql --csv small.hdf5 'SELECT Coordinates_x, ParticleIDs FROM PartType1' | tail -n +2 >wanted
sql --csv small.gio 'SELECT x, id FROM data' | tail -n +2 | cmp - wanted || wrong 'GenericIO and HDF5 differ'

# Mistakes; and nothing can be changed.
expect 2 'a file is missing' sql
expect 2 "'SELECT 2' is one too many" sql $cat 'SELECT 1' 'SELECT 2'
expect 2 'syntax error' sql $cat 'SELEKT 1'
expect 2 'no such column: weight' sql $cat 'SELECT weight FROM halos'
expect 2 'no such table: galaxies' sql $cat 'SELECT * FROM galaxies'
expect 2 'may not be modified' sql $cat 'DELETE FROM halos'
expect 2 'may not be modified' sql $cat 'UPDATE halos SET mass = 0'
expect 1 'cannot read missing.hdf5' sql missing.hdf5 'SELECT 1'
expect 1 'halos.csv is neither HDF5 nor GenericIO' sql halos.csv 'SELECT 1'
head -c 5000 $cat >cut.hdf5
expect 1 'cannot open cut.hdf5 as HDF5' sql cut.hdf5 'SELECT 1'
expect 1 "$cat has no table 'galaxies'" sql $cat "CREATE VIRTUAL TABLE g USING weft('$cat', 'galaxies')"

# SQLite's own shell.
# (Built with a sanitizer, it cannot be loaded into a program that is not.)
if [ -n "$extension" ] && command -v sqlite3 >/dev/null && ! grep -q __asan_init "$extension"; then
    sqlite3 -csv :memory: ".load ${extension%.so}" \
        "CREATE VIRTUAL TABLE h USING weft('$cat', 'halos')" \
        "CREATE VIRTUAL TABLE p USING weft('small.gio')" \
        'SELECT sum(count), (SELECT count(*) FROM p) FROM h' >got 2>err || wrong "the extension: $(cat err)"
    [ "$(tr -d '\r' <got)" = 89854,300 ] || wrong "the extension: $(cat got)"
    sqlite3 :memory: ".load ${extension%.so}" "CREATE VIRTUAL TABLE h USING weft('$cat')" 2>err
    grep -q "$cat has .* tables: name one of them" err || wrong "no table: $(cat err)"
fi
finish
