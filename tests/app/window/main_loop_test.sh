#!/bin/bash
# The program in a real window on its own display, driven by keys and mouse. Asserts on the log of commands.
#
#   main_loop_test.sh WHORL
set -u
whorl=$1
# shellcheck source=tests/app/window/driver.sh
source "$(dirname "$(readlink -f "$0")")/driver.sh"
on_display "$@"
prepare

open_window "Whorl: matmul" matmul --paused --machine paper

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

# The strip: a press in the middle seeks there, a drag continues seeking.
place strip
strip_x=$x strip_y=$y
# on_strip N: moves the mouse N twelfths of the window's width from the left.
on_strip() { at $((strip_x * 2 * $1 / 12)) "$strip_y"; }
on_strip 6
begin
down 1
wait_for "seek [0-9.]+"
middle=$(last seek | cut -d' ' -f2)
[ "${middle%.*}" -gt 4000 ] && [ "${middle%.*}" -lt 4450 ] || fail "the middle of the strip is access $middle of 8448"
on_strip 3
wait_for "seek (1[0-9]{3}|2[0-4][0-9]{2})(\.[0-9]+)?"
up 1

# A range: a drag with Shift, keys at the playhead, and a handle that can be dragged.
begin
xdotool keydown Shift_L
down 1
on_strip 6
wait_for "range [0-9]+ [0-9]+"
up 1
xdotool keyup Shift_L
from=$(last range | cut -d' ' -f2)
[ "$from" -gt 1000 ] && [ "$from" -lt 2500 ] || fail "a quarter of the strip is access $from of 8448"
begin
down 1
on_strip 9
wait_for "range $from (5[5-9][0-9]{2}|6[0-9]{3})"
up 1
press e range-end
press x range-clear
press s range-start
press Escape close

# Searches: the first miss of matmul is its first access; there is no mark.
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

# The menu of searches opens, with a line for each kind, and closes.
place next
at "$x" "$y"
xdotool click 1
at $((x + 1)) "$y"
at $((x + 2)) "$y"
shot searches
at $((x - 350)) 40
xdotool click 1
for _ in 1 2 3; do press g strip; done

# The picture: a click on a block selects it, Escape clears the selection.
place "select 0x[0-9a-f]+"
click_on "select 0x[0-9a-f]+" "select 0x[0-9a-f]+"
press Escape close

# The selection is watched; a lookup selects, or reports that there is no match.
press slash "focus none"
type_words "B[3][0]"
press Return "look-up B.3..0."
press Escape "(close|look-up-close)"
press w watch-selected
press shift+w watch-none
press ctrl+f "focus none"
type_words "nosuch"
press Return "look-up nosuch"
press Escape "(look-up-close|close)"

# The wheel zooms at the mouse, a drag pans, the mini-map too, a double click resets the view.
place "tile rings"
mid_x=$x mid_y=$y
at "$mid_x" $((mid_y - 100))
begin
xdotool click 4
wait_for "zoom-at 1.3 .*"
xdotool click 4 click 4 click 4
for button in 1 2; do
    at "$mid_x" $((mid_y - 100))
    begin
    down $button
    at $((mid_x + 60)) $((mid_y - 40))
    wait_for "drag .*"
    up $button
done
begin
xdotool click --repeat 2 --delay 30 1
wait_for "zoom-reset"

# Overlays of the picture.
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
press shift+u fill-by-use
press shift+u fill-by-use
press shift+m reduced-motion
press shift+m reduced-motion
press i explain
press i explain
press j legend
press y region-colour-card
press y region-colour-card
press shift+y region-colours-reset

# A splitter: dragging the line beside the left column widens it.
place "splitter left"
at "$x" "$y"
begin
down 1
at $((x + 50)) "$y"
wait_for "panel-size left .*"
up 1

# Fields: another machine, another program, by keyboard only.
press m "focus none"
type_words "1K/2/32"
press Return "machine 1K/2/32"
press o "focus none"
type_words "bubblesort:n=32"
press Return "open bubblesort:n=32"
until_true "the new program" has_window "Whorl: bubblesort:n=32"

# A very small window, and back.
is_size() { eval "$(xdotool getwindowgeometry --shell "$id")" && [ "$WIDTH $HEIGHT" = "$1" ]; }
for size in "120 90" "1200 800"; do
    # shellcheck disable=SC2086
    xdotool windowsize "$id" $size
    until_true "a window of $size" is_size "$size"
    press Right "step 1"
done
close_window

# Settings are saved: the hidden legend and the widened column.
grep -q '"legend": false' "$folder/state/whorl/session.json" || fail "the legend is not kept"
grep -q '"left": 256.0' "$folder/state/whorl/session.json" && fail "the width of the column is not kept"
printf '{"trails": "many"}' >"$folder/state/whorl/session.json"

# A scene: it waits at its position, of which the next miss is described.
open_window "Whorl: matmul:n=16" --scene fig1a
# The corrupt file is reported; no setting was changed, so it stays.
press Escape close
press n "search-found 39[12][0-9] 0"
close_window

[ "$(cat "$folder/state/whorl/session.json")" = '{"trails": "many"}' ] || fail "a broken file is not left alone"

# An input that cannot be opened: no empty window, but an error message and an exit status.
printf 'R 0x1000\nnonsense\n' >"$folder/bad.trace"
status=0
timeout 60 "$whorl" "$folder/bad.trace" 2>"$folder/err" || status=$?
[ $status = 2 ] || fail "a bad trace gave status $status"
grep -q 'bad.trace:2: ' "$folder/err" || fail "a bad trace is not told with its line"
echo "the window does what it is told"
