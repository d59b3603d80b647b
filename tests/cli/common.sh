# What the tests of the command share: sourced with $weft set. Each works in a folder of its
# own, which is gone afterwards.
# shellcheck shell=sh disable=SC2034,SC2154
folder=$(mktemp -d) || exit 2
trap 'chmod -R u+w "$folder"; rm -rf "$folder"' EXIT
cd "$folder" || exit 2
unset WEFT_BACKEND WEFT_DEVICE WEFT_NUM_THREADS
failures=0

wrong() {
    printf 'WRONG: %s\n' "$*"
    failures=$((failures + 1))
}

# expect STATUS 'WORDS' ARGUMENTS...: weft ARGUMENTS ends with STATUS, and its standard error
# contains WORDS; for status 1 that is one line, and no file is left behind.
expect() {
    status=$1 words=$2
    shift 2
    before=$(ls)
    "$weft" "$@" >"$folder.out" 2>"$folder.err"
    got=$?
    [ "$got" = "$status" ] || wrong "weft $*: status $got, not $status: $(cat "$folder.err")"
    grep -qF -- "$words" "$folder.err" || wrong "weft $*: no '$words' in: $(cat "$folder.err")"
    if [ "$status" != 0 ]; then
        [ -s "$folder.out" ] && wrong "weft $*: writes to standard output"
        [ "$before" = "$(ls)" ] || wrong "weft $*: leaves files: $(ls)"
    fi
    if [ "$status" = 1 ] && [ "$(wc -l <"$folder.err")" != 1 ]; then
        wrong "weft $*: not one line: $(cat "$folder.err")"
    fi
    rm -f "$folder.out" "$folder.err"
}

finish() {
    [ "$failures" = 0 ] && exit 0
    echo "$failures wrong"
    exit 1
}
