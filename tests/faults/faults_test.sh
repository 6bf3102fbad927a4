#!/bin/bash
# Lets one call after the other fail, and looks at what becomes of the run: the old file survives, nothing unfinished is
# left, no crash, no hang, and a sentence if the work was not done.
#
#   faults_test.sh WHORL SHIM [SHARE]
#
# SHARE is the percentage of the allocations that are made to fail; "slow" stands for all, or WHORL_SLOW_SHARE percent.
# Without it these are 1 %, and all calls of the other kinds fail, too.
set -u
whorl=$1
shim=$2
share=${3:-1}
[ "$share" != slow ] || share=${WHORL_SLOW_SHARE:-100}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
mkdir run state
echo old >old # no process substitution: after some thousand runs bash takes its status for that of a later process
export LIBGL_ALWAYS_SOFTWARE=1 XDG_STATE_HOME=$folder/state
unset DISPLAY WAYLAND_DISPLAY
runs=0

fail() {
    echo "FAILED: $1" >&2
    ls -la run >&2
    cat err >&2
    exit 1
}

# once FAULT OUTPUT COMMAND...: one run with the fault, with an old file in the place of the output (or an old recording,
# if that ends in a slash). False when the fault was not reached.
once() {
    local fault=$1 output=$2 status=0 old=old
    shift 2
    rm -rf mark run
    mkdir run
    if [[ $output == */ ]]; then cp -r "$folder/recorded" "run/$output"; else cp old "run/$output"; fi
    [[ $output == */ ]] && old=$(ls -i "run/$output" | md5sum)
    (cd run && LD_PRELOAD=$shim WHORL_FAULT=$fault WHORL_FAULT_MARK=$folder/mark timeout -k 5 20 "$@" >../out 2>../err) ||
        status=$?
    runs=$((runs + 1))
    case $status in
        0) ;;
        2) grep -q "^whorl: ." err || fail "$fault: $* said nothing" ;;
        *) fail "$fault: $* ended with $status" ;;
    esac
    [ "$(ls run)" = "${output%/}" ] || fail "$fault: $* left something behind"
    if [[ $output == */ ]]; then
        [ "$(find "run/$output" -name '*.png' | wc -l)" = "$(ls "$folder/recorded" | wc -l)" ] || fail "$fault: $* took frames"
        [ $status = 2 ] || [ "$(ls -i "run/$output" | md5sum)" != "$old" ] || fail "$fault: $* did nothing"
    elif cmp -s "run/$output" old; then
        [ $status = 2 ] || fail "$fault: $* did nothing and is content"
    else
        cmp -s "run/$output" "$folder/good" || fail "$fault: $* wrote something else"
        # Only what comes after the renaming may fail then.
        [ $status = 0 ] || [[ $fault == fsync* || $fault == open* || $fault == malloc* ]] || fail "$fault: $* replaced the old file"
    fi
    [ -e mark ]
}

# every KIND OUTPUT COMMAND...: the n-th call fails for every n, alone and with all that follow.
every() {
    local kind=$1 n how
    shift
    for how in "" :on; do
        for ((n = 1; ; ++n)); do once "$kind:$n$how" "$@" || break; done
    done
}

# some KIND STEP OUTPUT COMMAND...: every STEP-th call fails, the first one included.
some() {
    local kind=$1 step=$2 n
    shift 2
    for ((n = 1; ; n += step)); do
        once "$kind:$n" "$@" || break
        [ $((n % 5)) != 1 ] || once "$kind:$n:on" "$@" || true
    done
}

# good OUTPUT COMMAND...: what the command writes when nothing fails.
good() {
    local output=$1
    shift
    (cd run && "$@" >../out 2>../err) || fail "$* does not run"
    rm -rf good
    mv "run/$output" good
}

files() {
    local kind
    good "$@"
    [[ $1 == */ ]] && { rm -rf recorded && mv good recorded; }
    for kind in open write rename fsync; do every $kind "$@"; done
}

memory() {
    good "$@"
    some malloc $((share >= 100 ? 1 : 100 / (share > 0 ? share : 1))) "$@"
}

a_system_call_that_fails_takes_nothing_away() {
    files x.trace "$whorl" trace matmul:n=2 -o x.trace
    files x.txt "$whorl" stats matmul:n=2 -o x.txt
    files x.whorl "$whorl" trace matmul:n=2 -o x.whorl
    files x.png "$whorl" frame matmul:n=2 --size 160x90 -o x.png
    files x.mp4 "$whorl" record matmul:n=2 --to 1 --speed 10 --fps 20 --size 160x90 -o x.mp4
    files x/ "$whorl" record matmul:n=2 --to 1 --speed 10 --fps 20 --size 160x90 -o x/
}

memory_that_is_missing_takes_nothing_away() {
    memory x.trace "$whorl" trace matmul:n=2 -o x.trace
    memory x.txt "$whorl" stats matmul:n=2 -o x.txt
}

[ $# -gt 2 ] || a_system_call_that_fails_takes_nothing_away
memory_that_is_missing_takes_nothing_away
echo "$runs runs, and no fault took anything away"
