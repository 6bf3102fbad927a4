#!/bin/bash
# Outputs are functions of the input alone: equal to the byte in any locale, in any time zone, and on any number of
# processors.
#
#   surroundings_test.sh WHORL
#
# The locales are made here, of the package locales; without it, setting them changes nothing, which is said at the end.
set -u
whorl=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
export LIBGL_ALWAYS_SOFTWARE=1 XDG_STATE_HOME=$folder/state
unset DISPLAY WAYLAND_DISPLAY LANG LANGUAGE
unset "${!LC_@}"

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

"$whorl" trace mpm --machine paradigm --to chiron -o in.chiron 2>/dev/null || fail "no trace to read"
small=(--size 160x90)

# outputs FOLDER COMMAND...: all kinds of outputs, each by the command, which runs whorl.
outputs() {
    local to=$1 input=matmul:n=6
    shift
    mkdir "$to" || exit 1
    {
        "$@" stats $input --kinds --by region --by line -o "$to/stats.txt" &&
            "$@" stats $input --kinds --json -o "$to/stats.json" &&
            "$@" stats in.chiron --csv -o "$to/stats.csv" &&
            "$@" stats $input --sweep L1.ways=1,2,4 --csv -o "$to/sweep.csv" &&
            "$@" machines laptop -o "$to/machine.json" &&
            "$@" trace nbody:bodies=8,steps=1 -o "$to/trace.whorl" &&
            "$@" trace in.chiron -o "$to/trace.text.gz" &&
            "$@" trace mpm --machine paradigm --to chiron -o "$to/trace.chiron" &&
            "$@" frame $input --at 70.5 --panels --size 640x360 -o "$to/frame.png" &&
            "$@" frame $input --view source,object --size 320x180 -o "$to/space.png" &&
            "$@" record $input --from 3.5 --to 6 --speed 2.5 --fps 8 "${small[@]}" -o "$to/film.mp4" &&
            "$@" record $input --from 3.5 --to 6 --speed 2.5 --fps 8 "${small[@]}" -o "$to/film.gif"
    } 2>err || {
        cat err >&2
        fail "$* cannot write all outputs in $to"
    }
}
# same NAME COMMAND...: writes the same bytes as the first time.
same() {
    local name=$1
    shift
    outputs "$name" "$@"
    diff -rq usual "$name" >&2 || fail "$name changes outputs"
}

export LOCPATH=$folder/locales
mkdir "$LOCPATH"
for name in de_DE tr_TR; do localedef -i $name -f UTF-8 "$LOCPATH/$name.UTF-8" 2>/dev/null; done

# installed LOCALE: whether setting it changes anything.
installed() { [ -d "$LOCPATH/$1" ] || locale -a 2>/dev/null | tr -d '-' | tr '[:upper:]' '[:lower:]' | grep -qx "$(tr -d '-' <<<"${1,,}")"; }

outputs usual env LC_ALL=C TZ=UTC "$whorl"
tested=()
for name in de_DE.UTF-8 tr_TR.UTF-8 C.UTF-8; do
    if installed $name; then tested+=("$name"); else tested+=("$name (not installed)"); fi
done
same german env LC_ALL=de_DE.UTF-8 TZ=Asia/Kathmandu "$whorl"
same turkish env LC_ALL=tr_TR.UTF-8 TZ=Pacific/Chatham "$whorl"
processors=all
if command -v taskset >/dev/null && (($(nproc) > 1)); then
    same single env LC_ALL=C.UTF-8 taskset -c "$(taskset -cp $$ | sed 's/.*: *\([0-9]*\).*/\1/')" "$whorl"
    processors="one and all"
fi
echo "outputs are the same: locales C, $(printf '%s, ' "${tested[@]}")two time zones, processors: $processors"
