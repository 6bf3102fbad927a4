#!/bin/bash
# What whorl does to files: as whole runs of the program, with closed streams, full disks, limits and signals.
#
#   files_test.sh WHORL
set -u
whorl=$1
# shellcheck source=tests/app/cli/calls.sh
source "$(dirname "$(readlink -f "$0")")/calls.sh"
export XDG_STATE_HOME=$folder/state
small=(--size 320x180)

exit_status_0_means_that_the_output_is_complete_and_on_the_disk() {
    # Streams that the caller has closed.
    "$whorl" stats matmul:n=4 >&- 2>err && fail "statistics without standard output"
    grep -q "standard output" err || fail "the closed output is not named"
    "$whorl" stats matmul:n=4 -o all.txt <&- >&- 2>&- || fail "a file without standard streams"
    "$whorl" stats matmul:n=4 -o one.txt 2>/dev/null
    [ -s one.txt ] && cmp -s all.txt one.txt || fail "a file is other without standard streams"
    "$whorl" frame matmul:n=4 "${small[@]}" -o all.png <&- >&- 2>&- || fail "a picture without standard streams"
    "$whorl" record matmul:n=4 --to 2 "${small[@]}" -o all.mp4 <&- >&- 2>&- || fail "a film without standard streams"
    "$whorl" frame matmul:n=4 "${small[@]}" -o - >out.png 2>/dev/null
    cmp -s all.png out.png || fail "the picture on standard output is another one"
    "$whorl" trace - -o x.trace <&- 2>err && fail "standard input that is closed is read"
    # Full disks and broken pipes.
    for words in --help "stats --help" --version programs machines scenes "stats matmul:n=4" "trace matmul:n=4"; do
        # shellcheck disable=SC2086
        "$whorl" $words >/dev/full 2>err && fail "$words wrote nothing and is content"
        grep -q "disk is full" err || fail "$words does not say that the disk is full"
        # shellcheck disable=SC2086
        { "$whorl" $words 2>err; echo $? >status; } | true
        [ "$(cat status)" = 0 ] || grep -q "reader has closed it" err || fail "$words on a broken pipe"
    done
    { sleep 0.3; "$whorl" --help 2>err; echo $? >status; } | true
    [ "$(cat status)" = 2 ] || fail "--help into a broken pipe is content"
    # Whoever asked for a film has gone: it is not made for nobody.
    { "$whorl" record matmul:n=40 "${small[@]}" -o gone.mp4 2>&1; echo $? >status; } | head -n 1 >out
    [ "$(cat status)" = 130 ] || fail "a film whose progress nobody reads ends with $(cat status)"
    [ ! -e gone.mp4 ] || fail "a film was made for nobody"
    # A limit for the size of files: what was there stays.
    echo old >old.trace
    (ulimit -f 8 && gives 2 "ulimit -f" "$whorl" trace matmul:n=32 -o old.trace) || exit 1
    [ "$(cat old.trace)" = old ] || fail "old.trace was touched"
    echo old >old.mp4
    (ulimit -f 8 && gives 2 "could not be recorded" "$whorl" record matmul:n=8 --size 640x360 --to 40 -o old.mp4) || exit 1
    [ "$(cat old.mp4)" = old ] || fail "old.mp4 was touched"
    [ "$(ls ./*.part 2>/dev/null)" = "" ] || fail "something unfinished was left behind"
}

# Ends a long job in its middle; sets $status.
interrupted() {
    local signal=$1
    shift
    rm -f err
    "$@" >/dev/null 2>err &
    local pid=$!
    for ((i = 0; i < 200; ++i)); do
        compgen -G "*.part" >/dev/null && break
        sleep 0.02
    done
    compgen -G "*.part" >/dev/null || fail "$* never began its output"
    kill -"$signal" $pid
    wait $pid 2>/dev/null
    status=$?
}

# A shell without job control starts what is in the background with SIGINT ignored; this undoes it.
usual=(env --default-signal=INT)

