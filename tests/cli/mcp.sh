#!/bin/sh
# usage: mcp.sh WEFT SNAPSHOTS COMMON DATA BACKEND
# The columns of the most connected particle.
set -u
weft=$(readlink -f "$1") snapshots=$(readlink -f "$2") data=$4 backend=$5
# shellcheck source=common.sh
. "$3"
"$snapshots" >snapshots.log || exit 2

"$weft" halos "$data/lcdm64.hdf5" -q --centers mcp --backend "$backend" -o out.csv ||
    wrong 'mcp fails'
head -1 out.csv | grep -q 'mcp_id,mcp_position_x,mcp_position_y,mcp_position_z,mcp_friends' ||
    wrong "columns: $(head -1 out.csv)"
head -1 out.csv | grep -q 'mbp' && wrong 'an mbp that was not asked for'
# A halo of n has a particle with a friend and none with n.
awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) { if ($k == "count") n = k
                                               if ($k == "mcp_friends") f = k } next }
         !($f >= 1 && $f < $n) { print; bad = 1 } END { exit bad }' out.csv ||
    wrong 'numbers of friends'
"$weft" halos small.hdf5 -q --linking-length-absolute 1 --min-members 2 --centers mbp,mcp \
    --members --backend "$backend" -o out.hdf5 || wrong 'members fail'
grep -q 'friends' out.hdf5 || wrong 'no friends of members'
finish
