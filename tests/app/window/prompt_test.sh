#!/bin/bash
# The command palette, the field for positions, the dialog for files, bookmarks, the clipboard and reloading in a real
# window. Asserts on the log of commands.
#
#   prompt_test.sh WHORL
set -u
whorl=$1
# shellcheck source=tests/app/window/driver.sh
source "$(dirname "$(readlink -f "$0")")/driver.sh"
on_display "$@"
prepare
cd "$folder" || exit 1
mkdir -p traces/deeper
"$whorl" trace matmul:n=8 -o traces/small.whorl || fail "no trace is written"
"$whorl" trace bubblesort:n=64 -o traces/deeper/sorted.whorl || fail "no trace is written"

open_window "Whorl: matmul" matmul --paused --machine paper

# The palette: what is typed is found, Enter does it, and what was chosen comes first the next time.
press ctrl+shift+p "ask command"
shot palette
type_words "next miss"
place "choice search next miss"
shot palette-typed
begin
xdotool key --delay 25 Return
wait_for 'do "search next miss"'
wait_for "search-found [0-9]+ [0-9]+"

# A command that needs an argument is put into the field; an error is told, and can be corrected.
press ctrl+p "ask command"
type_words "move the playhead"
place "choice seek …"
begin
xdotool key --delay 25 Return
wait_for 'ask command "seek "'
type_words "soon"
begin
xdotool key --delay 25 Return
wait_for 'do "seek soon"'
shot palette-error
xdotool key --delay 25 BackSpace BackSpace BackSpace BackSpace
type_words "1200"
begin
xdotool key --delay 25 Return
wait_for 'do "seek 1200"'

# With the arrows, and with the mouse.
press ctrl+p "ask command"
type_words "ground"
# The list changes with each letter; on a busy machine the last ones come late.
is_steady() {
    local before
    find_place "$1" && before="$x $y" && sleep 0.5 && find_place "$1" && [ "$x $y" = "$before" ]
}
until_true "a list that rests" is_steady "choice ground light"
click_on "choice ground light" 'do "ground light"'
press ctrl+p "ask command"
xdotool key --delay 25 Down Up
begin
xdotool key --delay 25 Return
wait_for 'do "ground light"'
press ctrl+p "ask command"
begin
xdotool key --delay 25 Escape
wait_for ask-close
press ctrl+z undo
press ctrl+shift+z redo
press ctrl+z undo

# Positions.
press ctrl+g "ask position"
type_words "50%"
shot goto
begin
xdotool key --delay 25 Return
wait_for 'do "seek 50%"'

# Bookmarks.
press shift+b bookmark
press ctrl+b "ask note"
type_words "half of it"
begin
xdotool key --delay 25 Return
wait_for 'do "bookmark-note \\"half of it\\""'
press Home seek-start
press apostrophe "bookmark-go next"
place "bookmark 4224"
at "$x" "$y"
shot bookmark
at 10 10

# The clipboard has the command that draws this moment; it runs.
press ctrl+shift+c copy-command
until_true "the command on the clipboard" eval '[[ $(timeout 10 xclip -selection clipboard -o 2>/dev/null) == "whorl frame matmul --machine paper --at 4224 "* ]]'
command=$(timeout 10 xclip -selection clipboard -o)
eval "${command/#whorl/\"\$whorl\"}" || fail "'$command' does not run"
[ -s matmul.png ] || fail "'$command' draws nothing"

# The picture that is saved gets a name that is free.
press ctrl+s save-picture
wait_for 'message "Saved as matmul-2.png in /.*"'
[ -s matmul-2.png ] || fail "no picture is saved"

# A film of the range, in a file that was not there; what is not wanted any more leaves nothing.
press s range-start
press Right "step 1"
press Right "step 1"
press Right "step 1"
press e range-end
press ctrl+shift+r record
wait_for 'message "Recorded as matmul.mp4 in /.*"'
[ "$(ffprobe -v error -select_streams v -show_entries stream=codec_name -of csv=p=0 matmul.mp4)" = h264 ] ||
    fail "matmul.mp4 is no video"
press x range-clear
press ctrl+shift+r record
press ctrl+period cancel
until_true "no film is made" eval '! pgrep -f "record .*matmul-2.mp4" >/dev/null'
[ ! -e matmul-2.mp4 ] || fail "half a film is left"

# Files: folders are walked, what is typed filters, Backspace goes up.
press ctrl+o "ask file"
place "choice folder $folder/traces"
shot open
type_words "traces"
place "choice folder $folder/traces"
begin
xdotool key --delay 25 Return
wait_for "do \"folder $folder/traces\""
place "choice open $folder/traces/small.whorl"
shot open-folder
begin
xdotool key --delay 25 BackSpace
wait_for "folder $folder"
type_words "traces"
begin
xdotool key --delay 25 Return
wait_for "do \"folder $folder/traces\""
type_words "small"
place "choice open $folder/traces/small.whorl"
begin
xdotool key --delay 25 Return
wait_for "do \"open $folder/traces/small.whorl\""
until_true "the other trace" has_window "Whorl: matmul:n=8"
until_true "it in the list of recent inputs" grep -qs small.whorl "$folder/state/whorl/recent.json"
grep -q "half of it" "$folder/state/whorl/recent.json" || fail "the bookmark is not remembered"

# Written again, it can be read again; the place stays.
press ctrl+g "ask position"
type_words "100"
begin
xdotool key --delay 25 Return
wait_for 'do "seek 100"'
sleep 2 # it has been looked at
"$whorl" trace matmul:n=8,variant=blocked -o traces/small.whorl || fail "no trace is written"
place reload
shot reload
press ctrl+r reload
until_true "the new trace" has_window "Whorl: matmul:n=8,variant=blocked"
# With the mouse alone: the button of all commands, and the panels that come back.
click_on "button find" "ask command"
until_true "a list that rests" is_steady "choice ground light"
click_on "choice ground light" 'do "ground light"'
# In a list that is open arrows choose, and Enter takes it; nothing else is done with them.
place programs
at "$x" "$y"
begin
xdotool click 1
until_true "a list that is open" eval '! grep -qE "^[0-9]+ [0-9]+ programs$" "$places"'
at $((x + 1)) "$y"
xdotool key --delay 80 Down Down Down Up Return
wait_for 'open [a-z]+'
has "faster|slower|step .*|play" && fail "keys of a list do something else"
press Tab panels
at 500 300
at 520 310
click_on "panels again" panels
close_window

# The bookmark is there again, and the window where it was. Each program counts its own commands.
: >"$log"
# A size that is chosen at once, before the settings have been written, counts too.
open_window "Whorl: matmul" matmul --paused --machine paper
resize 900 700
press apostrophe "bookmark-go next"
place "bookmark 4224"
until_true "the size in the settings" grep -qs '"width": 900' "$folder/state/whorl/session.json"
close_window
: >"$log"
open_window "Whorl: matmul" matmul --paused
until_true "the size of the last time" eval '[[ $(xdotool getwindowgeometry "$id") == *900x700* ]]'
close_window
