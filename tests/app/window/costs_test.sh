#!/bin/bash
# What costs most, in a real window on its own display: why it stalls, tables, picks, a saved file. Asserts on the log of
# commands and on the file.
#
#   costs_test.sh WHORL
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
resize 1400 1000

# --- why: the array that stalls most, and a cure to try
press F10 costs
place "why B"
shot why
click_on "why B" "pick-region [0-9]+"

# --- tables: picked by a click, in the order that a heading chooses
click_on "costs lines" "costs-by lines"
click_on "cost [^ ]*:[0-9]+" "pick-source [0-9]+"
click_on "costs regions" "costs-by regions"
place "cost A"
place "cost B"
shot regions
click_on "cost A" "pick-region [0-9]+"

# --- only what the filter lets through is saved, to a new file each time
place "field costs"
at "$x" "$y"
xdotool click 1
xdotool type --delay 30 "b"
is_filtered() { is_current && grep -q " cost B$" "$places" && ! grep -q " cost A$" "$places"; }
until_true "the filter" is_filtered
click_on "save costs" 'message "Saved as whorl-regions.csv in /.*"'
click_on "save costs" 'message "Saved as whorl-regions-2.csv in /.*"'
cmp whorl-regions.csv whorl-regions-2.csv || fail "two files differ"
[ "$(cut -d, -f1 whorl-regions.csv | tr '\n' ' ')" = "region B " ] || fail "$(cat whorl-regions.csv)"
# The figures are those of the command.
"$whorl" stats matmul:n=16 --machine "1K/2/32, 8K/4/64" --by region --csv >stats.csv
[ "$(grep ^B, stats.csv)" = "$(grep ^B, whorl-regions.csv | cut -d, -f1-3,5-)" ] || fail "other figures than stats"
shot saved

# --- a history is computed for tables that need one
click_on "costs classes" "costs-by classes"
press shift+F10 costs-by
place "costs sharing"
press shift+F10 costs-by
place "why B"
press F10 costs
is_closed() { is_current && ! grep -q " why B$" "$places"; }
until_true "the end" is_closed
close_window
echo passed
