#!/usr/bin/env bash
# manual_test.sh WHORL README: `whorl help` says what --help says; the manual pages are clean, tell of all options, and
# their examples work.
set -euo pipefail
whorl=$1 readme=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export LC_ALL=C.UTF-8 LIBGL_ALWAYS_SOFTWARE=1
unset DISPLAY WAYLAND_DISPLAY
failed() {
    echo "FAILED: $*"
    exit 1
}

# --- whorl help ---
mapfile -t commands < <("$whorl" --help | sed -n '/^Subcommands:/,$s/^  \([a-z]*\) .*/\1/p')
((${#commands[@]} > 15)) || failed "--help lists ${commands[*]}"
for command in "${commands[@]}"; do
    "$whorl" help "$command" | cmp - <("$whorl" "$command" --help) || failed "help $command"
done
"$whorl" help | cmp - <("$whorl" --help) || failed "help"
# refused WORDS ARGUMENTS...: says these words, and exits with 2.
refused() {
    local words=$1 status=0
    shift
    "$whorl" "$@" >out 2>err || status=$?
    if [[ $status != 2 || -s out || $(wc -l <err) != 1 ]] || ! grep -qF -- "$words" err; then
        failed "$*: status $status, $(cat out err)"
    fi
}
refused 'there is no command "stat"; did you mean "stats"? see whorl --help' help stat
refused 'there is no command "matmul"; it is a built-in program: see whorl programs' help matmul
refused 'there is no command "complete"' help complete # for scripts only

# --- the pages ---
mkdir man
"$whorl" manual man
refused "no/folder" manual no/folder
[[ $(find man -type f | wc -l) == $((${#commands[@]} + 1)) ]] || failed "there are $(ls man)"
for page in man/*.1; do
    grep -q '^\.TH' "$page" || failed "$page has no title"
    if command -v man >/dev/null; then
        man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>&1 >/dev/null | (! grep .) || failed "$page"
    fi
    if command -v mandoc >/dev/null; then mandoc -Tlint -W style "$page" >log || failed "$page: $(cat log)"; fi
done
command -v man >/dev/null || echo "man is not installed: it has not seen the pages"
command -v mandoc >/dev/null || echo "mandoc is not installed: it has not seen the pages"

# textOf PAGE: as it is read, in long lines.
textOf() {
    if command -v mandoc >/dev/null; then
        mandoc -Tutf8 -O width=900 "$1" | col -b
    else
        MANWIDTH=900 man -l "$1" | col -b
    fi
}
if command -v mandoc >/dev/null || command -v man >/dev/null; then
    for command in "" "${commands[@]}"; do
        text=$(textOf "man/whorl${command:+-$command}.1")
        for heading in NAME SYNOPSIS DESCRIPTION OPTIONS "SEE ALSO"; do
            grep -qx "$heading" <<<"$text" || failed "the page of '$command' has no $heading"
        done
        # Options as --help has them: "-o,--output TEXT …".
        while read -r option; do
            grep -qE -- "^ +(-[a-z][^,]*, )?$option(=|\$| )" <<<"$text" || failed "the page of '$command' has no $option"
        done < <("$whorl" ${command:+"$command"} --help | sed -nE 's/^  (-[a-z],)?(--[a-z-]+).*/\2/p')
    done
    grep -q -- '--to=text|whorl|chiron' <<<"$(textOf man/whorl-trace.1)" || failed "words that an option can be"
    grep -q 'From 1 to 240. The default is 60' <<<"$(textOf man/whorl-record.1)" || failed "limits and defaults"
    grep -q 'whorl-frame(1)' <<<"$(textOf man/whorl.1)" || failed "what to see also"
    grep -q -- 'whorl run \[OPTIONS\] -- PROGRAM \[ARGUMENTS...\]' <<<"$(textOf man/whorl-run.1)" || failed "a synopsis"
fi

# --- examples: those of the README are there; those that need nothing of one's own work ---
sed -n '/^\.EX/,/^\.EE/{/^\./!p}' man/*.1 | sed 's/\\-/-/g; s/\\(aq/'"'"'/g; s/^\\&//' >examples
(($(wc -l <examples) > 25)) || failed "few examples: $(cat examples)"
while read -r line; do
    grep -qxF -- "${line/.\/run/whorl}" examples || failed "the manual has no example '$line'"
done < <(sed -nE 's/^    (.\/run [^#]*[^# ]) *(#.*)?$/\1/p' "$readme" | grep -v ' --help$')
ran=0
while IFS= read -r line; do
    case $line in
        *my* | *part* | "make "* | "whorl cc "* | "whorl record "*) continue ;; # one's own; or minutes
        whorl | "whorl conflict "* | "whorl --scene "* | "whorl matmul"* | "whorl present "* | "whorl 'pattern:"*) continue ;; # a window
    esac
    # The player of pages is built apart.
    if [[ $line == "whorl page "* ]] && grep -qF "built without the player" <<<"$("$whorl" page touch -o page.html 2>&1)"; then continue; fi
    # Not every virtual machine tells of its caches.
    if [[ $line == *" host"* && ! -d /sys/devices/system/cpu/cpu0/cache/index0 ]]; then continue; fi
    # As a person types it.
    bash -c "whorl() { '$whorl' \"\$@\"; }; $line" >out 2>err </dev/null || failed "$line: $(cat err)"
    ran=$((ran + 1))
done <examples
((ran > 12)) || failed "only $ran examples were tried"
echo "the manual says what there is; $ran examples work"
