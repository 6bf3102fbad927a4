#!/bin/bash
# Drives window_probe like a user would: keys, mouse, clipboard, focus, size. Asserts on the probe's log, not on pixels
# or timing.
#
#   window_test.sh PROBE quick|slow      slow: frames of 70 ms and more, so that several events fall into each
set -u
probe=$1
pace=${2:-quick}
if [ "${WHORL_WINDOW_TEST_INSIDE:-}" != 1 ]; then
    # The display chooses its own name, so that many tests can run at once.
    # A key counts as held only after 3 seconds: on a busy machine a short press can take long.
    WHORL_WINDOW_TEST_INSIDE=1 exec xvfb-run -a -n "${WHORL_DISPLAYS_FROM:-99}" -s "-screen 0 1280x1024x24 -nolisten tcp -ardelay 3000" "$0" "$@"
fi

folder=$(mktemp -d)
running=()
cleanup() {
    for pid in "${running[@]}"; do kill "$pid" 2>/dev/null; done
    rm -rf "$folder"
}
trap cleanup EXIT
export WHORL_SCALE=1
[ "$pace" = slow ] && export WHORL_PROBE_SLOW=70

fail() {
    echo "FAILED: $*" >&2
    for file in "$folder"/*; do echo "--- $file"; tail -n 100 "$file"; done >&2
    exit 1
}

# Opens a probe with this name: its log is $folder/NAME.log, its window is in id.
open_probe() {
    name=$1
    log=$folder/$name.log
    WHORL_PROBE_LOG=$log WHORL_PROBE_TITLE="probe $name" "$probe" 2>"$folder/$name.err" &
    pid=$!
    running+=("$pid")
    wait_for ready
    id=$(xdotool search --name "^probe $name\$" | head -1)
    [ -n "$id" ] || fail "no window called 'probe $name'"
}

# Waits for a line of the log.
wait_for() {
    local tries=0
    until grep -qxF -- "$1" "$log" 2>/dev/null; do
        kill -0 "$pid" 2>/dev/null || grep -qxF -- "$1" "$log" 2>/dev/null || fail "the probe ended before '$1'"
        tries=$((tries + 1))
        [ $tries -gt 600 ] && fail "no line '$1' in $log"
        sleep 0.05
    done
}

# Waits until the last line that begins with the word has this value.
wait_value() {
    local tries=0
    until [ "$(grep -- "^$1 " "$log" | tail -1)" = "$1 $2" ]; do
        tries=$((tries + 1))
        [ $tries -gt 600 ] && fail "'$1' is not '$2' but '$(grep -- "^$1 " "$log" | tail -1)'"
        sleep 0.05
    done
}

keys() { xdotool key --delay 25 "$@"; }

marks=0
# Runs a command and expects exactly these chords, in order, in the log. F9 marks the end: input keeps its order.
expect_keys() {
    local expected=$1
    shift
    local before
    before=$(wc -l <"$log")
    "$@"
    marks=$((marks + 1))
    keys F9
    local tries=0
    until [ "$(grep -cx 'key F9' "$log")" = $marks ]; do
        tries=$((tries + 1))
        [ $tries -gt 600 ] && fail "the keys of '$*' never came"
        sleep 0.05
    done
    local told
    told=$(tail -n +$((before + 1)) "$log" | sed -n 's/^key //p' | grep -vx 'F9' | tr '\n' '|')
    [ "$told" = "$expected" ] || fail "'$*' gave '$told', not '$expected'"
}

# Sets the probe aside while another one is open.
keep() { kept=("$name" "$log" "$pid" "$id" "$marks"); }
give_back() { name=${kept[0]} log=${kept[1]} pid=${kept[2]} id=${kept[3]} marks=${kept[4]}; }

at() { xdotool mousemove --window "$id" "$1" "$2"; }

close_probe() {
    "$probe" --ask-close "$id" || fail "cannot ask for closing"
    wait "$pid"
    local status=$?
    [ $status = 0 ] || fail "$name ended with $status"
    wait_for closed
    [ -s "$folder/$name.err" ] && fail "$name wrote to stderr"
    return 0
}

test_without_display() {
    local words
    words=$(env -u DISPLAY "$probe" 2>&1)
    [ $? = 2 ] || fail "without a display: a wrong status"
    [[ $words == *"DISPLAY is not set"* ]] || fail "without a display it says '$words'"
    words=$(DISPLAY=:97531 "$probe" 2>&1)
    [ $? = 2 ] || fail "with a display that is not there: a wrong status"
    [[ $words == *'cannot reach the display ":97531"'* ]] || fail "with a display that is not there it says '$words'"
}

test_keys() {
    expect_keys "" true
    expect_keys "Space|a|z|0|" keys space a z 0
    expect_keys "Left|Right|Home|End|PageUp|PageDown|" keys Left Right Home End Prior Next
    expect_keys "F12|Escape|Tab|Enter|Backspace|Delete|" keys F12 Escape Tab Return BackSpace Delete
    expect_keys "?|+|-|[|]|,|.|" keys question plus minus bracketleft bracketright comma period
    expect_keys "Shift+A|Shift+Left|Shift+Right|Ctrl+Left|" keys A shift+Left shift+Right ctrl+Left
    expect_keys "Ctrl+A|Ctrl+C|Ctrl+V|Ctrl+Shift+Z|Ctrl+Q|" keys ctrl+a ctrl+c ctrl+v ctrl+shift+z ctrl+q
    expect_keys "Ctrl++|Ctrl+-|Ctrl+0|Alt+X|" keys ctrl+plus ctrl+minus ctrl+0 alt+x
    expect_keys "h|e|l|l|o|" xdotool type --delay 25 "hello"
}

# F3 makes the program focus the text field: input that follows immediately goes there.
test_keyboard_to_field() {
    expect_keys "F3|" keys F3 a b c
    wait_value words "'abc'"
    expect_keys "d|" keys BackSpace BackSpace BackSpace Return d
    wait_value words "''"
}

test_held_key() {
    expect_keys "Right|" keys Right
    xdotool keydown Left
    wait_value held Left
    wait_for "key Left again"
    xdotool keyup Left
    wait_value held nothing
}

test_mouse() {
    at 100 40
    xdotool click --repeat 5 --delay 12 1
    wait_value clicks 5
    xdotool click 3
    wait_value rightClicks 1
}

# Two clicks are a double click by the time between them, not between the frames that show them. A busy machine may
# stretch that time, so there are several attempts; where frames are slow, none would pass if frames counted.
test_double_click() {
    local try
    for try in 1 2 3 4 5 6 7 8; do
        at $((40 + 20 * try)) 40
        xdotool click --delay 0 --repeat 2 1
        wait_value clicks $((5 + 2 * try))
        grep -q '^doubleClicks [1-9]' "$log" && return 0
    done
    fail "no double click was seen"
}

# A press, its motion and its release arrive within one slow frame.
test_drags() {
    at 25 92
    xdotool mousedown 1 mousemove --window "$id" 317 92 mouseup 1
    wait_value slider 100
    wait_value button up
    xdotool mousemove --window "$id" 504 60 mousedown 1 mousemove --window "$id" 454 60 mouseup 1
    wait_value splitter 50
    # Released outside the window: the drag continues outside, and then the pointer is gone.
    at 300 92
    xdotool mousedown 1 mousemove_relative -- -500 0
    wait_value slider 0
    xdotool mouseup 1
    wait_value pointer outside
    wait_value button up
    at 300 400
    wait_value pointer inside
}

test_wheel() {
    at 100 240
    wait_value scroll top
    xdotool click 5
    xdotool mousemove --window "$id" 600 500
    wait_value scroll below
    at 100 240
    xdotool click 4 click 4
    wait_value scroll top
}

test_text() {
    at 100 145
    wait_value cursor 1
    xdotool click 1 key --delay 25 g
    wait_value words "'g'"
    wait_value typing yes
    expect_keys "" xdotool type --delay 25 "reen tea?"
    wait_value words "'green tea?'"
    expect_keys "" keys ctrl+a ctrl+c
    [ "$(timeout 10 xclip -selection clipboard -o)" = "green tea?" ] || fail "the copy did not reach the clipboard"
    printf 'gr\u00fcn \u2192 \u4e2d\u6587' | xclip -selection clipboard -i >/dev/null 2>&1
    expect_keys "" keys ctrl+a ctrl+v
    wait_value words "'$(printf 'gr\u00fcn \u2192 \u4e2d\u6587')'"
    expect_keys "" keys ctrl+a ctrl+c
    local copied
    copied=$(timeout 10 xclip -selection clipboard -o)
    [ "$copied" = "$(printf 'gr\u00fcn \u2192 \u4e2d\u6587')" ] || fail "the copy is '$copied'"
    expect_keys "" keys ctrl+a x y Left BackSpace z Home shift+Right shift+Left End
    wait_value words "'zy'"
    # Keys that a text field does not use stay with the program.
    expect_keys "Ctrl+S|F5|" keys ctrl+s F5
    expect_keys "" keys Return
    wait_value typing no
    expect_keys "z|" keys z
    wait_value words "'zy'"
}

test_size() {
    xdotool windowsize "$id" 120 90
    wait_value size 120x90
    expect_keys "b|" keys b
    xdotool windowsize "$id" 900 700
    wait_value size 900x700
    xdotool windowsize "$id" 800 600
    wait_value size 800x600
}

# Other fonts and colours while it runs.
test_look() {
    expect_keys "F2|F2|" keys F2 F2
}

# A key that is held while another window gets the focus is not held forever.
test_focus() {
    local first_log=$log
    keep
    xdotool keydown Left
    wait_value held Left
    open_probe second
    wait_value held Left # the keyboard keeps repeating, into the other window
    xdotool keyup Left
    wait_value held nothing
    marks=0
    expect_keys "n|" keys n
    log=$first_log
    wait_value held nothing
    wait_value focus no
    log=$folder/second.log
    close_probe
    give_back
    xdotool windowfocus "$id"
    wait_value focus yes
    expect_keys "Left|" keys Left
}

# Another keyboard layout: signs are on other keys, and the program must not notice.
test_german() {
    command -v setxkbmap >/dev/null || return 0
    # The first probe stays open meanwhile: a server without clients would forget the layout.
    setxkbmap de
    keep
    open_probe german
    marks=0
    expect_keys "?|+|-|y|z|/|" keys question plus minus y z slash
    expect_keys "[|]|@|" keys ISO_Level3_Shift+8 ISO_Level3_Shift+9 ISO_Level3_Shift+q
    expect_keys "Ctrl+Z|Ctrl++|" keys ctrl+z ctrl+plus
    close_probe
    give_back
}

# The corner of the icon is transparent, the middle white.
test_icon() {
    local icon
    icon=$("$probe" --icon "$id") || fail "the window has no icon"
    [ "$icon" = "128x128 00000000 ffffffff" ] || fail "the icon is $icon"
}

test_without_display
open_probe first
for part in icon keys keyboard_to_field held_key mouse double_click drags wheel text size look focus german; do
    "test_$part"
    # Each part begins with the pointer at rest, away from all widgets.
    at 700 550
done
close_probe
echo "the window does as it is told ($pace)"
