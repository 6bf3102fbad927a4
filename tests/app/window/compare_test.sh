#!/bin/bash
# Two runs side by side in a real window: both open, change places while a key is held, and their playheads are locked.
#
#   compare_test.sh WHORL
#
# With WHORL_SHOTS=FOLDER it stores screenshots of the steps there.
set -u
whorl=$1
# shellcheck source=tests/app/window/driver.sh
source "$(dirname "$(readlink -f "$0")")/driver.sh"
on_display "$@"
prepare

# before A B: whether the first tile is on the left of the second, or above it.
before() {
    place "$1"
    local first=$((x + y))
    place "$2"
    [ "$first" -lt $((x + y)) ]
}
no_place() { is_current && ! grep -qE -- "^[0-9]+ [0-9]+ ($1)\$" "$places"; }

open_window "Whorl: matmul:n=8" matmul:n=8 --with matmul:n=8,variant=blocked --paused
resize 1400 1000
before "tile rings" "tile rings@1" || fail "the first run is not first"
press End seek-end
shot pair

# --- while the key is held they change places
begin
xdotool keydown BackSpace
wait_for "exchange on"
until_true "the second run first" before "tile rings@1" "tile rings"
shot exchanged
begin
xdotool keyup BackSpace
wait_for "exchange off"
until_true "the first run first again" before "tile rings" "tile rings@1"

# --- one of them alone, and in its place the other
press shift+e compare
until_true "one run" no_place "tile rings@1"
begin
xdotool keydown BackSpace
wait_for "exchange on"
place "tile rings@1"
until_true "the other in its place" no_place "tile rings"
xdotool keyup BackSpace
place "tile rings"
press shift+e compare
place "tile rings@1"

# --- the lock, by mouse and by key; and one run alone, or both
place lock
at "$x" "$y"
xdotool click 1
click_on "lock share" "lock share"
place "lock"
shot locked
click_on "side by side" compare
until_true "one run" no_place "tile rings@1"
click_on "side by side" compare
place "tile rings@1"
press ctrl+l "lock"
press ctrl+l "lock"
press ctrl+l "lock"
press F3 "views source"
press shift+F7 "views phases"
place "tile source@1"
place "tile phases@1"
# A click in the rows of the second run.
at "$x" $((y - 20))
begin
xdotool click 1
wait_for "seek [0-9.]+"
shot views
close_window
