# shellcheck shell=bash
# Sourced by slow scripts: records durations.

# step NAME COMMAND...: runs a command and adds "seconds NAME" to the file WHORL_STEPS, if there is one.
step() {
    local name=$1 start=$SECONDS status=0
    shift
    "$@" || status=$?
    if [[ -n ${WHORL_STEPS-} ]]; then printf '%s %s\n' "$((SECONDS - start))" "$name" >>"$WHORL_STEPS"; fi
    return "$status"
}
