#!/bin/bash
# Files that are made to take a program down: each is read, or refused with a sentence, within 2 GB and 10 seconds of two
# processors: how many other tests run beside it does not matter.
#
#   bombs_test.sh WHORL
set -u
whorl=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
unset DISPLAY WAYLAND_DISPLAY

ulimit -v 2000000

fail() {
    echo "FAILED: $*" >&2
    cut -c 1-1000 err >&2 2>/dev/null
    exit 1
}
limited() { (ulimit -t 20 && exec timeout 200 "$@"); }
# ok COMMAND...: must succeed.
ok() { limited "$@" >out 2>err || fail "$* gave $?"; }
# wrong WORDS COMMAND...: must exit with status 2 and say WORDS in few words.
wrong() {
    local words=$1 status=0
    shift
    limited "$@" >out 2>err || status=$?
    [ $status = 2 ] || fail "$* gave $status, not 2"
    grep -qF -- "$words" err || fail "$* did not say '$words'"
    [ "$(wc -c <err)" -lt 10000 ] || fail "$* said too much"
    ! grep -qE 'parse error|json.exception|unexpected (end|character)|syntax error while' err || fail "$* used a library's words"
}
# repeated COUNT TEXT: TEXT so many times.
repeated() { yes -- "$2" | head -n "$1" | tr -d '\n'; }

# --- JSON: nested, duplicated, both, endless ---
repeated 96000 '[' >nested.json
repeated 96000 '{"a":' >objects.json
{ printf '{"a":1'; repeated 100000 ',"a":1'; printf '}'; } >duplicates.json
{ repeated 150 '['; repeated 60000 '{"a":1,"a":2},'; printf 1; repeated 150 ']'; } >both.json
{ printf '{"a":1'; seq -f ',"a%.0f":1' 50000 | tr -d '\n'; printf '}'; } >keys.json
{ printf '"'; repeated 900000 x; printf '"'; } >text.json
for command in machines scenes; do
    wrong "nested more than 200 deep" "$whorl" $command nested.json
    wrong "nested more than 200 deep" "$whorl" $command objects.json
    wrong "appears twice" "$whorl" $command duplicates.json
    wrong "appears twice" "$whorl" $command both.json
    wrong "more than 1000 keys" "$whorl" $command keys.json
    wrong "is an object, not" "$whorl" $command text.json
done
for file in objects duplicates keys; do wrong "$file.json" "$whorl" merge $file.json; done

# --- a tour of 12000 scenes, sound, and with a fault in each ---
scenes() {
    printf '{"scenes": ['
    seq -f "{\"id\": \"s%05.0f\", \"title\": \"A title\", \"words\": \"See.\", \"input\": \"matmul\", \"machine\": \"$1\"}," 12000
    printf '{"id": "last", "title": "A title", "words": "See.", "input": "matmul"}]}'
}
scenes desktop >tour.json
ok "$whorl" scenes tour.json
[ "$(grep -c 'A title' out)" = 12001 ] || fail "not all scenes are listed"
wrong "and 11971 others" "$whorl" frame --tour tour.json --scene none -o a.png
scenes destkop >faulty.json
wrong "and many more errors" "$whorl" scenes faulty.json
{ printf '{"scenes": ['; repeated 2000000 '{},'; printf '{}]}'; } >empty.json
wrong "and many more errors" "$whorl" scenes empty.json

# --- pipes, devices and folders where a small file is expected ---
mkfifo pipe.json
for what in pipe.json:pipe /dev/zero:device "$folder:folder"; do
    wrong "this is a ${what#*:}" "$whorl" stats matmul:n=4 --machine "${what%:*}"
    wrong "this is a ${what#*:}" "$whorl" scenes "${what%:*}"
done
printf 'i 32\ni 32\ni 1\ni 1\nR 0x10 0 0 1\n' >small.chiron
wrong "this is a pipe" "$whorl" stats small.chiron --chiron-sources pipe.json
for what in /dev/zero:device "$folder:folder"; do
    wrong "this is a ${what#*:}; expected what whorl stats --sweep" "$whorl" merge "${what%:*}" both.json
done
# What has no end is refused at its beginning.
wrong "not a part of a sweep" "$whorl" merge <(yes)
wrong "not a part of a sweep" "$whorl" merge - < <(cat /dev/zero)
(ulimit -v 500000 && wrong "too long to be merged" "$whorl" merge <(printf '{"a": "' && yes)) || exit 1

# --- what unpacks to gigabytes: 3 GB of zeros, or of lines, in some megabytes ---
head -c 10000000 /dev/zero | gzip >zeros.gz
{ printf '\x89WHORL\r\n\x02\0\0\0\0\0\0\0' | gzip; for _ in {1..300}; do cat zeros.gz; done; } >huge.whorl
wrong "reading it takes at least" "$whorl" trace huge.whorl -o a.txt
wrong "--memory" "$whorl" stats huge.whorl
wrong "more than the 32 MB" "$whorl" stats huge.whorl --memory 32M
wrong "not a size" "$whorl" stats huge.whorl --memory much
wrong "neither text nor a .whorl file" "$whorl" stats zeros.gz
{ printf 'i 32\ni 32\ni 1\ni 1\n' | gzip
  yes 'R 0x10 0 0 1' | head -c 13000000 | gzip >lines.gz
  for _ in {1..300}; do cat lines.gz; done; } >huge.chiron
wrong "reading it takes at least" "$whorl" stats huge.chiron
{ echo 'R 0x10 4' | gzip; head -c 10000000 /dev/zero | tr '\0' x | gzip >x.gz; for _ in {1..100}; do cat x.gz; done; } >line.gz
wrong "line.gz:2: a line of 1000000000 bytes" "$whorl" stats line.gz
ok "$whorl" stats line.gz --lenient
grep -q "line 2 is left out: it has 1000000000 bytes" err || fail "a long line is left out without a word"
seq -f 'R 0x%.0f 8388607' 1000000000 16777216 200000000000 >touched.txt
wrong "reading it takes at least" "$whorl" trace touched.txt -o a.whorl

# --- names, marks, regions and objects by the ten thousand, against their order ---
{ for i in $(seq 30000 -1 1); do echo "region r$i $((i * 16)) 16"; done; echo 'R 0x10'; } >regions.txt
{ for i in $(seq 30000 -1 1); do echo "new o$i C $((i * 16)) 16"; done; echo 'R 0x10'; } >objects.txt
{ for i in $(seq 30000); do echo "mark m$i"; done; echo 'R 0x10'; } >marks.txt
{ for i in $(seq 30000); do echo "R $((i * 64)) 4 f$i.c:$i"; done; } >sites.txt
for file in regions objects marks sites; do
    ok "$whorl" trace $file.txt -o $file.whorl
    ok "$whorl" collisions $file.whorl
    ok "$whorl" sharing $file.whorl
    # Its middle is lost.
    { head -c 3000 $file.whorl; tail -c +3100 $file.whorl; } >damaged.whorl
    limited "$whorl" trace damaged.whorl -o a.txt >out 2>err
    [ $? -lt 3 ] || fail "a damaged $file.whorl gave $?"
done
echo "bombs: all refused or read"
