#!/bin/bash
# What the picture commands print and draw: the caches of each CPU, what a trace has lost, the trace's own machine.
#
#   pictures_test.sh WHORL
set -u
whorl=$1
# shellcheck source=tests/app/cli/calls.sh
source "$(dirname "$(readlink -f "$0")")/../cli/calls.sh"
# says WORDS: standard error contains this line.
says() { grep -qxF -- "$1" err || fail "standard error lacks '$1'"; }

# --- the caches of one CPU ---
cat >pair.trace <<'END'
region A 0x1000 256 8 rows=32
R 0x1000 8 cpu=0
R 0x1020 8 cpu=1
W 0x1000 8 cpu=1
R 0x1040 8 cpu=2
END
for cpu in 0 1 2; do
    ok "$whorl" frame pair.trace --machine coherence --cpu $cpu --size 320x180 --panels -o $cpu.png
    [ -s err ] && fail "something was said"
    ok "$whorl" frame pair.trace --machine coherence --cpu $cpu --size 320x180 --panels -o again.png
    cmp -s $cpu.png again.png || fail "the same frame of CPU $cpu twice is not the same"
done
cmp -s 0.png 1.png && fail "CPU 0 and CPU 1 look the same"
ok "$whorl" frame pair.trace --machine coherence --size 320x180 --panels -o again.png
for cpu in 0 1 2; do
    cmp -s $cpu.png again.png && fail "without --cpu CPU $cpu is shown alone"
done
ok "$whorl" record pair.trace --machine coherence --cpu 1 --from 4 --to 4 --fps 5 --size 320x180 --panels -o frames/
cmp -s 1.png frames/*.png && fail "a recording moves as it plays, not as it is stepped through"
ok "$whorl" frame pair.trace --machine coherence --cpu 1 --speed 8 --size 320x180 --panels -o played.png
cmp -s played.png frames/*0.png || fail "record and frame draw different pictures of CPU 1"
for wrong in 4 64; do
    "$whorl" frame pair.trace --machine coherence --cpu $wrong -o no.png >out 2>err && fail "there is no CPU $wrong"
    says "whorl: --cpu $wrong: there is no such CPU; use 0 to 3"
done
"$whorl" frame matmul:n=4 --cpu 1 -o no.png >out 2>err && fail "there is no CPU 1"
says "whorl: --cpu 1: there is no such CPU; this machine has only CPU 0"

# --- how the picture is viewed ---
ok "$whorl" frame matmul:n=8 --at 300 --size 320x180 -o plain.png
while read -r options; do
    # shellcheck disable=SC2086
    ok "$whorl" frame matmul:n=8 --at 300 --size 320x180 $options -o other.png
    [ -s err ] && fail "something was said of $options"
    cmp -s plain.png other.png && fail "$options changes nothing"
done <<'END'
--zoom 3
--zoom 3 --focus 0.4,-0.2
--lapse 100
--elements
--disk nothing
--disk region:A
--disk kind:compulsory@50
--disk misses@run
--disk kind:conflict@range
--scale 2
--fill-by-use
--ground light
END
# For papers and slides.
for ending in svg pdf; do
    ok "$whorl" frame matmul:n=8 --at 300 --caption -o one.$ending
    ok "$whorl" frame matmul:n=8 --at 300 --caption -o two.$ending
    cmp -s one.$ending two.$ending || fail "the same .$ending twice is not the same"
done
grep -q ">also nearer</text>" one.svg || fail "the text of an SVG is not text"
[ "$(head -c 5 one.pdf)" = "%PDF-" ] || fail "a .pdf is no PDF"
# Text is a share of the picture's height.
ok "$whorl" frame matmul:n=8 --at 300 --size 640x640 -o plain.png
ok "$whorl" frame matmul:n=8 --at 300 --size 640x640 --lecture -o large.png
ok "$whorl" frame matmul:n=8 --at 300 --size 640x640 --caption --scale 1.25 -o other.png
cmp -s plain.png large.png && fail "--lecture changes nothing"
cmp -s large.png other.png || fail "a lecture is not a picture with words of a 32nd of its height"
ok "$whorl" frame matmul:n=8 --at 300.3 --size 320x180 -o plain.png
ok "$whorl" frame matmul:n=8 --at 300.3 --size 320x180 --reduced-motion -o other.png
cmp -s plain.png other.png && fail "--reduced-motion changes nothing"
# A fast recording shows everything that happened since the frame before.
ok "$whorl" record matmul:n=8 --from 600 --to 600 --fps 10 --speed 3000 --size 320x180 -o fast/
ok "$whorl" frame matmul:n=8 --at 600 --speed 3000 --lapse 300 --size 320x180 -o lapse.png
cmp -s lapse.png fast/*.png || fail "a recording at 300 accesses a frame is not a time-lapse of 300"
ok "$whorl" record matmul:n=8 --from 600 --to 600 --fps 10 --speed 3000 --lapse 1 --size 320x180 -o single/
cmp -s single/*.png fast/*.png && fail "--lapse 1 changes nothing"
wrongly() { # wrongly SENTENCE OPTIONS...
    local sentence=$1
    shift
    "$whorl" frame matmul:n=8 "$@" -o no.png >out 2>err && fail "$* should not be taken"
    says "$sentence"
}
wrongly 'whorl: --focus "3,0" is not a point; use X,Y from -1,-1 to 1,1: shares of half the picture'"'"'s smaller side, from the rings'"'"' centre' --focus 3,0
wrongly 'whorl: --disk region: no region is called "Z"; whorl stats lists them' --disk region:Z
wrongly 'whorl: --disk "temperature@0": "0" is not a number of accesses; use 1 to 65536, range or run' --disk temperature@0
wrongly 'whorl: --disk kind: "odd" is not a kind of misses; use compulsory, capacity, conflict, true sharing or false sharing' --disk kind:odd
for wrong in "--zoom 0" "--zoom 999" "--lapse 0" "--lapse 2000000" "--disk temperature:A" "--disk region" "--disk x"; do
    # shellcheck disable=SC2086
    "$whorl" frame matmul:n=8 $wrong -o no.png >out 2>err && fail "$wrong should not be taken"
done
[ -e no.png ] && fail "a mistake left a file"

# --- what a trace has lost or left out ---
printf 'R 0x1000\nnonsense\noff\nR 0x20\nR 0x40\non\n' >bad.trace
for command in "frame bad.trace -o a.png" "record bad.trace -o b/"; do
    # shellcheck disable=SC2086
    ok "$whorl" $command --lenient --size 64x64
    says "whorl: bad.trace: 1 malformed line was left out"
    says "whorl: bad.trace: 2 accesses were left out"
done
ok "$whorl" trace matmul:n=16 -o whole.whorl
head -c $(($(stat -c %s whole.whorl) / 2)) whole.whorl >half.whorl
if "$whorl" frame half.whorl --lenient --size 64x64 -o a.png >out 2>err; then
    grep -q '^whorl: half.whorl: ' err || fail "nothing is said of what half a file has lost"
fi
echo "the pictures show what they should"
