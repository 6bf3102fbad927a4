#!/bin/bash
# The views of a run's history in a real window on its own display, driven by keys and mouse. Asserts on the log of
# commands.
#
#   views_test.sh WHORL
#
# With WHORL_SHOTS=FOLDER it stores screenshots of the steps there.
set -u
whorl=$1
# shellcheck source=tests/app/window/driver.sh
source "$(dirname "$(readlink -f "$0")")/driver.sh"
on_display "$@"
prepare

open_window "Whorl: vecadd:chunk=1" vecadd:chunk=1 --paused
resize 1400 1000

# --- which views are in the window
press F3 "views source"
wait_for "camera source off .*" # it is there as soon as the history is known
start=$seen
press F4 "views object"
press F5 "views block"
press F6 "views collisions"
seen=$start
wait_for "camera object .*" # it may have come before the last key
press Return view-next
place "tile collisions"
shot all
press F2 "views rings"
press Tab panels

# --- the SourceView alone: a line is picked, and the pick cleared
press F4 "views object"
press F5 "views block"
press F6 "views collisions"
click_on "pick-source [0-9]+" "pick-source [0-9]+"
shot source
press Escape close
# The mouse: turn, zoom in, move what is zoomed, turn that with Ctrl, and reset. Below its middle there are nodes, above
# only ground.
place "tile source"
mid_x=$x
# camera_after COMMAND...: what the view's camera is after it.
camera_after() {
    begin
    "$@"
    wait_for "camera source on .*"
}
for how in turn zoom move turn_zoomed; do
    at "$mid_x" 200
    if [ $how = zoom ]; then
        camera_after xdotool click 4
    else
        [ $how = turn_zoomed ] && xdotool keydown Control_L
        down 1
        camera_after at $((mid_x + 60)) 230
        up 1
        xdotool keyup Control_L
    fi
    until_true "a frame" is_current
    last "camera source on" >"$folder/$how"
done
# camera VIEW HAND TARGET(3) AZIMUTH ELEVATION SPAN PERSPECTIVE: turning changes the angles, moving only the target.
read -r _ _ _ _ _ _ first_azimuth _ first_span _ <"$folder/turn"
read -r _ _ _ tx ty tz azimuth elevation span _ <"$folder/zoom"
read -r _ _ _ mx my mz moved_azimuth moved_elevation moved_span _ <"$folder/move"
[ "$azimuth $elevation $span" = "$moved_azimuth $moved_elevation $moved_span" ] || fail "a drag of a zoomed view turns"
[ "$tx $ty $tz" != "$mx $my $mz" ] || fail "a drag of a zoomed view does not move"
[ "$first_azimuth" = "$azimuth" ] || fail "the wheel turns"
awk "BEGIN { exit !($span < 0.9 * $first_span) }" || fail "the wheel does not come nearer: $first_span, then $span"
read -r _ _ _ _ _ _ turned_azimuth _ <"$folder/turn_zoomed"
[ "$turned_azimuth" != "$moved_azimuth" ] || fail "Ctrl and a drag do not turn"
begin
xdotool click --repeat 2 --delay 30 1
wait_for "camera source off .*"
# Keys do the same.
press plus zoom-in
press minus zoom-out
press ctrl+Left "turn -1 0"
press shift+Left "pan -0.5 0"
press 0 zoom-reset
press shift+o order
press shift+o order

# --- the ObjectView: a word, then an object
press F4 "views object"
press z view-alone
wait_for "camera object .*"
press u words
click_on "pick-object object [0-9]+ 0x[0-9a-f]+" "pick-object object [0-9]+ 0x[0-9a-f]+"
press u words
click_on "pick-object word 0 0x[0-9a-f]+" "pick-object word 0 0x[0-9a-f]+"
press F9 class-colours
shot objects
press F9 class-colours
# opens_history NAME: Shift and a click open the history of what has this name, even soon after a click there.
opens_history() {
    place "$1"
    at "$x" "$y"
    begin
    hold Shift_L xdotool click 1
    wait_for history-show
    has "$1" || fail "Shift and a click do not pick $1"
    place "tile history"
    press shift+F6 "views history"
}
press Escape close
press z view-alone
opens_history "pick-object word 0 0x[0-9a-f]+"
press Escape close
press F3 "views source"

