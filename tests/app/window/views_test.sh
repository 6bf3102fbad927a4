#!/bin/bash
# The views of a run's history in a real window on a display of its own, driven by keys and mouse. Asserts on the log of
# commands. Where nodes and stays lie is not known here: a grid of clicks looks for them.
#
#   views_test.sh WHORL
#
# With WHORL_SHOTS=FOLDER it leaves pictures of the steps there.
set -u
whorl=$1
if [ "${WHORL_VIEWS_TEST_INSIDE:-}" != 1 ]; then
    # -noreset: a server without clients would start anew, and fail those who come at that moment.
    # A key counts as held after 3 seconds only: on a busy machine a short press can take long.
    WHORL_VIEWS_TEST_INSIDE=1 exec xvfb-run -a -s "-screen 0 1400x1000x24 -nolisten tcp -noreset -ardelay 3000" "$0" "$@"
fi
folder=$(mktemp -d)
pid=
trap '[ -n "$pid" ] && kill "$pid" 2>/dev/null; rm -rf "$folder"' EXIT
export LIBGL_ALWAYS_SOFTWARE=1 WHORL_SCALE=1 WHORL_COMMAND_LOG=$folder/commands XDG_STATE_HOME=$folder/state
log=$folder/commands
touch "$log"

fail() {
    echo "FAILED: $*" >&2
    shot failed
    for file in "$folder"/*; do echo "--- $file"; tail -n 60 "$file"; done >&2
    exit 1
}
shot() { [ -z "${WHORL_SHOTS:-}" ] || import -window root "$WHORL_SHOTS/$1.png"; }

# Where the log stood when the last step began. Views put their cameras into it as they like, so that a step is told by
# any line since then.
seen=0
begin() { seen=$(wc -l <"$log"); }
since() { tail -n +$((seen + 1)) "$log"; }
# has REGEX: whether a line since then is all of this.
has() { since | grep -qE -- "^($1)\$"; }
# wait_for REGEX [TRIES]
wait_for() {
    local tries=0
    until has "$1"; do
        kill -0 "$pid" 2>/dev/null || fail "the program ended before '$1'"
        tries=$((tries + 1))
        [ $tries -gt 600 ] && fail "no '$1' since line $seen of the log"
        sleep 0.05
    done
}
# press KEY COMMAND: the key gives the command.
press() {
    begin
    xdotool key --delay 25 "$1"
    wait_for "$2"
}
# All input so far has been taken, and what panels made of it: input keeps its order, and this key comes through even
# where a field has the keyboard. What a panel queues is done a frame later, so that it takes the key twice.
settle() {
    local round tries=0
    for round in 1 2; do
        xdotool key --delay 10 F8
        until [ "$(since | grep -cx block-colours)" -ge $round ]; do
            tries=$((tries + 1))
            [ $tries -gt 600 ] && fail "the input is not taken"
            sleep 0.02
        done
    done
}
at() { xdotool mousemove --window "$id" "$1" "$2"; }
# find_by_click REGEX X0 X1 DX Y0 Y1 DY: clicks along a grid until the log says this; then x and y are there.
find_by_click() {
    local regex=$1 column row
    for ((row = $5; row <= $6; row += $7)); do
        for ((column = $2; column <= $3; column += $4)); do
            begin
            at "$column" "$row"
            xdotool click 1
            settle
            has "$regex" && x=$column && y=$row && return 0
        done
    done
    fail "no click between $2,$5 and $3,$6 gives '$regex'"
}

"$whorl" vecadd:chunk=1 --paused 2>"$folder/err" &
pid=$!
tries=0
until id=$(xdotool search --name '^Whorl: vecadd:chunk=1$' 2>/dev/null | head -1) && [ -n "$id" ]; do
    tries=$((tries + 1))
    [ $tries -gt 600 ] && fail "no window 'Whorl: vecadd:chunk=1'"
    kill -0 "$pid" 2>/dev/null || fail "the program ended"
    sleep 0.05
done
xdotool windowmove "$id" 0 0 windowsize "$id" 1400 1000 windowfocus "$id"

# --- which views stand on the window
press F3 "views source"
wait_for "camera source off .*" # it is there as soon as the history is known
press F4 "views object"
press F5 "views block"
press F6 "views collisions"
seen=0
wait_for "camera object .*" # it may have come before the last key
press Return view-next
sleep 0.5
shot all
press F2 "views rings"
press Tab panels

# --- the SourceView alone: a line is picked, and let go of
press F4 "views object"
press F5 "views block"
press F6 "views collisions"
sleep 0.3
find_by_click "pick-source [0-9]+" 500 900 80 500 740 40
shot source
press Escape close
# What the mouse does: turn, move, come nearer, and show all again.
for how in turn move; do
    at 700 200
    [ $how = move ] && xdotool keydown Shift_L
    begin
    xdotool mousedown 1
    sleep 0.1
    at 760 230
    wait_for "camera source on .*"
    xdotool mouseup 1
    [ $how = move ] && xdotool keyup Shift_L
    settle
    since | grep '^camera source on ' | tail -1 >"$folder/$how"
done
# camera VIEW HAND TARGET(3) AZIMUTH ELEVATION SPAN PERSPECTIVE: turning changes the angles, moving only the target.
read -r _ _ _ tx ty tz azimuth elevation span _ <"$folder/turn"
read -r _ _ _ mx my mz moved_azimuth moved_elevation moved_span _ <"$folder/move"
[ "$azimuth $elevation $span" = "$moved_azimuth $moved_elevation $moved_span" ] || fail "a drag with Shift turns"
[ "$tx $ty $tz" != "$mx $my $mz" ] || fail "a drag with Shift does not move"
begin
xdotool click 4
wait_for "camera source on .*"
nearer=$(since | grep '^camera source on ' | tail -1 | cut -d' ' -f9)
awk "BEGIN { exit !($nearer < 0.9 * $span) }" || fail "the wheel does not come nearer: $span, then $nearer"
begin
at 300 200
xdotool click --repeat 2 --delay 30 1
wait_for "camera source( off)? .*"
has "camera source off .*" || fail "a double click does not show all again"
# Keys do the same.
press plus zoom-in
press minus zoom-out
press ctrl+Left "turn -1 0"
press shift+Left "pan -0.5 0"
press 0 zoom-reset
press shift+o order
press shift+o order
press q drag-moves
press q drag-moves

# --- the ObjectView: a word, then an object
press F4 "views object"
press z view-alone
wait_for "camera object .*"
press u words
sleep 0.3
find_by_click "pick-object object [0-9]+ 0x[0-9a-f]+" 440 960 65 400 760 45
press u words
sleep 0.3
find_by_click "pick-object word 0 0x[0-9a-f]+" 440 960 65 400 760 45
press F9 class-colours
shot objects
press F9 class-colours
press Escape close
press z view-alone
press F3 "views source"

# --- the BlockViews: a stay in each of the two
press F5 "views block"
press F4 "views object"
wait_for "camera block:0 .*"
sleep 0.3
# Two tiles, one beside the other or one above the other: a click in a tile works in it.
find_by_click "pick-stay 0 [0-3] [0-9]+ [0-9]+ 0x[0-9a-f]+" 340 560 22 420 620 50
x1=$x y1=$y
shot blocks
find_by_click "pick-stay 1 [0-3] [0-9]+ [0-9]+ 0x[0-9a-f]+" 1000 1260 26 420 620 50
settle
at $x1 $y1
begin
xdotool click 1
wait_for "pick-(stay|none).*"
# A lens over the time between two places, and away with a look at it.
begin
xdotool keydown Control_L
at 420 520
xdotool mousedown 1
sleep 0.2
at 500 500
wait_for "lens [0-9]+ [0-9]+"
xdotool mouseup 1 keyup Control_L
read -r _ from to <<<"$(since | grep '^lens ' | tail -1)"
[ "$from" -lt "$to" ] || fail "the lens goes from $from to $to"
shot lens
begin
press shift+z lens-view
wait_for "camera block:[01] on .*"
press 0 zoom-reset
for cpu in 1 2 3; do press $cpu "cpu-plane $((cpu - 1))"; done
shot planes
for cpu in 1 2 3; do press $cpu "cpu-plane $((cpu - 1))"; done
for _ in 1 2 3 4 5; do press F7 block-draw; done
press F8 block-colours
shot states
press shift+i stays-invalidated
press shift+i stays-invalidated
press shift+x stays-replaced
press shift+x stays-replaced
press shift+s stays-other
press shift+s stays-other
press Escape close

# --- collisions: a click on a cell seeks its next moment
press F6 "views collisions"
press F5 "views block"
sleep 0.3
find_by_click "seek [0-9]+" 200 300 40 120 240 30
now=$(since | grep '^seek ' | tail -1 | cut -d' ' -f2)
[ "$now" -ge 1 ] && [ "$now" -le 980 ] || fail "a collision at access $now of 980"
begin
at "$x" "$y"
xdotool click 1
wait_for "seek [0-9]+"
then=$(since | grep '^seek ' | tail -1 | cut -d' ' -f2)
[ "$then" != "$now" ] || fail "the next collision is at the same access, $now"
shot collisions

# --- what if: a name is typed, and tried; then both runs stand side by side
press F3 "views source"
press F6 "views collisions"
press Tab panels
sleep 0.3
# The field is where "h" is text, not a key.
field=
for ((y = 900; y > 300; y -= 12)); do
    begin
    at 215 $y
    xdotool click 1 key --delay 25 h
    settle
    if ! has heat; then field=$y && break; fi
done
[ -n "$field" ] || fail "no field to type the name of what is to lie elsewhere"
xdotool key --delay 25 ctrl+a
xdotool type --delay 25 "nosuch"
begin
xdotool key --delay 25 Return
wait_for "change align:nosuch:64"
sleep 0.5
shot nosuch
press Escape close
at 215 "$field"
xdotool click 1 key --delay 25 ctrl+a
xdotool type --delay 25 "class:Array"
settle
shot typed
find_by_click "change align:class:Array:64" 158 178 10 $((field + 22)) $((field + 46)) 6
sleep 1.5
shot compared
# Each of the two has half of the canvas: where only one is shown, its camera finds more room.
press shift+e compare
wait_for "camera source off .*"
shot alone
press shift+e compare
wait_for "camera source off .*"
[ -s "$folder/err" ] && fail "something was said on standard error"

press ctrl+q quit
wait "$pid"
status=$?
pid=
[ $status = 0 ] || fail "the program ended with status $status"
[ -s "$folder/err" ] && fail "something was said on standard error"
echo "the views do what they are told"