ctrl_c_sigterm_and_sighup_leave_nothing_behind() {
    echo old >film.mp4
    mkdir -p quiet && cd quiet || exit 1
    for signal in INT TERM HUP; do
        echo old >film.mp4
        interrupted $signal "${usual[@]}" "$whorl" record matmul:n=16 --to end "${small[@]}" -o film.mp4
        [ $status = $((128 + $(kill -l $signal))) ] || fail "SIG$signal gave $status"
        [ "$(cat film.mp4)" = old ] || fail "SIG$signal took the old film"
        interrupted $signal "${usual[@]}" "$whorl" record matmul:n=16 --to end "${small[@]}" -o frames/
        [ "$(ls)" = "$(printf 'err\nfilm.mp4\n')" ] || fail "SIG$signal left $(ls)"
    done
    cd .. || exit 1
}

after_sigkill_an_old_file_is_as_it_was_and_an_unfinished_one_ends_in_part() {
    mkdir -p killed && cd killed || exit 1
    echo old >film.mp4
    interrupted KILL "$whorl" record matmul:n=16 --to end "${small[@]}" -o film.mp4
    [ $status = 137 ] || fail "SIGKILL gave $status"
    [ "$(cat film.mp4)" = old ] || fail "SIGKILL took the old film"
    for name in *; do
        case $name in err | film.mp4 | film.mp4.*.part) ;; *) fail "SIGKILL left $name" ;; esac
    done
    cd .. || exit 1
}

any_name_is_the_name_of_a_film() {
    mkdir -p names && cd names || exit 1
    local name
    for name in -dash.mp4 a:b.mp4 http:x.gif 'p%d.mp4' "q'\".mp4" $'new\nline.gif' 'a|b.mp4' 'concat:a.mp4' ' .gif'; do
        "$whorl" record matmul:n=4 --to 1 "${small[@]}" -o "$name" >../out 2>../err || fail "no film $name"
        [ -s "./$name" ] || fail "$name is empty"
        rm -- "$name"
        [ -z "$(ls -A)" ] || fail "$name left $(ls)"
    done
    cd .. || exit 1
}

pipes_and_devices_are_written_in_place() {
    gives 2 "disk is full" "$whorl" frame matmul:n=4 "${small[@]}" -o /dev/full
    [ -c /dev/full ] || fail "/dev/full is no device any more"
    mkfifo pipe.mp4
    "$whorl" record matmul:n=4 --to 1 "${small[@]}" -o pipe.mp4 2>/dev/null &
    cat pipe.mp4 >through.mp4
    wait $! || fail "a film into a pipe"
    "$whorl" record matmul:n=4 --to 1 "${small[@]}" -o straight.mp4 2>/dev/null
    cmp -s through.mp4 straight.mp4 || fail "a film is another one through a pipe"
    [ -p pipe.mp4 ] || fail "the pipe was replaced"
}

recordings_of_others_are_left_alone() {
    mkdir theirs.part theirs
    echo hi >theirs.part/x
    printf '\x89PNG\r\n\x1a\n' >theirs/00000.png # the right name, by another program
    gives 2 "something else (00000.png)" "$whorl" record matmul:n=4 --to 1 "${small[@]}" -o theirs
    [ "$(cat theirs.part/x)" = hi ] || fail "theirs.part was touched"
    "$whorl" record matmul:n=4 --to 2 "${small[@]}" -o ours/ 2>/dev/null || fail "ours"
    "$whorl" record matmul:n=4 --to 1 "${small[@]}" -o ours 2>/dev/null || fail "ours again"
    [ "$(ls ours | tail -1)" = 00008.png ] || fail "the second recording is not whole: $(ls ours | tail -1)"
}

an_output_that_is_an_input_is_refused() {
    "$whorl" trace matmul:n=4 -o in.trace 2>/dev/null
    "$whorl" machines laptop -o m.json
    ln -s in.trace link.trace
    cp in.trace copy.trace
    for command in "trace in.trace -o" "trace link.trace -o" "stats in.trace -o" "whatif in.trace --map shift:A:8 -o" \
        "sharing in.trace -o" "collisions in.trace -o" "stats in.trace --sweep ways=1,2 -o" "merge in.trace -o"; do
        # shellcheck disable=SC2086
        gives 2 "this is also an input" "$whorl" $command in.trace
    done
    gives 2 "this is also an input" "$whorl" trace copy.trace --machine m.json -o m.json
    gives 2 "this is also an input" "$whorl" machines m.json -o m.json
    "$whorl" trace - -o in.trace <in.trace 2>err && fail "standard input is overwritten"
    cmp -s in.trace copy.trace || fail "in.trace was touched"
}