# --- the BlockViews: a stay in each of the two
press F5 "views block"
press F4 "views object"
# Two tiles: a click in a tile works in it.
for level in 0 1; do
    click_on "pick-stay $level [0-3] [0-9]+ [0-9]+ 0x[0-9a-f]+" "pick-stay $level [0-3] [0-9]+ [0-9]+ 0x[0-9a-f]+"
    shot "block$level"
done
opens_history "pick-stay 0 [0-3] [0-9]+ [0-9]+ 0x[0-9a-f]+"
# A lens over the time between two positions, shown in a screenshot, and removed.
place "tile block:0"
at $((x - 60)) "$y"
hold Control_L drag 1 $((x + 60)) "$y" "lens [0-9]+ [0-9]+"
read -r _ from to <<<"$(last lens)"
[ "$from" -lt "$to" ] || fail "the lens goes from $from to $to"
shot lens
# The lens is shown by the time, not by the camera.
begin
xdotool key --delay 25 shift+z
wait_for lens-view
wait_for "time-seen [0-9.]+ [0-9.]+"
has "camera block:[01] on .*" && fail "the camera goes to the lens"
read -r _ from to <<<"$(last time-seen)"
awk "BEGIN { exit !($from > 0 && $to < 980 && $from < $to) }" || fail "the lens is accesses $from to $to"
shot lens_shown
# The wheel zooms the time, with Ctrl the rows.
place "tile block:0"
at "$x" "$y"
# zoomed BUTTON: a notch of the wheel; afterwards the accesses from..to are shown.
zoomed() {
    begin
    xdotool click "$1"
    wait_for "time-seen [0-9.]+ [0-9.]+"
    read -r _ from to <<<"$(last time-seen)"
}
wide_from=$from wide_to=$to
zoomed 4
awk "BEGIN { exit !($wide_from <= $from && $to <= $wide_to && $to - $from < 0.99 * ($wide_to - $wide_from)) }" ||
    fail "the wheel: $wide_from $wide_to, then $from $to"
rows="block-rows block:0 [0-9.e-]+ [0-9.e-]+"
begin
xdotool keydown Control_L click 4 keyup Control_L
wait_for "$rows"
has "time-seen .*" && fail "Ctrl and the wheel zoom the time"
read -r _ _ top bottom <<<"$(last block-rows)"
awk "BEGIN { exit !(0 <= $top && $bottom <= 1 && $bottom - $top < 0.8) }" || fail "the rows $top to $bottom"
has "camera block:.*" && fail "the wheel moves the camera of a view that is seen face on"
shot zoomed
# Bars say where in all of it that is; they are dragged.
place "rows of the view"
at "$x" "$y"
drag 1 "$x" $((y + 60)) "$rows"
place "time of the view"
at "$x" "$y"
drag 1 $((x + 40)) "$y" "time-seen .*"
read -r _ from to <<<"$(last time-seen)"
place "tile block:0"
at "$x" "$y"
# Shift and a drag select a range of what is shown. All that is over time follows: the row of the player names both.
hold Shift_L drag 1 $((x + 80)) "$y" "range [0-9]+ [0-9]+"
has "camera block:.*" && fail "Shift and a drag move the camera"
read -r _ first last <<<"$(last range)"
awk "BEGIN { exit !($from - 1 <= $first && $first < $last && $last <= $to + 1) }" ||
    fail "the range $first to $last is not in $from to $to"
