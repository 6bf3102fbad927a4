# shellcheck shell=bash
# Sourced by slow scripts: records durations.

# unlessLate MINUTES NAME: what takes so many minutes is left out where they are not left until WHORL_DEADLINE (seconds since
# 1970), if there is one: ends with 77, which ctest counts as skipped.
unlessLate() {
    if [[ -z ${WHORL_DEADLINE-} ]] || (($(date +%s) + 60 * $1 <= WHORL_DEADLINE)); then return; fi
    printf '%s is left out: there are no %s minutes left for it\n' "$2" "$1"
    exit 77
}

# step NAME COMMAND...: runs a command and adds "seconds NAME" to the file WHORL_STEPS, if there is one.
step() {
    local name=$1 start=$SECONDS status=0
    shift
    "$@" || status=$?
    if [[ -n ${WHORL_STEPS-} ]]; then printf '%s %s\n' "$((SECONDS - start))" "$name" >>"$WHORL_STEPS"; fi
    return "$status"
}
