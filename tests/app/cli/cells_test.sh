#!/bin/bash
# The options of the views of cells and of time: each with a good and a bad value.
#
#   cells_test.sh WHORL
set -u
whorl=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
export LIBGL_ALWAYS_SOFTWARE=1 XDG_STATE_HOME=$folder/state
unset DISPLAY WAYLAND_DISPLAY

fail() {
    echo "FAILED: $*" >&2
    cat err >&2
    exit 1
}
frame() {
    rm -f picture.png
    "$whorl" frame matmul:n=8 --machine 1K/2/32,4K/4/64 --size 400x300 -o picture.png "$@" >out 2>err
}
good() { frame "$@" && [ -s picture.png ] && ! [ -s err ] || fail "$*"; }
# bad WORDS OPTION...: the options fail with exactly this sentence, and there is no picture.
bad() {
    local words=$1
    shift
    frame "$@" && fail "$* succeeded"
    [ "$(cat err)" = "whorl: $words" ] || fail "$* did not say '$words'"
    [ -e picture.png ] && fail "$* left a picture"
}

good --view memory --hilbert --log --groups page --cell 16 --width 32 --pixels 8 --boundaries L1,L2,pages
cp picture.png one.png
good --view memory --groups address --boundaries none --metric miss-rate:L2
cmp -s picture.png one.png && fail "other options give the same picture"
good --view memory-live --half-life 50 --conflicts L1
good --view cache:L1 --interleaved --metric evictions
good --view cache-live:L2 --view phases --view "history:B[3][4]"
good --view history:L1:3:0
good --view collisions
cp picture.png one.png
good --view collisions --by region --level L1
cmp -s picture.png one.png || fail "L1's collisions of regions are not the usual ones"
good --view collisions --by class
for options in "--by object" "--level L2"; do
    # shellcheck disable=SC2086
    good --view collisions $options
    cmp -s picture.png one.png && fail "$options gives the same picture"
done

bad '--metric "misses:L1": the view cache:L1 has no such metric; use accesses, hits, misses, miss-rate, penalty, evictions, write-backs, blocks, set-misses or set-blocks' \
    --view cache:L1 --metric misses:L1
bad '--cell "48" is not a size that it can have; use a power of two from 4 to 2097152' --view memory --cell 48
bad '--width "3" is not a size that it can have; use a power of two from 1 to 4096' --view memory --width 3
bad '--pixels: Value 257 not in range 1 to 256; see whorl frame --help' --view memory --pixels 257
bad '--groups "cats" is not a way to group memory; use regions, address, page, or a level: pieces as large as one of its ways' \
    --view memory --groups cats
bad '--boundaries "L7" has no boundaries; use L1, L2, pages, several with commas, or none' \
    --view memory --boundaries L1,L7
bad '--half-life 0 is out of range; use 1 to 100000 accesses' --view memory-live --half-life 0
bad 'there is no level "L9"; the machine has L1, L2' --view memory-live --conflicts L9
bad 'there is no level "L9"; the machine has L1, L2' --view collisions --level L9
bad '--by "line" is not valid; use region, object or class' --view collisions --by line
bad 'that lies outside B, which has 8 × 8 elements; count from 0' --view "history:B[99][4]"
bad 'L1 has no set 99; it has 16, from 0' --view history:L1:99:0
bad '"nosuch" is no place of this trace or machine; write a variable as B or B[3][4], an address as 0x1040 or 0x1040+64, a cell of a cache as L1:set:way' \
    --view history:nosuch
bad 'a place is needed; write a variable as B or B[3][4], an address as 0x1040 or 0x1040+64, a cell of a cache as L1:set:way' \
    --view history:
echo passed
