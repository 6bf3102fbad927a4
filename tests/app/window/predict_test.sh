#!/bin/bash
# Predicting accesses in a real window on its own display: asked by a key, answered by mouse and keys, played then.
# Asserts on the log of commands and on the places of what is drawn.
#
#   predict_test.sh WHORL
#
# With WHORL_SHOTS=FOLDER it stores screenshots of the steps there.
set -u
whorl=$(readlink -f "$1")
# shellcheck source=tests/app/window/driver.sh
source "$(dirname "$(readlink -f "$0")")/driver.sh"
on_display "$@"
prepare
cd "$folder" || fail "no folder"

open_window "Whorl: matmul:n=16" matmul:n=16 --machine "1K/2/32, 8K/4/64" --paused
resize 1280 720

# --- a question; the answers by mouse and by key
press ctrl+t "predict telling"
place "predict show"
shot asked
click_on "predict set [0-9]+" "predict-set [0-9]+"
press ctrl+h "predict-hit on"
click_on "predict none" predict-no-victim
place "predict next"
shot played

# --- the next one, which is shown unanswered; then on the light ground
press ctrl+n predict-next
press b ground
click_on "predict show" predict-reveal
place "predict next"
shot light

# --- a set is played; Escape ends it
press ctrl+k "predict sequence"
place "predict miss"
click_on "predict miss" "predict-hit off"
shot sequence
press Escape close
is_closed() { is_current && ! grep -q " predict show$" "$places"; }
until_true "the end" is_closed
close_window
echo passed
