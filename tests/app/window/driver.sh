# shellcheck shell=bash
# Sourced by the tests that drive the program in a real window, on its own display, with keys and mouse. They wait for
# what they expect in the log of commands or in the file of places, and aim by names; they never wait a fixed time.

# on_display NAME ARGUMENT...: runs this script again inside its own display, unless it already is.
on_display() {
    [ "${WHORL_TEST_DISPLAY:-}" = 1 ] && return
    # -noreset: a server without clients would restart, and refuse clients that connect at that moment.
    # A key counts as held only after 3 seconds: on a busy machine a short press can take long.
    WHORL_TEST_DISPLAY=1 exec xvfb-run -a -n "${WHORL_DISPLAYS_FROM:-99}" -s "-screen 0 1400x1000x24 -nolisten tcp -noreset -ardelay 3000" "$0" "$@"
}

# prepare: a folder for this test's output, and for the files in which the program logs what it does.
prepare() {
    folder=$(mktemp -d)
    log=$folder/commands
    places=$folder/places
    pid=
    seen=0
    trap '[ -n "$pid" ] && kill "$pid" 2>/dev/null; rm -rf "$folder"' EXIT
    export LIBGL_ALWAYS_SOFTWARE=1 WHORL_SCALE=1 WHORL_COMMAND_LOG=$log WHORL_PLACES=$places XDG_STATE_HOME=$folder/state
    touch "$log" "$places"
}

fail() {
    echo "FAILED: $*" >&2
    for file in "$folder"/*; do [ -f "$file" ] && echo "--- $file" && tail -n 60 "$file"; done >&2
    exit 1
}

# until_true WORDS COMMAND...: waits until the command succeeds; fails after two minutes, or when the program ends.
until_true() {
    local words=$1 tries=0
    shift
    until "$@"; do
        kill -0 "$pid" 2>/dev/null || fail "the program ended before $words"
        tries=$((tries + 1))
        [ $tries -gt ${WHORL_TRIES:-6000} ] && fail "waited in vain for $words"
        sleep 0.02
    done
}

has_window() {
    id=$(xdotool search --name "^$1\$" 2>/dev/null | head -1)
    [ -n "$id" ]
}
# open_window TITLE ARGUMENT...: starts the program; afterwards its window is in `id` and has the keyboard focus.
open_window() {
    local title=$1
    shift
    : >"$places"
    "$whorl" "$@" 2>"$folder/err" &
    pid=$!
    until_true "a window \"$title\"" has_window "$title"
    xdotool windowfocus "$id"
    until_true "the first frame" test -s "$places"
}
# close_window: by its key. The program must exit successfully and without output.
close_window() {
    press ctrl+q quit
    wait "$pid"
    local status=$?
    pid=
    [ $status = 0 ] || fail "the program ended with status $status"
    # But for where a tour is kept that was not saved.
    grep -vq ': they are in .*unsaved.*\.tour\.json\.$' "$folder/err" && fail "something was said on standard error"
    return 0
}

# --- the log of commands

# begin: a new step; `since` prints the log from then on.
begin() { seen=$(wc -l <"$log"); }
since() { tail -n +$((seen + 1)) "$log"; }
# has REGEX: whether a whole line since then matches this.
has() { since | grep -qE -- "^($1)\$"; }
wait_for() { until_true "'$1' since line $seen of the log" has "$1"; }
# last WORD: the last line since then that begins with the word.
last() { since | grep -- "^$1 " | tail -n 1; }
# press KEY REGEX: the key issues the command.
press() {
    begin
    xdotool key --delay 25 "$1"
    wait_for "$2"
}
# type_words WORDS: into the field that has the keyboard focus.
type_words() { xdotool type --delay 25 "$1"; }

# --- places

# All commands have been applied, and a frame has been drawn since.
is_current() {
    local frame
    read -r _ frame _ <"$places"
    [ "${frame:-0}" -ge "$(wc -l <"$log")" ]
}
find_place() {
    is_current && read -r x y _ <<<"$(grep -E -- "^[0-9]+ [0-9]+ ($1)\$" "$places" | sed -n "${2:-1}p")" && [ -n "$x" ]
}
# place REGEX [N]: waits until something has this name; its middle, or that of the Nth, is then at x, y.
place() { until_true "a place '$1'" find_place "$@"; }
is_mouse() { head -n 1 "$places" | grep -q -- " mouse $1 buttons $2\$"; }
# at X Y: moves the mouse there, and waits until the program has seen it.
at() {
    xdotool mousemove --window "$id" "$1" "$2"
    until_true "the mouse at $1 $2" is_mouse "$1 $2" "[0-9]"
}
# down BUTTON, up BUTTON: likewise.
down() {
    xdotool mousedown "$1"
    until_true "button $1 down" is_mouse ".*" "[1-9]"
}
up() {
    xdotool mouseup "$1"
    until_true "button $1 up" is_mouse ".*" 0
}
has_size() { [[ $(xdotool getwindowgeometry "$id") == *"$1"* ]]; }
# resize WIDTH HEIGHT: in the upper left corner; waits until the program draws it in that size.
resize() {
    xdotool windowmove "$id" 0 0 windowsize "$id" "$1" "$2"
    until_true "the size $1x$2" has_size "$1x$2"
    # Each is seen in a frame of its own.
    at 4 4
    at 5 5
    at 6 6
}
# move_to REGEX: moves the mouse to what has this name, once it stands still. A panel whose content has changed may need
# some frames until all has its place: so the mouse comes in steps, a frame each.
move_to() {
    local before=
    place "$1"
    until [ "$x $y" = "$before" ]; do
        before="$x $y"
        at $((x + 2)) "$y"
        at $((x + 1)) "$y"
        at "$x" "$y"
        place "$1"
    done
}
# click_on REGEX COMMAND: clicks there; the click issues the command.
click_on() {
    move_to "$1"
    begin
    xdotool click 1
    wait_for "$2"
}
# hold KEY COMMAND...: with the key held down.
hold() {
    local key=$1
    shift
    xdotool keydown "$key"
    "$@"
    xdotool keyup "$key"
}
# drag BUTTON X Y COMMAND: from the pointer to there; the drag issues the command.
drag() {
    begin
    down "$1"
    at $((($2 + x) / 2)) "$3"
    at "$2" "$3"
    wait_for "$4"
    up "$1"
}
# turn BUTTON COMMAND: a notch of the wheel (4: up) issues the command.
turn() {
    begin
    xdotool click "$1"
    wait_for "$2"
}
# double_click COMMAND: a double click at the pointer issues the command.
double_click() {
    begin
    xdotool click --repeat 2 --delay 30 1
    wait_for "$1"
}
# number N: the Nth word of a command.
number() { cut -d' ' -f"$1"; }
# shot NAME: with WHORL_SHOTS=FOLDER, a screenshot of what the commands so far have done.
shot() {
    [ -n "${WHORL_SHOTS:-}" ] || return 0
    until_true "a frame" is_current
    import -window root "$WHORL_SHOTS/$1.png"
}
