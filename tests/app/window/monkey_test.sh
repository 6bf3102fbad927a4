#!/bin/bash
# Thousands of random events in a real window on its own display: the program lives on, can be quit, and its settings can
# be read.
#
#   monkey_test.sh WHORL [EVENTS [SEED]]
#
# WHORL_TEST_SHARE gives the percentage of the 2000 events that is enough, at least 200.
set -u
whorl=$1
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=tests/app/window/driver.sh
source "$here/driver.sh"
on_display "$@"
prepare
share=$((2000 * ${WHORL_TEST_SHARE:-100} / 100))
events=${2:-$((share < 200 ? 200 : share))}
seed=${3:-1}

# What is typed into fields may name files; there are none here.
cd "$folder" || exit 1
open_window "Whorl: matmul:n=16" matmul:n=16 --machine paper
resize 900 640
python3 "$here/monkey.py" "$id" "$events" "$seed" "$here/../../../app/commands/bindings.cpp" >"$folder/events" ||
    fail "no random events"
# In pieces: input is taken in order, so that after each the program is known to have seen all of it once it has seen
# where the mouse is now, a place inside a window of any size.
split -l 100 "$folder/events" "$folder/piece."
pieces=0
for piece in "$folder"/piece.*; do
    xdotool windowfocus "$id" # where no window manager is, the speaker's window has taken it when it opened
    xdotool - <"$piece" >"$folder/said" 2>&1 || fail "xdotool cannot read $piece: $(cat "$folder/said")"
    pieces=$((pieces + 1))
    # A button that is held down in the speaker's window keeps the mouse from this one.
    xdotool mouseup 1 mouseup 2 mouseup 3
    at $((30 + pieces % 50)) 40
done
rm -f "$folder"/piece.*

# Nothing is held down any more, and no field, nor another window, has the keyboard.
xdotool windowfocus "$id" windowsize "$id" 900 640 mouseup 1 mouseup 2 mouseup 3 keyup Shift_L keyup Control_L
for _ in 1 2 3 4 5 6; do xdotool key --delay 25 Escape; done
grep -q '^select \|^seek \|^zoom' "$log" || fail "the events do nothing"
close_window

state=$folder/state/whorl/session.json
[ -s "$state" ] || fail "no settings are saved"
python3 -c 'import json, sys; json.load(open(sys.argv[1], encoding="utf-8"))' "$state" || fail "the settings are not JSON"
open_window "Whorl: matmul:n=4" matmul:n=4 --paused
close_window
echo "$(wc -l <"$folder/events") lines of $events random events, seed $seed: $(wc -l <"$log") commands"
