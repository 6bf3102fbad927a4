#!/bin/bash
# A display that is lost, one that cannot show OpenGL, and a signal: the window ends in good order.
#
#   display_test.sh WHORL
set -u
whorl=$1
# shellcheck source=tests/app/window/driver.sh
source "$(dirname "$(readlink -f "$0")")/driver.sh"
prepare
server=
trap '[ -n "$server" ] && kill "$server" 2>/dev/null; [ -n "$pid" ] && kill "$pid" 2>/dev/null; rm -rf "$folder"' EXIT

# open_display [SCREEN [OPTION...]]: a display of our own, on a free number.
open_display() {
    : >"$folder/number"
    Xvfb -displayfd 3 -screen 0 "${1:-1400x1000x24}" "${@:2}" -nolisten tcp -noreset 3>"$folder/number" 2>/dev/null &
    server=$!
    pid=$server
    until_true "a display" test -s "$folder/number"
    pid=
    DISPLAY=:$(cat "$folder/number")
    export DISPLAY
}

# ends STATUS WORDS: the program ends with this status and one line that contains WORDS.
ends() {
    wait "$pid"
    local status=$?
    pid=
    [ $status = "$1" ] || fail "the program ended with status $status, not $1"
    [ "$(wc -l <"$folder/err")" = 1 ] || fail "not one line was said"
    grep -qF -- "$2" "$folder/err" || fail "it did not say '$2'"
}

when_the_display_is_lost_the_settings_are_saved() {
    open_window "Whorl: matmul" matmul --paused
    press b ground
    kill -9 "$server"
    wait "$server" 2>/dev/null
    server=
    ends 2 "the connection to the display is lost; the settings are saved"
    grep -q '"ground": "light"' "$folder/state/whorl/session.json" || fail "the settings are not saved"
}

a_signal_closes_the_window() {
    open_window "Whorl: matmul" matmul --paused
    press b ground
    kill -TERM "$pid"
    ends 143 stopped
    grep -q '"ground": "dark"' "$folder/state/whorl/session.json" || fail "the settings are not saved"
}

no_opengl_is_one_sentence() {
    MESA_GL_VERSION_OVERRIDE=2.1 "$whorl" matmul 2>"$folder/err" &
    pid=$!
    ends 2 "no window with OpenGL 3.3 can be opened: this display offers 2.1"
}

on_a_fine_screen_the_window_is_large() {
    open_display 3840x2160x24 -dpi 192
    unset WHORL_SCALE
    open_window "Whorl: matmul" matmul --paused
    export WHORL_SCALE=1
    xdotool getwindowgeometry "$id" | grep -q "Geometry: 2560x1600" ||
        fail "the window is not twice as large: $(xdotool getwindowgeometry "$id")"
    kill -TERM "$pid"
    ends 143 stopped
    kill "$server"
    wait "$server" 2>/dev/null
    rm -rf "$folder/state"
}

on_a_fine_screen_the_window_is_large
open_display
when_the_display_is_lost_the_settings_are_saved
open_display
a_signal_closes_the_window
no_opengl_is_one_sentence
echo "the window ends in good order"
