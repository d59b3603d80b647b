#!/bin/sh
# usage: completion.sh WEFT WEFT.BASH COMMON
# What bash offers after some words; skipped without bash.
set -u
weft=$(readlink -f "$1") script=$(readlink -f "$2")
command -v bash >/dev/null || exit 77
# shellcheck source=common.sh
. "$3"
ln -s "$weft" weft
# offers 'WORDS' WORD...: among what is offered for the last word are these.
offers() {
    wanted=$1
    shift
    found=$(PATH=$folder:$PATH bash -c '. "$0" && COMP_WORDS=(weft "$@") COMP_CWORD=$# && _weft &&
        echo " ${COMPREPLY[*]} "' "$script" "$@" 2>err)
    for word in $wanted; do
        case $found in *" $word "*) ;; *) wrong "weft $*: $found without $word: $(cat err)" ;; esac
    done
}
offers 'halos help' h
offers 'dbscan devices' d
offers 'halos' help ha
offers '--linking-length --linking-length-absolute' halos small.hdf5 --link
offers '--to' convert --t
offers 'serial' halos --backend se
finish
