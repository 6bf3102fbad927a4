#!/bin/bash
# A real window that other programs drive through a socket (--control).
#
#   control_test.sh WHORL
set -u
whorl=$1
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=tests/app/window/driver.sh
source "$here/driver.sh"
on_display "$@"
prepare
cd "$folder" || exit 1
socket=$folder/whorl.sock

# ask LINE...: what the window answers, in `answer`.
ask() {
    answer=$(printf '%s\n' "$@" | python3 "$here/control_client.py" "$socket" ask) || fail "cannot ask $*"
}
# asked LINE ANSWER: the answer to a line is this.
asked() {
    ask "$1"
    [ "$answer" = "$2" ] || fail "'$1' is answered '$answer', not '$2'"
}
# state PYTHON: what an expression over the state `s` gives.
state() {
    ask state
    value=$(python3 -c 'import json, sys; s = json.loads(sys.argv[1]); print(eval(sys.argv[2]))' "$answer" "$1") ||
        fail "the state is no JSON, or has no $1: $answer"
}
# is PYTHON VALUE
is() {
    state "$1"
    [ "$value" = "$2" ] || fail "$1 is $value, not $2"
}
# begin_window: afterwards the window is served at the socket.
begin_window() {
    open_window "Whorl: matmul" matmul --machine paper --paused --control "$socket"
    until_true "the socket" test -S "$socket"
}
# refused WORDS ARGUMENT...: the program does not start, and says so in one sentence.
refused() {
    local words=$1
    shift
    "$whorl" "$@" >"$folder/out" 2>"$folder/said" && fail "'$*' is not refused"
    grep -qF -- "$words" "$folder/said" && [ "$(wc -l <"$folder/said")" = 1 ] ||
        fail "'$*' says '$(cat "$folder/said")', not '$words'"
}

begin_window
[ "$(stat -c %a "$socket")" = 600 ] || fail "the socket is open to others: $(stat -c %a "$socket")"

# Time.
begin
asked "seek 1200" ok
has "seek 1200" || fail "a command that came in is not in the log"
is 's["position"], s["playing"], s["input"], s["accesses"]' "(1200.0, False, 'matmul', 8448)"
asked play ok
is 's["playing"]' True
asked wait ok
asked play ok
asked "range 100 200" ok
is 's["range"]' "{'from': 100, 'to': 200}"
asked "seek 50%" ok
is 's["position"]' 4224.0

# What is picked, and the views; undone one by one although they came at once.
asked "look-up B[3][0]" ok
state 's["block"]'
[[ $value == 0x* ]] || fail "nothing is selected: $value"
asked "view block:0" ok
asked "wait" ok
is 's["views"]' "['rings', 'block:0']"
state 's["undo"]'
before=$value
ask "range 1 2" "range 3 4"
[ "$answer" = $'ok\nok' ] || fail "two ranges: $answer"
is 's["undo"], s["range"]["from"]' "($((before + 2)), 3)"
asked undo ok
is 's["range"]["from"]' 1
ask undo undo
is 's["views"]' "['rings']"
press ctrl+z undo
asked "wait" ok
is 's["undo"]' $((before - 2))

# What cannot be done is told in the palette's words.
asked "seak 3" 'error: there is no command "seak"; did you mean "seek"?'
ask "seek far"
[[ $answer == 'error: seek: position "far" is not a position'* ]] || fail "seek far: $answer"
ask "look-up nonsense"
[[ $answer == error:*nonsense* ]] || fail "look-up: $answer"
ask "seek 200%"
[[ $answer == error:*"beyond the end"* ]] || fail "seek 200%: $answer"
asked "open nosuch.trace" "error: nosuch.trace: there is no such file; check its name."
ask "machine nosuch"
[[ $answer == error:*nosuch* ]] || fail "machine: $answer"
asked "bookmark-go next" "error: There is no further bookmark."
ask "state now"
[[ $answer == "error: state:"* ]] || fail "state now: $answer"
ask "seek 5" "$(printf '%20000s' '')x" "seek 6"
[ "$answer" = $'ok\nerror: a line has more than 16384 bytes.\nok' ] || fail "a long line: $answer"
ask $'message \xff'
[[ $answer == *"not text in UTF-8"* ]] || fail "bytes that are no text: $answer"
# Lines that ask for nothing are not answered; ends of lines may be those of other systems.
ask "" "# a comment" $'seek 8\r'
[ "$answer" = ok ] || fail "blank lines: $answer"
is 's["position"]' 8.0

# Background work is waited for, and then a picture is right.
ask "open matmul:n=24" wait state
[[ $(sed -n 3p <<<"$answer") == *'"input":"matmul:n=24"'*'"accesses":28224'*'"built":28224'* ]] || fail "open, wait: $answer"
ask "seek 20000" "view-only source" wait "shot one.png" "view-only rings" wait "shot two.png" "shot two.png"
[ "$answer" = $'ok\nok\nok\nok\nok\nok\nok\nok' ] || fail "pictures: $answer"
for picture in one two; do
    [ "$(head -c 4 $picture.png | tail -c 3)" = PNG ] || fail "$picture.png is no picture"
done
cmp -s one.png two.png && fail "two views give one picture"
asked "shot one.svg" 'error: shot: "one.svg" is not the name of a PNG file; give a name that ends in .png.'
ask "shot no/such/folder.png"
[[ $answer == error:*folder* ]] || fail "a picture without a folder: $answer"
printf 'no trace' >bad.trace
ask "open $folder/bad.trace" wait wait
[[ $(sed -n 2p <<<"$answer") == error:*bad.trace* && $(sed -n 3p <<<"$answer") == ok ]] || fail "open a bad one: $answer"

# Several clients.
python3 "$here/control_client.py" "$socket" clients || fail "several clients"
latency=$(python3 "$here/control_client.py" "$socket" latency) || fail "the latency"
[ "$latency" -lt 200 ] || fail "an idle window answers after $latency ms"

# Nobody takes the place of a window, and no other file is harmed.
refused "another program listens there" matmul --control "$socket"
is 's["position"] >= 0' True
echo precious >file
refused "there is a file that is no socket" matmul --control file
ln -s "$socket" link
refused "there is a file that is no socket" matmul --control link
[ "$(cat file)" = precious ] && [ -L link ] || fail "a file in the way was harmed"
refused "the name of a socket has" matmul --control "$(printf '%0200d' 0)"
refused "whorl frame does not open" frame matmul -o picture.png --control "$socket"

# It goes with the program, however that ends, and what a killed one leaves is replaced.
asked quit ok
wait "$pid" || fail "the program ended with status $?"
pid=
[ -e "$socket" ] && fail "the socket is left"
begin_window
kill -TERM "$pid"
wait "$pid"
pid=
[ -e "$socket" ] && fail "a signal leaves the socket"
begin_window
kill -KILL "$pid"
wait "$pid" 2>/dev/null
pid=
[ -S "$socket" ] || fail "who is killed cannot remove the socket"
begin_window
asked "seek 3" ok
close_window
[ -e "$socket" ] && fail "the key leaves the socket"
echo "an idle window answered after $latency ms"
