#!/bin/bash
# The views of cells and of time in a real window on its own display, driven by keys and mouse. Asserts on the log of
# commands.
#
#   cells_test.sh WHORL
#
# With WHORL_SHOTS=FOLDER it stores screenshots of the steps there.
set -u
whorl=$1
# shellcheck source=tests/app/window/driver.sh
source "$(dirname "$(readlink -f "$0")")/driver.sh"
on_display "$@"
prepare

open_window "Whorl: matmul:n=12" matmul:n=12 --machine "1K/2/32, 8K/4/64" --paused
resize 1400 1000

# --- keys show and hide the views
for key_and_view in 2:memory 3:memory-live 4:cache 5:cache-live 6:history 7:phases 8:cycles; do
    view=${key_and_view#*:}
    press "shift+F${key_and_view%:*}" "views $view"
    case $view in cache*) tile="$view:0" ;; *) tile=$view ;; esac
    place "tile $tile"
    shot "key_$view"
    press "shift+F${key_and_view%:*}" "views $view"
done

# --- memory: a click makes the view active and picks; all views follow
press shift+F2 "views memory"
press shift+F4 "views cache"
press Return view-next
place "tile memory"
click_on "pick-memory 0x[0-9a-f]+ 32" "pick-memory 0x[0-9a-f]+ 32"
has "view-active memory" || wait_for "view-active memory"
# The selected block is the one that was picked: its evictions can be found.
press v "search .*eviction.*"
wait_for "search-found .*"
shot picked

# The wheel comes nearer to what is under the pointer, a drag moves it, a double click shows all.
place "pick-memory 0x[0-9a-f]+ 32" 20
at "$x" "$y"
turn 4 "cell-zoom memory [0-9]+ 0 [0-9]+ [0-9]+"
before=$(last "cell-zoom memory" | number 3)
turn 4 "cell-zoom memory [0-9]+ 0 [0-9]+ [0-9]+"
[ "$(last "cell-zoom memory" | number 3)" -gt "$before" ] || fail "the wheel does not come nearer"
for _ in 1 2 3 4; do turn 4 "cell-zoom memory .*"; done
drag 1 $((x - 40)) $((y - 40)) "cell-zoom memory .*"
shot zoomed
place "tile memory"
at "$x" $((y + 40))
double_click "cell-fit memory"
# Keys do the same in the active view.
press plus zoom-in
wait_for "cell-zoom memory .*"
press plus zoom-in
wait_for "cell-zoom memory .*"
nearer=$(last "cell-zoom memory" | number 3)
press minus zoom-out
wait_for "cell-zoom memory .*"
[ "$(last "cell-zoom memory" | number 3)" -lt "$nearer" ] || fail "the key does not go away"
for way in Right Down Left Up; do
    press "shift+$way" "pan .*"
    wait_for "cell-zoom memory .*"
done
press 0 zoom-reset

# --- the cell of a cache is picked in its own view
click_on "pick-way 0 0 [0-9]+ [0-9]+" "pick-way 0 0 [0-9]+ [0-9]+"
wait_for "view-active cache:0"
shot cache
click_on "interleaved cache:0" "interleaved cache:0"
until_true "a frame" is_current
click_on "interleaved cache:0" "interleaved cache:0"
press shift+F4 "views cache"

# --- the controls: a choice from a list, and all of them in a list of their own
place "metric memory"
place "more memory"
at "$x" "$y"
xdotool click 1
place "list metric memory"
shot controls
# Escape closes the list, not the view.
is_gone() { is_current && ! grep -qE -- "^[0-9]+ [0-9]+ ($1)\$" "$places"; }
begin
xdotool key --delay 25 Escape
until_true "the list is closed" is_gone "list metric memory"
has close && fail "Escape closes more than the list"
place "tile memory"
# A click beside the list closes it, too.
place "more memory"
at "$x" "$y"
xdotool click 1
place "list metric memory"
place "tile memory"
at "$x" $((y + 150))
xdotool click 1
until_true "the list is closed" is_gone "list metric memory"

