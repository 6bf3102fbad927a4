#!/bin/bash
# The program in a real window on a display of its own, driven by keys and mouse. Asserts on the log of commands.
#
#   main_loop_test.sh WHORL
set -u
whorl=$1
if [ "${WHORL_SHOW_TEST_INSIDE:-}" != 1 ]; then
    # -noreset: a server without clients would start anew, and fail those who come at that moment.
    # A key counts as held after 3 seconds only: on a busy machine a short press can take long.
    WHORL_SHOW_TEST_INSIDE=1 exec xvfb-run -a -s "-screen 0 1400x1000x24 -nolisten tcp -noreset -ardelay 3000" "$0" "$@"
fi
folder=$(mktemp -d)
pid=
trap '[ -n "$pid" ] && kill "$pid" 2>/dev/null; rm -rf "$folder"' EXIT
export LIBGL_ALWAYS_SOFTWARE=1 WHORL_SCALE=1 WHORL_COMMAND_LOG=$folder/commands XDG_STATE_HOME=$folder/state
touch "$folder/commands"

fail() {
    echo "FAILED: $*" >&2
    for file in "$folder"/*; do echo "--- $file"; tail -n 60 "$file"; done >&2
    exit 1
}
# wait_for REGEX: until the last line of the log matches.
wait_for() {
    local tries=0
    until tail -n 1 "$folder/commands" | grep -qE -- "^$1\$"; do
        kill -0 "$pid" 2>/dev/null || fail "the program ended before '$1'"
        tries=$((tries + 1))
        [ $tries -gt 600 ] && fail "no '$1' at the end of the log"
        sleep 0.05
    done
}
# press KEY COMMAND: the key gives the command.
press() {
    xdotool key --delay 25 "$1"
    wait_for "$2"
}

"$whorl" matmul --paused --machine paper 2>"$folder/err" &
pid=$!
tries=0
until id=$(xdotool search --name '^Whorl: matmul$' 2>/dev/null | head -1) && [ -n "$id" ]; do
    tries=$((tries + 1))
    [ $tries -gt 600 ] && fail "no window 'Whorl: matmul'"
    kill -0 "$pid" 2>/dev/null || fail "the program ended"
    sleep 0.05
done
xdotool windowfocus "$id"
eval "$(xdotool getwindowgeometry --shell "$id")" # WIDTH and HEIGHT

# Keys: each does what the list of bindings says.
press Right "step 1"
press Left "step -1"
press space play
press space play
press Up faster
press Down slower
press plus zoom-in
press minus zoom-out
press 0 zoom-reset
press shift+Left "pan -0.5 0"
press Next "stride 1"
press Prior "stride -1"
press End seek-end
press Home seek-start
press l loop
press b ground
press b ground
press bracketright trails-longer
press bracketleft trails-shorter
press question help
press Escape close
press Tab panels
press Tab panels

# The strip: a press in the middle seeks there, a drag goes on.
strip=$((HEIGHT - 30))
xdotool mousemove --window "$id" $((WIDTH / 2)) $strip mousedown 1
wait_for "seek [0-9]+"
middle=$(tail -n 1 "$folder/commands" | cut -d' ' -f2)
[ "$middle" -gt 3500 ] && [ "$middle" -lt 5000 ] || fail "the middle of the strip is access $middle of 8448"
xdotool mousemove --window "$id" $((WIDTH / 4)) $strip
wait_for "seek (1[0-9]{3}|2[0-4][0-9]{2})"
xdotool mouseup 1

# A range: a drag with Shift or with the right button, keys at the playhead, and a handle that can be dragged.
xdotool keydown Shift_L mousemove --window "$id" $((WIDTH / 4)) $strip mousedown 1
sleep 0.3
xdotool mousemove --window "$id" $((WIDTH / 2)) $strip
wait_for "range [0-9]+ [0-9]+"
xdotool mouseup 1 keyup Shift_L
from=$(tail -n 1 "$folder/commands" | cut -d' ' -f2)
[ "$from" -gt 1000 ] && [ "$from" -lt 2500 ] || fail "a quarter of the strip is access $from of 8448"
xdotool mousemove --window "$id" $((WIDTH / 2)) $strip mousedown 1
sleep 0.3
xdotool mousemove --window "$id" $((WIDTH * 3 / 4)) $strip
wait_for "range $from (5[5-9][0-9]{2}|6[0-9]{3})"
xdotool mouseup 1
xdotool mousemove --window "$id" $((WIDTH / 3)) $strip mousedown 3
sleep 0.3
xdotool mousemove --window "$id" $((WIDTH / 2)) $strip
wait_for "range (2[0-9]{3}) (3[5-9]|4)[0-9]+"
xdotool mouseup 3
press e range-end
press x range-clear
press s range-start
press Escape close

# Searches: the first miss of matmul is its first access; the first mark is nowhere.
press Home seek-start
press n "search-found( [0-9]+)*"
press shift+n "(search-found.*|message .No earlier miss..)"
press k "message .No further mark.."
press Escape close
press v "search next eviction"
press Escape close
press g strip
press g strip
press g strip
press h heat
press p cpu-next

# The picture: a click somewhere on the ring of memory selects a block, Escape lets it go.
selected=
for x in 600 608 616 624 632 640 648 656 664 672; do
    xdotool mousemove --window "$id" $x 58
    sleep 0.2
    xdotool click 1
    sleep 0.3
    tail -n 1 "$folder/commands" | grep -q '^select ' && selected=1 && break
done
[ -n "$selected" ] || fail "no click at the ring of memory selects a block"
press Escape close

# What is selected is watched; what is looked up is selected, and told when it is not there.
press slash "focus none"
xdotool type --delay 25 "B[3][0]"
press Return "look-up B.3..0."
press Escape "(close|look-up-close)"
press w watch-selected
press shift+w watch-none
press ctrl+f "focus none"
xdotool type --delay 25 "nosuch"
xdotool key --delay 25 Return
wait_for "(look-up nosuch|focus none)"
sleep 0.5
press Escape "(look-up-close|close)"

# The wheel zooms at the mouse, a drag moves what is seen, the mini-map too, a double click shows all again.
xdotool mousemove --window "$id" 560 200
sleep 0.3
xdotool click 4
wait_for "zoom-at 1.25 .*"
xdotool click 4 click 4 click 4
sleep 0.8
for button in 1 2; do
    xdotool mousemove --window "$id" 560 200 mousedown $button
    sleep 0.3
    xdotool mousemove --window "$id" 620 260
    wait_for "drag .*"
    xdotool mouseup $button
    sleep 0.3
done
xdotool mousemove --window "$id" 560 200
sleep 0.3
xdotool click --repeat 2 --delay 30 1
wait_for "zoom-reset"

# What lies over the picture.
press a picture-card
press a picture-card
press d gauge-next
press shift+d gauge-previous
press f grain
press greater lapse-longer
press less lapse-shorter
press asterisk lapse-follows
press shift+l lecture
press shift+l lecture
press shift+m reduced-motion
press shift+m reduced-motion
press i explain
press i explain
press j legend
press y region-colour-card
press y region-colour-card
press shift+y region-colours-reset

# A splitter: dragging the line beside the left column widens it.
xdotool mousemove --window "$id" 258 300
sleep 0.3
xdotool mousedown 1 mousemove --window "$id" 308 300
wait_for "panel-size left .*"
xdotool mouseup 1

# Fields: another machine, another program, by keys alone.
press m "focus none"
xdotool type --delay 25 "1K/2/32"
xdotool key --delay 25 Return
wait_for "machine 1K/2/32"
press o "focus none"
xdotool type --delay 25 "bubblesort:n=32"
xdotool key --delay 25 Return
wait_for "open bubblesort:n=32"
tries=0
until xdotool search --name '^Whorl: bubblesort:n=32$' >"$folder/found" 2>/dev/null; do
    tries=$((tries + 1))
    [ $tries -gt 200 ] && fail "the new program does not come"
    sleep 0.05
done

# The window as small as a stamp, and back.
xdotool windowsize "$id" 120 90
sleep 0.5
press Right "step 1"
xdotool windowsize "$id" 1200 800
sleep 0.5
press Right "step 1"

press ctrl+q quit
wait "$pid"
status=$?
pid=
[ $status = 0 ] || fail "the program ended with status $status"
[ -s "$folder/err" ] && fail "something was said on standard error"

# What was chosen is kept: the legend that was put away, and the column that was widened.
grep -q '"legend": false' "$folder/state/whorl/session.json" || fail "the legend is not kept"
grep -q '"left": 256.0' "$folder/state/whorl/session.json" && fail "the width of the column is not kept"
printf '{"trails": "many"}' >"$folder/state/whorl/session.json"

# A scene: it waits at its moment, of which the next miss tells.
"$whorl" --scene fig1a 2>"$folder/err" &
pid=$!
tries=0
until id=$(xdotool search --name '^Whorl: matmul:n=16$' 2>/dev/null | head -1) && [ -n "$id" ]; do
    tries=$((tries + 1))
    [ $tries -gt 600 ] && fail "no window for the scene"
    kill -0 "$pid" 2>/dev/null || fail "the program ended before the scene"
    sleep 0.05
done
xdotool windowfocus "$id"
sleep 1
# The broken file is told of; nothing was chosen, so that it stays.
press Escape close
press n "search-found 39[12][0-9] 0"
press ctrl+q quit
wait "$pid"
status=$?
pid=
[ $status = 0 ] || fail "the scene ended with status $status"
[ -s "$folder/err" ] && fail "the scene said something on standard error"

[ "$(cat "$folder/state/whorl/session.json")" = '{"trails": "many"}' ] || fail "a broken file is not left alone"

# An input that cannot be opened: no window is left with nothing in it, but a sentence and a status.
printf 'R 0x1000\nnonsense\n' >"$folder/bad.trace"
status=0
timeout 60 "$whorl" "$folder/bad.trace" 2>"$folder/err" || status=$?
[ $status = 2 ] || fail "a bad trace gave status $status"
grep -q 'bad.trace:2: ' "$folder/err" || fail "a bad trace is not told with its line"
echo "the window does what it is told"
