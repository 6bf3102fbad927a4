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
# wrong WORDS COMMAND...: must exit with status 2 and say WORDS on standard error.
wrong() {
    local words=$1 status=0
    shift
    "$@" >out 2>err || status=$?
    [ $status = 2 ] || fail "$* gave $status, not 2"
    grep -qF -- "$words" err || fail "$* did not say '$words'"
}
