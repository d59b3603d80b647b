#compdef weft
# Completion of weft for zsh: commands, and the options that each tells in its --help.
_weft() {
    local -a commands options
    if ((CURRENT == 2)) || { ((CURRENT == 3)) && [[ $words[2] == help ]]; }; then
        commands=(${(f)"$($words[1] --help 2>/dev/null | sed -n 's/^  weft \([a-z][a-z]*\) *\(.*\)/\1:\2/p')"})
        _describe command commands
    elif [[ $words[CURRENT - 1] == --backend ]]; then
        commands=(${(f)"$($words[1] devices 2>/dev/null | sed -n 's/^\([a-z][a-z]*\).*/\1/p')"})
        _describe backend commands
    elif [[ $words[CURRENT] == -* ]]; then
        options=(${(f)"$($words[1] $words[2] --help 2>/dev/null | grep -oE -- '--[a-z][a-z-]*' | sort -u)"})
        compadd -a options
    else
        _files
    fi
}
_weft "$@"
