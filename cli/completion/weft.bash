# Completion of weft for bash: commands, and the options that each tells in its --help.
_weft() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} weft=${COMP_WORDS[0]}
    local commands options
    COMPREPLY=()
    commands=$("$weft" --help 2>/dev/null | sed -n 's/^  weft \([a-z][a-z]*\) .*/\1/p')
    if [ "$COMP_CWORD" = 1 ] || { [ "$COMP_CWORD" = 2 ] && [ "$before" = help ]; }; then
        mapfile -t COMPREPLY < <(compgen -W "$commands help --help --version" -- "$word")
        return
    fi
    case $before in
    --backend)
        mapfile -t COMPREPLY < <(compgen -W "$("$weft" devices 2>/dev/null |
            sed -n 's/^\([a-z][a-z]*\).*/\1/p')" -- "$word")
        return
        ;;
    esac
    if [ "${word#-}" != "$word" ]; then
        options=$("$weft" "${COMP_WORDS[1]}" --help 2>/dev/null | grep -oE -- '--[a-z][a-z-]*' | sort -u)
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
    else
        compopt -o default 2>/dev/null # names of files
    fi
}
complete -F _weft weft
