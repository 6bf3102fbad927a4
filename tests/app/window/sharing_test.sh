#!/bin/bash
# The table of sharing in a real window on its own display: it is in the window when it is opened, its rows pick, a cure
# is tried, its key closes it, and its figures are those of the command. Asserts on the log of commands, on places and on
# the file that is saved.
#
#   sharing_test.sh WHORL
#
# With WHORL_SHOTS=FOLDER it stores screenshots of the steps there.
set -u
whorl=$(readlink -f "$1")
# shellcheck source=tests/app/window/driver.sh
source "$(dirname "$(readlink -f "$0")")/driver.sh"
on_display "$@"
prepare
cd "$folder" || fail "no folder"

{
    printf 'region first 0x1000 4\nregion second 0x1004 4\n'
    for _ in $(seq 50); do printf 'W 0x1000 4 cpu=0\nW 0x1004 4 cpu=1\n'; done
} >shared.trace
open_window "Whorl: shared.trace" shared.trace --machine coherence --paused
resize 1280 720

# is_inside REGEX: what has this name is in the window.
is_inside() {
    place "$1"
    if [ "$x" -le 0 ] || [ "$x" -ge 1280 ] || [ "$y" -le 0 ] || [ "$y" -ge 720 ]; then
        fail "$1 is at $x $y, outside of the window"
    fi
}

# --- the key opens it where it is seen
press shift+q sharing
is_inside "sharing block L1 0x1000"
is_inside "sharing offset L1 0x1000\+0"
is_inside "sharing offset L1 0x1000\+4"
is_inside "costs sharing"
shot open

# --- rows pick; the BlockView of the level comes
click_on "sharing offset L1 0x1000\+4" "pick-object word 0 0x1004"
has "view block:0" || fail "the row shows no BlockView"
shot picked
place "tile block:0"
click_on "sharing block L1 0x1000" "pick-stay 0 [01] [0-9]+ [0-9]+ 0x1000|pick-object word 0 0x100[04]"
has "view block:0" && fail "the second pick hides the BlockView"

# --- its figures are those of the command
click_on "save costs" 'message "Saved as whorl-sharing.csv in /.*"'
"$whorl" sharing shared.trace --machine coherence --csv >command.csv
diff command.csv whorl-sharing.csv || fail "other figures than the command"
[ "$(cut -d, -f1-3,7,8 whorl-sharing.csv | tail -n 1)" = "L1,0x1000,0,0,50" ] || fail "$(cat whorl-sharing.csv)"

# --- the key closes it and opens it again
press shift+q sharing
is_closed() { is_current && ! grep -q " costs sharing$" "$places"; }
until_true "the end" is_closed

# --- the count of such misses leads to it, too
click_on "misses false sharing" "costs-by sharing"
is_inside "costs sharing"

# --- a cure is tried beside the run as it was
is_inside "sharing cure align:second:32"
click_on "sharing cure align:second:32" "change align:second:32"
close_window
echo passed
