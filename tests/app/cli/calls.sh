# shellcheck shell=bash
# Sourced by the tests that call whorl's commands, before anything else: from here on they are in an empty folder that is
# removed at the end, without a display. What a command prints is in the files out and err.

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
export LIBGL_ALWAYS_SOFTWARE=1
unset DISPLAY WAYLAND_DISPLAY

fail() {
    echo "FAILED: $*" >&2
    ls -la >&2
    cat err >&2 2>/dev/null
    exit 1
}
# ok COMMAND...: must succeed.
ok() { "$@" >out 2>err || fail "$* gave $?"; }
# gives STATUS WORDS COMMAND...: ends with this status and says WORDS on standard error.
gives() {
    local wanted=$1 words=$2 status=0
    shift 2
    "$@" >out 2>err || status=$?
    [ $status = "$wanted" ] || fail "$* gave $status, not $wanted"
    grep -qF -- "$words" err || fail "$* did not say '$words'"
}
# wrong WORDS COMMAND...: must exit with status 2 and say WORDS on standard error.
wrong() { gives 2 "$@"; }