# It is an input, under each of its names, and so are its source, a script that it runs, and its standard input.
a_recorded_program_is_not_replaced() {
    "$whorl" trace matmul:n=4 -o in.trace 2>/dev/null
    cp in.trace input-as-it-was
    printf 'int main() { volatile int a[9]; for (int i = 0; i < 9; ++i) a[i] = i; return 0; }\n' >prog.c
    gcc -g prog.c -o prog && ln prog hard && ln -s prog soft && cp prog as-it-was && cp prog.c source-as-it-was
    printf '#!/bin/sh\n./prog\n' >script.sh && chmod +x script.sh && cp script.sh script-as-it-was
    for words in "prog -- ./prog" "./hard -- ./prog" "soft -- ./prog" "prog -- ./soft" "prog.c -- ./prog" \
        "script.sh -- ./script.sh" "script.sh -- sh script.sh"; do
        # shellcheck disable=SC2086
        gives 2 "this is also an input" "$whorl" capture -o $words
    done
    gives 2 "this is also an input" "$whorl" check -o prog.c -- ./prog
    gives 2 "this is also an input" "$whorl" stats in.trace --binary prog -o prog
    "$whorl" capture -o in.trace -- ./prog <in.trace 2>err && fail "the input of the program is overwritten"
    cmp -s prog as-it-was && cmp -s prog.c source-as-it-was && cmp -s script.sh script-as-it-was &&
        cmp -s in.trace input-as-it-was || fail "a program was touched"
}

what_a_recording_lacks_is_named() {
    printf 'int main() { volatile int a[9]; for (int i = 0; i < 9; ++i) a[i] = i; return 0; }\n' >prog.c
    gcc -g prog.c -o prog
    (ulimit -n 12 && gives 2 "ulimit -n" "$whorl" capture -o x.whorl -- ./prog) || exit 1
    (ulimit -f 8 && gives 2 "ulimit -f" "$whorl" capture -o x.whorl -- ./prog) || exit 1
    TMPDIR=$PWD/nowhere gives 2 "TMPDIR" "$whorl" capture -o x.whorl -- ./prog
    gives 2 "was removed or renamed by another program" "$whorl" capture -o x.whorl -- sh -c 'rm x.whorl.*.part'
    gives 2 "--control: its value is empty" "$whorl" matmul:n=4 --control ""
    [ "$(ls)" = "$(printf 'err\nout\nprog\nprog.c\n')" ] || fail "something was left: $(ls)"
}

nothing_is_recorded_unasked() {
    gives 2 "whorl record matmul:n=4 -o film.mp4" "$whorl" matmul:n=4
    gives 2 "no window" "$whorl" --scene fig1a
    gives 2 "did you mean whorl record" "$whorl" recrod
    [ -z "$(ls ./*.mp4 2>/dev/null)" ] || fail "something was recorded"
    echo mine >whorl-demo.mp4
    ln -s nowhere whorl-demo-2.mp4
    "$whorl" >out 2>err || fail "no demonstration"
    [ "$(cat out)" = whorl-demo-3.mp4 ] && [ -s whorl-demo-3.mp4 ] || fail "no free name: $(cat out)"
    [ "$(cat whorl-demo.mp4)" = mine ] && [ -L whorl-demo-2.mp4 ] || fail "a file was taken"
}

an_unknown_ending_is_refused() {
    for name in x.jpg x x.PNG.txt; do gives 2 "end it in .png, .svg or .pdf" "$whorl" frame matmul:n=4 -o $name; done
    for name in x.avi x.png x; do gives 2 "end it in .mp4" "$whorl" record matmul:n=4 -o $name; done
    [ -z "$(ls x* 2>/dev/null)" ] || fail "something was written"
}

for test in nothing_is_recorded_unasked exit_status_0_means_that_the_output_is_complete_and_on_the_disk \
    ctrl_c_sigterm_and_sighup_leave_nothing_behind \
    after_sigkill_an_old_file_is_as_it_was_and_an_unfinished_one_ends_in_part any_name_is_the_name_of_a_film \
    pipes_and_devices_are_written_in_place recordings_of_others_are_left_alone an_output_that_is_an_input_is_refused \
    a_recorded_program_is_not_replaced what_a_recording_lacks_is_named an_unknown_ending_is_refused; do
    mkdir "$folder/$test" && cd "$folder/$test" || exit 1
    $test
done
echo "files are safe"
