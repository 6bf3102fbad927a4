#!/bin/bash
# The life of an object in a real window on its own display: it follows the pick, a click on a box picks the source line
# in all views, and it is kept. Asserts on the log of commands.
#
#   life_test.sh WHORL
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

# --- the key shows and hides it; without a pick it has no boxes
press alt+f "views life"
place "tile life"
find_place "pick-source [0-9]+" && fail "there are boxes though nothing is picked"
shot nothing
press alt+f "views life"

# --- the button under PICKED opens it for the picked object
press F4 "views object"
press F2 "views rings"
click_on "pick-object .*" "pick-object .*"
shot picked
click_on "button life" "life-show"
place "tile life"
shot object

# --- a click on a box picks its source line, and the object stays picked
click_on "pick-source [0-9]+" "pick-source [0-9]+"
has "select-none" && fail "the pick of the object is cleared"
place "pick-source [0-9]+"
shot line

# --- it is kept when the pick is cleared, or follows it
click_on "keep life" "history-keep life"
press Escape close
place "pick-source [0-9]+"
shot kept
click_on "keep life" "history-keep life"
close_window