shot block_range
# A drag moves along the time.
press Tab panels
place "end range-clear"
place "end time-all"
place "tile block:0"
at "$x" "$y"
drag 1 $((x - 40)) "$y" "time-seen [0-9.]+ [0-9.]+"
read -r _ moved_from moved_to <<<"$(last time-seen)"
awk "BEGIN { exit !($moved_from > $from && $moved_to > $to) }" || fail "a drag moves from $from $to to $moved_from $moved_to"
has "camera block:.*" && fail "a drag along the time moves the camera"
shot face_on
double_click time-all
# The strip zooms the BlockViews.
place strip
at "$x" "$y"
zoomed 4
shot strip_zoomed
double_click time-all
click_on "end range-clear" range-clear
# A range that was selected on the strip does not make the next drag in a BlockView select another.
place strip
at "$x" "$y"
hold Shift_L drag 1 $((x + 80)) "$y" "range [0-9]+ [0-9]+"
place "tile block:0"
at "$x" "$y"
zoomed 4
# The pointer is in the lens, which it slides.
drag 1 $((x + 40)) "$y" "lens .*"
has "range .*" && fail "a drag without Shift selects a range"
has "time-seen .*" && fail "a drag of the lens moves the time"
press 0 zoom-reset
# One key turns it, and back.
begin
xdotool key --delay 25 ctrl+d
wait_for solid
wait_for "camera block:0 off .* 0.25"
shot solid
click_on "face yz" "face yz"
press 0 zoom-reset
press ctrl+d solid
# What is picked stands out; only that is left.
click_on "pick-stay 0 [0-3] [0-9]+ [0-9]+ 0x[0-9a-f]+" "pick-stay 0 [0-3] [0-9]+ [0-9]+ 0x[0-9a-f]+"
press alt+o lit-only
shot lit_only
press alt+o lit-only
click_on "end range-clear" range-clear
press Tab panels
for cpu in 1 2 3; do press $cpu "cpu-plane $((cpu - 1))"; done
shot planes
for cpu in 1 2 3; do press $cpu "cpu-plane $((cpu - 1))"; done
for _ in 1 2 3 4 5; do press F7 block-draw; done
press F8 block-colours
# The other BlockView keeps its own.
press Return view-next
shot different
press Return view-next
shot states
press shift+i stays-invalidated
press shift+i stays-invalidated
press shift+x stays-replaced
press shift+x stays-replaced
press shift+s stays-other
press shift+s stays-other
press Escape close

# --- collisions: a click on a cell seeks its next occurrence
press F6 "views collisions"
press F5 "views block"
click_on "seek [0-9]+" "seek [0-9]+"
now=$(last seek | cut -d' ' -f2)
[ "$now" -ge 1 ] && [ "$now" -le 980 ] || fail "a collision at access $now of 980"
begin
xdotool click 1
wait_for "seek [0-9]+"
then=$(last seek | cut -d' ' -f2)
[ "$then" != "$now" ] || fail "the next collision is at the same access, $now"
shot collisions
# With Shift it picks the pair, here and in the list of conflicting regions.
begin
xdotool keydown shift click 1 keyup shift
wait_for "pick-pair [0-9]+ [0-9]+"
shot pair

# --- what if: a name is typed, and tried; then both runs are shown side by side
press F3 "views source"
press F6 "views collisions"
press Tab panels
# What if is below: the column is scrolled.
at 100 500
xdotool click --repeat 15 --delay 30 5
at 101 500
at 102 500
# type_thing WORDS: replaces the content of the field. There is no command for the keyboard focus of this field: text
# typed after the click arrives there, because input keeps its order.
type_thing() {
    place "field what-if"
    at "$x" "$y"
    xdotool click 1 key --delay 25 ctrl+a
    type_words "$1"
}
type_thing nosuch
press Return "change align:nosuch:64"
shot nosuch
press Escape close
type_thing "class:Array"
shot typed
click_on "button what-if" "change align:class:Array:64"
wait_for "camera source off .*" # of half of the canvas
place "tile source@1"
shot compared
# Each run gets half of the canvas: where only one is shown, its camera has more room.
press shift+e compare
wait_for "camera source off .*"
shot alone
press shift+e compare
wait_for "camera source off .*"
close_window
echo "the views do what they are told"
