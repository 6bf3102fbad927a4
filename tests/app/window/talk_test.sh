#!/bin/bash
# A talk in a real window on its own display: a tour is made of moments by keys and mouse, saved, and given with the keys
# of a clicker, then with the mouse alone. Asserts on the log of commands and on the places of what is drawn.
#
#   talk_test.sh WHORL
#
# With WHORL_SHOTS=FOLDER it stores screenshots of the steps there.
set -u
whorl=$(readlink -f "$1")
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=tests/app/window/driver.sh
source "$here/driver.sh"
on_display "$@"
prepare
cd "$folder" || fail "no folder"

# field NAME WORDS COMMAND [KEY]: types into a field, which Enter, or another key, leaves.
field() {
    move_to "$1"
    xdotool click 1
    xdotool key ctrl+a
    type_words "$2"
    begin
    xdotool key "${4:-Return}"
    wait_for "$3"
}

has_speaker() { xdotool search --name "^Whorl: speaker$" >/dev/null 2>&1; }

# --- a lecture from nothing
open_window "Whorl: conflict" conflict --machine "1K/1/32, 4K/4/32" --paused
resize 1400 1000
press ctrl+Return tour-add
field "tour title" "One place" "tour-say 0 title \"One place\""
press Page_Down "stride 1"
click_on "tour tour-play" "tour-play 10"
# Escape leaves a field as it is.
field "tour notes" "not lost" "tour-say 0 notes \"not lost\"" Escape
click_on "tour tour-add" tour-add
field "tour title" "Another" "tour-say 1 title Another"
# A step is dragged to another place, and what it asks is chosen.
place "scene 0"
drop="$x $y"
move_to "scene 1"
begin
down 1
for step in $(seq 1 4); do at "$x" $((y - 8 * step)); done
at $drop
up 1
wait_for "tour-move 1 0"
click_on "tour tour-undo" tour-undo
for name in "tour part Question" "tour question"; do
    move_to "$name"
    xdotool click 1
done
click_on "offer outcome" "tour-say 1 question outcome"
click_on "tour tour-check" tour-check
place "finding 0"
shot edited
click_on "tour save" "tour-save lecture.tour.json"
until_true "the file" test -s lecture.tour.json
press Escape close
"$whorl" scenes lecture.tour.json | grep -q "^step-1: One place$" || fail "the scenes of the saved tour"

# --- given with a clicker
press F11 present
place "tile rings"
press b stage-blank
press Page_Up tour-previous
press Page_Down tour-next
press space tour-next
press p pointer
press d pen
begin
at 300 300
down 1
at 340 320
up 1
wait_for "pen-to .*"
shot pen
press x pen-clear
press d pen

# --- and with the mouse alone: a bar comes with it, and no message lies over it
press ctrl+s save-picture
wait_for 'message "Saved as .*"'
at 500 400
click_on "bar stage-list" stage-list
click_on "listed scene 0" "tour-go 0"
at 510 410
click_on "bar tour-next" tour-next
at 520 420
click_on "bar present" "present off"

# --- the speaker's window comes and goes; its keys are those of the talk
press shift+F11 speaker
until_true "the speaker's window" has_speaker
shot speaker
press shift+F11 speaker

# --- what is not saved is not lost with the window
press ctrl+Return tour-add
press ctrl+q quit
wait "$pid" || fail "the program ended with status $?"
pid=
grep -qxF "whorl: The tour had changes that were not saved: they are in unsaved.tour.json." err || fail "$(cat err)"
[ "$("$whorl" scenes unsaved.tour.json | grep -c '^step-')" = 3 ] || fail "the scenes of what was not saved"
[ "$("$whorl" scenes lecture.tour.json | grep -c '^step-')" = 2 ] || fail "the file that was saved has changed"

# --- whatever was pressed, typed and clicked, the next step is as planned, to the byte
# settled LINE...: the window has done this.
settled() {
    local answer
    answer=$(printf '%s\n' "$@" | python3 "$here/control_client.py" socket ask) || fail "cannot ask $*"
    grep -qvx ok <<<"$answer" && fail "'$*' is answered '$answer'"
}
# A mouse that rests is no part of the picture.
rests() { is_current && ! grep -qE ' (bar|answer) ' "$places"; }
settled_shot() {
    at 700 900
    at 710 900
    until_true "a mouse that rests" rests
    settled wait
    rests || fail "a mouse that rests comes back by itself"
    settled "shot $1"
}
cat >still.tour.json <<'END'
{"scenes": [
    {"id": "a", "title": "A", "words": "See a.", "input": "conflict", "machine": "1K/1/32, 4K/4/32", "at": 20},
    {"id": "b", "title": "B", "words": "See b.", "at": 30},
    {"id": "c", "title": "C", "words": "See c.", "at": 40, "history": 7}]}
END
: >"$log"
open_window "Whorl: conflict" present still.tour.json --control socket
until_true "the socket" test -S socket
settled wait "tour-go 2"
settled_shot planned.png
settled "tour-go 1" wait
press m 'ask command "machine "'
place "prompt field"
type_words "128/4/32"
press Return 'do "machine 128/4/32"'
settled wait
shot machine
press p pointer
at 500 400
at 510 400
is_current && grep -qE ' (bar .*|answer .*)$' "$places" && fail "the pointer brings buttons"
begin
xdotool click 1
xdotool key --delay 25 shift+h
xdotool key --delay 25 Tab
press m 'ask command "machine "'
place "prompt field"
press Next tour-next
since | grep -qE '^(select|panels|caption)' && fail "on stage they do nothing: $(since)"
settled_shot reached.png
[ -n "${WHORL_SHOTS:-}" ] && cp planned.png reached.png "$WHORL_SHOTS"
cmp planned.png reached.png || fail "the next step is not as planned"
press F11 present
close_window

# --- what is saved of a talk has nothing over it, whatever the mouse is at; the rings have no menu
: >"$log"
open_window "Whorl: conflict" present still.tour.json --control socket
until_true "the socket" test -S socket
settled wait "tour-go 2" wait
settled_shot rested.png
at 700 450
at 1270 20
place "bar present"
settled "shot hand.png"
cmp rested.png hand.png || fail "the bar, or a hint, is in the picture"
press ctrl+s save-picture
wait_for 'message "Saved as .*"'
press F11 present
close_window

# --- who has never opened anything is offered the tour for beginners, and is not asked again
XDG_STATE_HOME=$folder/new
: >"$log"
open_window "Whorl: matmul"
shot welcome
click_on "welcome" "tour-open five-minutes"
place "tour tour-next"
close_window
: >"$log"
open_window "Whorl: matmul"
press Next "stride 1"
place strip
grep -q ' welcome$' "$places" && fail "the tour is offered again"
close_window
echo passed
