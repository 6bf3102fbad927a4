# Completion of whorl for bash: whorl itself is asked what a word can be.

# Readline takes ':' and '=' for ends of words; whorl does not. This puts its words together again, up to the cursor, as
# `words`; `ahead` is the part of the last one that readline does not replace.
_whorl_words() {
    local line=${COMP_LINE:0:COMP_POINT} rest piece i
    line=${line#*"${COMP_WORDS[0]}"}
    for ((i = 1; i <= COMP_CWORD; ++i)); do
        rest=${line#"${line%%[![:space:]]*}"}
        piece=${COMP_WORDS[i]}
        if ((i == COMP_CWORD)); then piece=$rest; fi
        if [[ $rest == "$line" && ${#words[@]} -gt 0 ]]; then
            words[-1]+=$piece
        else
            words+=("$piece")
        fi
        line=${rest#"$piece"}
    done
    if [[ $piece == [:=] ]]; then piece=''; fi
    ahead=${words[-1]%"$piece"}
}

# Adds the files, folders or programs ($1) whose names begin with $3, with $2 in front of them.
_whorl_files() {
    local name what=-f
    if [[ $1 == :folders ]]; then what=-d; fi
    if [[ $1 == :programs && $3 != */* ]]; then what=-c; fi
    while IFS= read -r name; do COMPREPLY+=("$2$name"); done < <(compgen "$what" -- "$3")
    compopt -o filenames # quoted by readline, with a slash after folders
}

_whorl() {
    local words=() ahead='' line before i isOpen='' hasFiles=''
    _whorl_words
    if [[ ${words[-1]} == *[\"\']* ]]; then isOpen=1; fi
    words=("${words[@]//[\"\'\\]/}")
    ahead=${ahead//[\"\'\\]/}
    COMPREPLY=()
    while IFS= read -r line; do
        if [[ $line == :* ]]; then
            before=''
            if [[ $line == *$'\t'* ]]; then before=${line#*$'\t'}; fi
            _whorl_files "${line%%$'\t'*}" "$before" "${words[-1]#"$before"}"
            hasFiles=1
        else
            COMPREPLY+=("${line%%$'\t'*}")
        fi
    done < <("${COMP_WORDS[0]/#\~\//$HOME/}" complete -- "${words[@]}" 2>/dev/null)
    for i in "${!COMPREPLY[@]}"; do
        COMPREPLY[i]=${COMPREPLY[i]#"$ahead"}
        if [[ -z $hasFiles && -z $isOpen ]]; then printf -v "COMPREPLY[$i]" %q "${COMPREPLY[i]}"; fi
    done
    if [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *[:=,.] ]]; then compopt -o nospace; fi
}

complete -F _whorl whorl