# --- the history of the picked cell
place "pick-memory 0x[0-9a-f]+ 32" 5
at "$x" "$y"
begin
hold Shift_L xdotool click 1
wait_for "history-show"
has "pick-memory 0x[0-9a-f]+ 32" || fail "Shift+click does not pick"
place "tile history"
click_on "seek [0-9]+" "seek [0-9]+"
first=$(last seek)
shot history
# It follows the next pick: other accesses, other bars.
click_on "pick-memory 0x[0-9a-f]+ 32" "pick-memory 0x[0-9a-f]+ 32"
until_true "a frame" is_current
click_on "seek [0-9]+" "seek [0-9]+"
[ "$(last seek)" != "$first" ] || fail "the history does not follow the pick: $first"
# Shift+drag chooses a range, a drag without moves what is seen, the wheel zooms, a double click shows all.
place "tile history"
at "$x" "$y"
turn 4 "time-seen [0-9.]+ [0-9.]+"
turn 4 "time-seen [0-9.]+ [0-9.]+"
width=$(last time-seen | awk '{ print $3 - $2 }')
drag 1 $((x - 50)) "$y" "time-seen [0-9.]+ [0-9.]+"
moved=$(last time-seen | awk '{ print $3 - $2 }')
awk "BEGIN { exit !(($width - $moved)^2 < 0.01 * $width * $width) }" || fail "a drag changes the span: $width, $moved"
at "$x" "$y"
hold Shift_L drag 1 $((x + 60)) "$y" "range [0-9]+ [0-9]+"
read -r _ from to <<<"$(last range)"
[ "$from" -lt "$to" ] || fail "the range goes from $from to $to"
shot range
# … and leaves the playhead where it was before its first click.
before=$(grep "^seek " "$log" | tail -n 1)
double_click time-all
until_true "a frame" is_current
[ "$(last seek)" = "$before" ] || fail "a double click moves the playhead: '$(last seek)', before '$before'"

# --- each filter is named in the row of the player, with an × that ends it
click_on "end range-clear" range-clear
place "tile history"
at "$x" "$y"
turn 4 "time-seen .*"
click_on "end time-all" time-all

# --- the strip has the same mouse
place strip
at "$x" "$y"
turn 4 "time-seen [0-9.]+ [0-9.]+"
turn 5 "time-seen [0-9.]+ [0-9.]+|time-all"
hold Shift_L drag 1 $((x + 80)) "$y" "range [0-9]+ [0-9]+"
at "$x" "$y"
turn 4 "time-seen [0-9.]+ [0-9.]+"
double_click time-all
# Escape ends what was chosen: first the pick, then the range.
press Escape close
press Escape close
until_true "a frame" is_current
grep -q "end range-clear" "$places" && fail "the range remains after Escape"

# --- phases: Shift and a drag choose a range, a click seeks
press shift+F6 "views history"
press shift+F7 "views phases"
place "tile phases"
at "$x" "$y"
begin
xdotool click 1
wait_for "seek [0-9]+"
hold Shift_L drag 1 $((x + 80)) "$y" "range [0-9]+ [0-9]+"
read -r _ from to <<<"$(last range)"
[ "$from" -lt "$to" ] || fail "the range of the phases goes from $from to $to"
shot phases

# --- costs over time: a click seeks, the wheel and a drag move along the one time, Shift+drag chooses a range
press shift+F7 "views phases"
press shift+F8 "views cycles"
place "tile cycles"
at "$x" "$y"
begin
xdotool click 1
wait_for "seek [0-9]+"
turn 4 "time-seen [0-9.]+ [0-9.]+"
turn 4 "time-seen [0-9.]+ [0-9.]+"
drag 1 $((x - 40)) "$y" "time-seen [0-9.]+ [0-9.]+"
at "$x" "$y"
hold Shift_L drag 1 $((x + 60)) "$y" "range [0-9]+ [0-9]+"
read -r _ from to <<<"$(last range)"
press alt+p critical-path
shot cycles
press alt+p critical-path
at "$x" "$y"
double_click time-all

# --- the rings open the history of a block, too
press shift+F8 "views cycles"
place "select 0x[0-9a-f]+"
at "$x" "$y"
begin
hold Shift_L xdotool click 1
wait_for history-show
has "select 0x[0-9a-f]+" || fail "Shift+click in the rings does not select"
place "tile history"
press shift+F6 "views history"

# --- a view keeps to the chosen range, and a second one to another place
press F2 "views rings"
press shift+F4 "views cache"
click_on "pin cache:1" "view-range cache:1 $from $to"
click_on "pinned × cache:1" "view-range-off cache:1"
press shift+F4 "views cache"
place "tile memory"
click_on "pick-memory 0x[0-9a-f]+ 32" "pick-memory 0x[0-9a-f]+ 32"
press shift+F6 "views history"
click_on "[+] history history" "pane-add history"
place "tile history[.]1"
click_on "keep history" "history-keep history"
click_on "memory of the range history" "pane-add memory on"
place "tile memory[.]1"
shot panes

# --- a word in the list of a cell is picked, and the list stays
press x range-clear
click_on "word .*" "pick-object word .*"
place "word .*"
shot word
click_on "button ×" select-none
close_window

# --- the strip names its levels, also where it has little room for many
: >"$log"
open_window "Whorl: matmul:n=4" matmul:n=4 --machine desktop --paused
resize 1280 720
for level in L1 L2 L3; do place "strip $level"; done
shot strip
close_window
echo passed
