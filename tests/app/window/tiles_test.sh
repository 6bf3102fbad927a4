#!/bin/bash
# Tiles and layouts in a real window on its own display: tiles are dragged by their titles, sized at their borders, shown
# alone, closed; layouts come and go by name, and the tiles of the last time are there again. Asserts on the log of
# commands and on places.
#
#   tiles_test.sh WHORL
#
# With WHORL_SHOTS=FOLDER it stores screenshots of the steps there.
set -u
whorl=$1
# shellcheck source=tests/app/window/driver.sh
source "$(dirname "$(readlink -f "$0")")/driver.sh"
on_display "$@"
prepare

open_window "Whorl: matmul:n=12" matmul:n=12 --machine "1K/2/32, 8K/4/64" --paused
resize 1400 900

# tiles_are VIEWS: the views with a tile, from the left to the right, are these.
tiles_now() { grep -E '^[0-9]+ [0-9]+ tile ' "$places" | sort -n | cut -d' ' -f4 | tr '\n' ' '; }
tiles_are() { is_current && [ "$(tiles_now)" = "$1 " ]; }
is_gone() { is_current && ! grep -qE -- "^[0-9]+ [0-9]+ ($1)\$" "$places"; }

# --- one view has no bar, several have
until_true "no bar" is_gone "title rings"
press shift+F2 "views memory"
press shift+F7 "views phases"
place "title rings"
place "close phases"
shot three

# --- a title is dragged beside another tile, and into its middle; Escape lets go
# drop_on TITLE VIEW DX DY: drags the title to a point of that view's tile, from its middle.
drop_on() {
    place "tile $2"
    local to_x=$((x + $3)) to_y=$((y + $4))
    move_to "title $1"
    down 1
    at $(((x + to_x) / 2)) $(((y + to_y) / 2))
    at "$to_x" "$to_y"
}
place "tile rings"
was_x=$x was_y=$y
drop_on phases rings 0 0
shot held
begin
up 1
wait_for "tile-move phases swap rings"
place "tile phases"
# The rings are a little lower in their tile, under the bar.
[ "$x" = "$was_x" ] && [ $((was_y - y)) -lt 30 ] || fail "phases are at $x $y, the rings were at $was_x $was_y"
press ctrl+z undo
drop_on phases rings 0 0
begin
xdotool key --delay 25 Escape
at $((x + 3)) $((y + 3))
at $((x + 5)) $((y + 5))
up 1
at $((x + 8)) $((y + 8))
until_true "a frame" is_current
has "tile-move .*" && fail "Escape does not let go"
has close && fail "Escape closes something while a tile is held"
# To the left edge.
drop_on memory rings -150 0
begin
up 1
wait_for "tile-move memory left rings"
shot moved

# --- a border is dragged: one change, whatever its length. The first is between the rows, the second upright.
move_to "border 1"
was_x=$x
drag 1 $((x + 60)) "$y" "tile-border 1 0[.][0-9]+"
until_true "a frame" is_current
place "border 1"
[ "$x" -ge $((was_x + 50)) ] || fail "the border is at $x, after $was_x"
shot sized
move_to "border 1"
double_click "tile-border 1 0[.]5"
press ctrl+z undo

# --- a double click on a title shows its view alone, another all again; and so do the buttons
move_to "title memory"
double_click view-alone
until_true "memory alone" tiles_are memory
shot alone
move_to "title memory"
double_click view-alone
place "tile rings"
click_on "alone phases" view-alone
until_true "phases alone" tiles_are phases
click_on "alone phases" view-alone
place "tile rings"

# --- views and second panes are closed
# In a small tile, controls are in a list.
move_to "more memory"
xdotool click 1
click_on "list [+] pane memory" "pane-add memory"
xdotool key --delay 25 Escape
place "close memory[.]1"
shot pane
click_on "close memory[.]1" "view memory.1"
until_true "the pane is closed" is_gone "tile memory[.]1"
# One that is alone is closed, too: the others come back.
click_on "alone phases" view-alone
click_on "close phases" "view phases"
place "tile rings"
until_true "phases are closed" is_gone "tile phases"

# --- layouts by name, without quotes
# run_command WORDS: in the palette.
run_command() {
    press ctrl+p "ask command"
    type_words "$1"
    begin
    xdotool key --delay 25 Return
    wait_for "do \"$1\""
}
for layout in "find my misses" sharing "memory map"; do
    run_command "layout $layout"
    place "title .*"
    until_true "a frame" is_current
    shot "layout_${layout// /_}"
done
run_command "layout-save of mine"
press Escape close
run_command "layout film"
until_true "no panels" is_gone "title .*"
shot layout_film
run_command "layout lecture"
until_true "no bars" is_gone "title .*"
shot layout_lecture
run_command "layout of mine"
place "title memory"
expect="$(tiles_now)"
close_window

# --- the tiles of the last time, and the layouts of one's own
: >"$log"
open_window "Whorl: matmul:n=8" matmul:n=8 --machine "1K/2/32, 8K/4/64" --paused
place "title memory"
[ "$(tiles_now)" = "$expect" ] || fail "the tiles were $expect, and are $(tiles_now)"
run_command "layout-remove of mine"
run_command "layout of mine"
shot refused
xdotool key --delay 25 Escape
xdotool key --delay 25 Escape
close_window

# --- a layout to begin with
: >"$log"
open_window "Whorl: matmul:n=8" matmul:n=8 --paused --layout "find my misses"
place "title source"
place "title rings"
close_window
echo passed
