#!/bin/sh
# usage: parameters.sh SOURCE-ROOT
# Arrays that belong together are bundles: no registration in algorithms/ has more than 12
# parameters, of which a bundle is one. Says which have.
set -u
cd "$1" || exit 2
git ls-files 'algorithms/*.c' 'algorithms/*.h' | xargs awk -v most=12 '
    /^WEFT_(KERNEL|GENERATOR|PAIRS)\(/ { line = FILENAME ":" FNR; text = ""; open = 1 }
    open {
        text = text $0
        at = $0
        depth += gsub(/\(/, "", at) - gsub(/\)/, "", at)
        if (depth > 0) next
        open = 0
        found++
        name = text
        sub(/^[A-Z_]*\(/, "", name)
        sub(/,.*/, "", name)
        count = gsub(/\((value|bundle|in|optional|out|inout|shared),/, "", text)
        if (count > most) {
            print line ": " name " has " count " parameters, more than " most
            failed = 1
        }
    }
    END {
        if (found < 50) { print "only " found " registrations were found"; failed = 1 }
        exit failed
    }'
