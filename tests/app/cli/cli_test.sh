#!/bin/bash
# The subcommands as a user types them: results, identical bytes on repetition, and one clear sentence per mistake.
#
#   cli_test.sh WHORL
set -u
whorl=$1
source=$(cd "$(dirname "$0")/../../.." && pwd)
# shellcheck source=tests/app/cli/calls.sh
source "$(dirname "$(readlink -f "$0")")/calls.sh"

# --- help and lists ---
ok "$whorl" --help
for sub in frame record slides stats history collisions sharing whatif why annotate grade quiz compare merge programs machines scenes tour trace capture cc run watch check help; do
    grep -q "^  $sub " out || fail "--help does not name $sub"
done
for sub in frame record slides stats history collisions sharing whatif why annotate grade quiz compare merge programs machines scenes tour trace capture cc run watch check help; do
    "$whorl" $sub --help >help 2>err || fail "$sub --help"
    [ -s help ] || fail "$sub --help is empty"
done
ok "$whorl" programs
for program in matmul bubblesort mergesort arrayinit conflict mpm vecadd windtunnel nbody; do grep -q "^$program:" out || fail "no $program"; done

# --- machines: listed with what they are; written as JSON and read back; this computer's own ---
ok "$whorl" machines
for words in "^desktop: 32K/8/64" "^  .*AMD Ryzen 7 7700X" "^  Source: .*57647" "^host: "; do
    grep -q "$words" out || fail "no '$words' in the list of machines"
done
ok "$whorl" machines laptop -o mine.json
grep -q '"source": "AMD' mine.json || fail "the source is not written"
ok "$whorl" machines mine.json
cmp -s out mine.json || fail "a machine that was read is written otherwise"
ok "$whorl" machines 2K/2/64
wrong "--ground has no effect before present; write whorl present --ground …" "$whorl" --ground light present rings
wrong "--paused has no effect before machines" "$whorl" --paused machines
wrong "also an input" "$whorl" machines ./mine.json -o mine.json
wrong "did you mean \"laptop\"" "$whorl" machines lapto
wrong "/no/folder" "$whorl" machines laptop -o /no/folder/m.json
if "$whorl" machines host -o host.json 2>err; then
    [ ! -s err ] || fail "a machine that is only written needs no remarks"
    ok "$whorl" stats matmul:n=8 --machine host --json
    grep -q "^whorl: host: .* Assumed" err || fail "what is assumed of this computer is not said"
    mv out host.stats
    ok "$whorl" stats matmul:n=8 --machine host.json --json
    ! grep -q Assumed err || fail "a file needs no assumptions"
    python3 -c 'import json, sys
sys.exit(json.load(open("host.stats"))["levels"] != json.load(open("out"))["levels"])' || fail "host.json is not host"
else
    grep -q "^whorl: host: " err || fail "this computer's caches are neither read nor refused"
fi

# --- a tour in place of an input: its first scene, or another one ---
cat >own.tour.json <<'END'
{"scenes": [{"id": "one", "title": "One", "words": "The first.", "input": "matmul:n=4", "at": 20},
            {"id": "two", "title": "Two", "words": "The second.", "input": "conflict", "at": 30}]}
END
for scene in "" one two; do
    ok "$whorl" frame own.tour.json ${scene:+--scene $scene} --size 320x200 -o whole.png
    ok "$whorl" frame --tour own.tour.json --scene "${scene:-one}" --size 320x200 -o named.png
    cmp -s whole.png named.png || fail "the tour shows another scene than '$scene'"
done
wrong 'no scene "three"' "$whorl" frame own.tour.json --scene three -o x.png
wrong "both own.tour.json and --tour" "$whorl" frame own.tour.json --tour rings --scene fig1a -o x.png
wrong "no such file" "$whorl" frame missing.tour.json -o x.png

# --- a word in brackets is one word, wherever it stands ---
wrong "[a,b]: there is no such file" "$whorl" merge "[a,b]" -o merged
wrong '"[a,b]" is not valid' "$whorl" stats matmul --only "[a,b]"
wrong "[a,b]: this is not a compiler" "$whorl" cc "[a,b]"
wrong "Value [a,b] not in range" "$whorl" stats matmul --top "[a,b]"

# --- numbers ---
ok "$whorl" stats matmul:n=16,variant=blocked,block=4 --json
for key in accesses reads writes levels name sets ways block caches cpus hits misses read_misses write_misses \
    evictions writebacks memory; do
    grep -q "\"$key\"" out || fail "no $key in the JSON"
done
mv out spec.json
ok "$whorl" stats matmul --n 16 --variant blocked --block=4 --json
cmp -s out spec.json || fail "options of a program do not mean what its spec means"

# --- traces: what is written reads back to the same counts ---
for name in t.trace t.trace.gz t.trace.zst; do
    ok "$whorl" trace matmul --n 8 -o $name
    ok "$whorl" stats $name --machine paper --json
    mv out $name.json
    ok "$whorl" stats matmul:n=8 --json
    cmp -s out $name.json || fail "$name does not give the counts of its program"
done
"$whorl" trace matmul --n 8 | "$whorl" stats - --machine paper --json >out 2>err || fail "standard input"
cmp -s out t.trace.json || fail "standard input gives other counts"
printf '0 1000\n1 1004\n2 400\n' >x.din
ok "$whorl" stats x.din --json
grep -q '"accesses": 2' out || fail "din"

# --- ranges, tables, forms ---
ok "$whorl" stats t.trace --from 100 --to 300 --json
grep -q '"accesses": 200' out || fail "a stretch does not have its length"
ok "$whorl" stats t.trace --to end --machine paper --json
cmp -s out t.trace.json || fail "the stretch of all is not all"
ok "$whorl" stats matmul --kinds --by region --by line --by set --by block --by cpu --by object --conflicts region --mrc
for words in compulsory "By region" "By line" "By CPU" "Regions that conflict" "Miss ratios" "… and"; do
    grep -q -- "$words" out || fail "no '$words' in the tables"
done
ok "$whorl" stats matmul --machine paper --utilization --by region
for words in "utilization *33.3 % *30.7 %" "fills full use would save *3 264" "L1 used %"; do
    grep -q -- "$words" out || fail "no '$words' in the tables"
done
ok "$whorl" stats matmul --machine paper --utilization --by region --by line --by cpu --by block --json
python3 -c 'import json, sys; r = json.load(open("out")); t = r["tables"]
sum = lambda name: __import__("functools").reduce(lambda a, row: a + row["L1_used_bytes"], t[name], 0)
sums = {sum(name) for name in ("by_region", "by_line", "by_cpu", "by_block")}
sys.exit(sums != {r["levels"][0]["caches"][0]["use"]["used_bytes"]})' ||
    fail "the tables differ in the bytes used"
printf 'region A 0x1000 64 8  # an array\n' >names
printf ' L 1000,8\n L 1008,8\n L 9000,8\n' >unnamed.lackey
ok "$whorl" stats unnamed.lackey --regions names --by region --csv
grep -q '^A,' out || fail "--regions does not name memory"
ok "$whorl" stats unnamed.lackey --regions names --only region=A
grep -q '2 accesses' out || fail "a region of --regions is not one for --only"
ok "$whorl" stats matmul:n=4 --regions names --by region --csv
ok "$whorl" trace unnamed.lackey --regions names -o named.trace
grep -q '^region A 0x1000 64 8' named.trace || fail "a region of --regions is not written"
wrong 'the region "A" overlaps "A", which the trace declares' "$whorl" stats named.trace --regions names
wrong "also an input" "$whorl" trace unnamed.lackey --regions names -o names
printf 'R 0x10\n' >nonames
wrong 'nonames:1: "R" is not known here' "$whorl" stats unnamed.lackey --regions nonames
wrong "there is no such file" "$whorl" stats unnamed.lackey --regions none
wrong "has all its names" "$whorl" stats matmul --binary "$whorl"
# --- patterns: typed, or in a file; lines, places and regions as those of programs ---
loop='for i in 0..16 { for j in 0..16 { read A[j][i] } }'
ok "$whorl" stats "pattern:$loop" --machine 1K/1/32 --json
mv out typed
printf '%s\n' "$loop" >columns.pattern
ok "$whorl" stats columns.pattern --machine 1K/1/32 --csv --by region
grep -q '^A,' out || fail "a pattern has no region"
ok "$whorl" stats columns.pattern --machine 1K/1/32 --csv --by line
grep -q 'columns.pattern:1' out || fail "a pattern has no lines"
ok "$whorl" stats columns.pattern --machine 1K/1/32
grep -q '^256 accesses\| 256 accesses' out || fail "a pattern in a file has other accesses"
ok "$whorl" history "pattern:$loop" 'A[3][4]'
ok "$whorl" trace columns.pattern -o columns.trace
ok "$whorl" stats columns.trace --machine 1K/1/32 --csv --by region
grep -q '^A,' out || fail "the trace of a pattern has no region"
wrong 'pattern:1:1: no statement begins with "fro"; did you mean "for"?' "$whorl" stats 'pattern:fro i in 0..4 { }'
wrong 'columns.pattern:1: "for" is not known' "$whorl" stats columns.pattern --format text
printf '\nread A[' >broken.pattern
wrong 'broken.pattern:2:8: expected a number, not the end' "$whorl" stats broken.pattern
wrong "has all its names" "$whorl" stats columns.pattern --binary "$whorl"
wrong "there is no such file" "$whorl" stats none.pattern
wrong "not an executable" "$whorl" stats unnamed.lackey --binary names
wrong "no instruction of this executable" "$whorl" stats unnamed.lackey --binary "$whorl"
wrong "\"0xx\" is not an address" "$whorl" stats unnamed.lackey --binary prog@0xx
# --- the order of several CPUs ---
printf 'R 0x10 4 cpu=0\nR 0x20 4 cpu=0\nR 0x30 4 cpu=1\nR 0x40 4 cpu=1\n' >two.trace
ok "$whorl" trace two.trace --interleaving virtual
[ "$(grep -c '^R' out)" = 4 ] || fail "an order loses accesses"
grep '^R' out | sed -n 2p | grep -q 'cpu=1' || fail "CPUs do not take turns in virtual time"
ok "$whorl" trace two.trace
grep '^R' out | sed -n 2p | grep -q 'cpu=1' && fail "without a log of waits, the order changes by itself"
wrong "times of their own" "$whorl" trace vecadd --interleaving virtual
wrong "real" "$whorl" trace two.trace --interleaving real
# --- a program, counted by the processor and simulated ---
mkdir bin
cat >bin/perf <<'PERF'
#!/bin/sh
out=/dev/stderr
while [ $# -gt 0 ]; do
    case $1 in
    -o) out=$2 && shift ;;
    --) shift && break ;;
    true) break ;;
    esac
    shift
done
printf '5000,,instructions:u,1,100.00,,\n<not supported>,,LLC-loads:u,0,100.00,,\n' >"$out"
[ $# -gt 0 ] && exec "$@"
PERF
chmod +x bin/perf
if command -v valgrind >/dev/null; then
    PATH=$PWD/bin:$PATH ok "$whorl" check -m paper -- sh -c 'exit 0'
    grep -q '^instructions .* 5 000 ' out || fail "check does not tell what perf counted"
    grep -q '^loads .* not counted' out || fail "check does not tell what perf did not count"
    status=0
    PATH=$PWD/bin:$PATH "$whorl" check --json -m paper -- sh -c 'exit 3' >out 2>err || status=$?
    [ $status = 3 ] || fail "the status of the program is lost"
    python3 -c 'import json; json.load(open("out"))' || fail "check --json"
    # Where nothing can be counted, too.
    mkdir without
    printf '#!/bin/sh\nexit 1\n' >without/perf && chmod +x without/perf
    status=0
    PATH=$PWD/without:$PATH "$whorl" check -m paper -- sh -c 'exit 3' >out 2>err || status=$?
    [ $status = 3 ] || fail "the status of a program that is not counted is lost"
fi
if command -v valgrind >/dev/null; then
    # A program is recorded first, with its own words, whatever they look like.
    ok "$whorl" why -m paper -- sh -c 'echo "$0 $1"' --top 7
    grep -q '^--top 7$' out || fail "why does not give a program its words"
    grep -q '^sh on machine paper: ' out || grep -q 'stall cycles lost' out || fail "why does not record a program"
    # What is recorded opens on the machine that it is recorded for, unless another is named.
    ok "$whorl" capture -o true.whorl -m direct --set L1.ways=2 -- true
    [ "$("$whorl" stats true.whorl)" = "$("$whorl" stats true.whorl -m direct --set L1.ways=2)" ] ||
        fail "a recording has not its machine"
    [ "$("$whorl" stats true.whorl -m paper)" != "$("$whorl" stats true.whorl)" ] || fail "a named machine does not win"
    wrong 'there is no machine "nosuch"' "$whorl" capture -o none.whorl -m nosuch -- true
    [ ! -e none.whorl ] || fail "it was recorded in spite of an error"
    if "$whorl" machines host -o host.json 2>/dev/null; then
        ok "$whorl" capture -o true.whorl -- true
        [ "$("$whorl" stats true.whorl)" = "$("$whorl" stats true.whorl -m host.json)" ] ||
            fail "without a name, the machine is not this computer"
    fi
    # Windows into a program, and what they say of the whole.
    wrong '"10K" is not N:M' "$whorl" capture -o none.whorl --windows 10K -- true
    wrong '"10K:" is not N:M' "$whorl" capture -o none.whorl --windows 10K: -- true
    wrong 'there are no 1000 accesses in every 10' "$whorl" capture -o none.whorl --windows 1K:10 -- true
    ok "$whorl" capture -o windows.whorl --windows 100:1K -- sh -c 'echo done'
    grep -q 'whorl: windows.whorl: Windows: \|^done$' out || fail "the words of a program with windows"
    for order in auto recorded; do
        ok "$whorl" stats windows.whorl -m paper --interleaving $order
        grep -q '^Windows: [0-9 ]* of 100 accesses, one in every 1 000$' out || fail "no windows"
        grep -q '^  L1: [0-9.]* ± [0-9.]* (95 %); ' out || fail "no miss ratio of the whole program"
    done
    ok "$whorl" stats windows.whorl -m paper --csv
    grep -q ',L1,,whole_program_miss_ratio,0' out || fail "no miss ratio of the whole program in CSV"
    ok "$whorl" stats windows.whorl -m paper --to 100
    grep -q '^Windows' out && fail "a part of the windows is taken for the whole program"
    ok "$whorl" trace windows.whorl -o copied.whorl
    [ "$("$whorl" stats windows.whorl -m paper)" = "$("$whorl" stats copied.whorl -m paper)" ] ||
        fail "a copied file has not its windows"
    # All processes that come from a program.
    touch tree.2.whorl
    "$whorl" capture --children -o tree.whorl -- sh -c 'true; (exit 3); sh -c "exit 4"' >out 2>err && fail "--children: the status"
    grep -q '^whorl: [0-9]* sh -c .*: tree.whorl, [0-9 ]* accesses, ' err || fail "--children: the first process: $(cat err)"
    grep -q '^whorl:   [0-9]* sh -c .*: tree.3.whorl, [0-9 ]* accesses, ' err || fail "--children: its child: $(cat err)"
    [ ! -s tree.2.whorl ] || fail "--children overwrites a file"
    ok "$whorl" stats tree.3.whorl -m paper
    # SIGUSR1 begins and stops a recording.
    "$whorl" capture -o switched.whorl --start-off -- sh -c 'kill -USR1 $PPID; i=0; while [ $i -lt 2000 ]; do i=$((i + 1)); done' \
        >out 2>err || fail "--start-off: $(cat err)"
    grep -q 'kill -USR1 [0-9]*$' err || fail "--start-off does not tell how to begin: $(cat err)"
    ok "$whorl" trace switched.whorl --to text -o switched.trace
    grep -q '^mark "recording began"' switched.trace || fail "no mark where the recording began"
fi
wrong "no window" "$whorl" watch unnamed.lackey
# --- the formats of other tools, packed ---
printf '1 1: 77 ifetch 3 byte(s) @ 0x400 x\n2 1: 77 read 8 byte(s) @ 0x1000 by PC 0x400\n' >a.view
ok "$whorl" stats a.view
grep -q '1 accesses\|1 access' out || fail "a trace of drmemtrace"
printf '#\n0x400: R 0x1000\n0x404: W 0x1008 8 0x2a\n#eof\n' >pinatrace.out
ok "$whorl" stats pinatrace.out
grep -q '2 accesses' out || fail "a trace of pinatrace"
python3 -c 'import lzma, struct; open("a.champsim.xz", "wb").write(lzma.compress(
    struct.pack("<QBB6x2Q4Q", 0x400, 0, 0, 0x1000, 0, 0x2000, 0, 0, 0) * 3))'
ok "$whorl" stats a.champsim.xz
grep -q '6 accesses' out || fail "a trace of ChampSim"
cp a.champsim.xz other.xz
ok "$whorl" stats other.xz --format champsim
ok "$whorl" stats - --format champsim <other.xz
grep -q '6 accesses' out || fail "a trace of ChampSim from standard input"
head -c 100 /dev/zero >cut.champsim
wrong "cut.champsim, byte 64: the record has 36 bytes" "$whorl" stats cut.champsim
printf 'I  0400,4\n L 1000,8\nI  0404,4\n' >i.lackey
ok "$whorl" stats i.lackey
grep -q '; 2 instructions' out || fail "instructions are not counted"
ok "$whorl" trace i.lackey -o i.whorl
ok "$whorl" stats i.whorl --json
grep -q '"instructions": 2' out || fail "a .whorl file does not tell the instructions"
ok "$whorl" stats matmul --by region --by line --json
python3 -c 'import json, sys; t = json.load(open("out"))["tables"]; sys.exit(len(t["by_region"]) != 3 or len(t["by_line"]) < 2)' ||
    fail "the tables in JSON"
ok "$whorl" stats matmul --by block --csv -o blocks.csv
[ "$(head -c 6 blocks.csv)" = "block," ] || fail "a table as CSV"
[ "$(wc -l <blocks.csv)" -gt 21 ] || fail "CSV leaves rows out"
ok "$whorl" stats matmul --by source --by word --by class --by block:l2 --json
python3 -c 'import json, sys; t = json.load(open("out"))["tables"]
sum = lambda name: __import__("functools").reduce(lambda a, row: a + row["cycles"], t[name], 0)
sys.exit(len({sum(name) for name in ("by_line", "by_word", "by_class", "by_block_L2")}) != 1)' ||
    fail "the tables differ in their sums"
wrong 'there is no level "L9"' "$whorl" stats matmul --by block:L9
wrong "use region, object, class" "$whorl" stats matmul --by nothing
wrong "use region, object, class" "$whorl" stats matmul --by page:3K
wrong "use region, object, class" "$whorl" stats matmul --by way:
ok "$whorl" stats matmul --machine tlb --by block --by page --by page:64K --by set --by set:l1 --by way --by way:L2 --json
python3 -c 'import json, sys
r = json.load(open("out")); t = r["tables"]
def sum_of(table, key): return sum(row[key] for row in t[table])
l1 = r["levels"][0]["caches"][0]
for table in ("by_block", "by_page"):
    assert sum_of(table, "accesses") == r["accesses"] and sum_of(table, "cycles") == r["cycles"], table
    assert sum_of(table, "tlb_misses") == r["tlb"]["misses"], table
    assert sum_of(table, "L1_misses") == l1["misses"] and sum_of(table, "L1_hits") == l1["hits"], table
for table in ("by_set_L1", "by_way"):
    assert sum_of(table, "requests") == l1["accesses"] and sum_of(table, "evictions") == l1["evictions"], table
assert sum_of("by_way_L2", "misses") == r["levels"][1]["caches"][0]["misses"]
assert sum(row["misses"] for row in t["by_set"] if row["level"] == "L1") == l1["misses"]
assert len(t["by_page"]) < len(t["by_block"])' || fail "blocks, pages, sets and ways do not add up"
ok "$whorl" stats matmul --from 1000 --to 2000 --by page --by way
for words in "By page" "By way" "mostly"; do grep -q -- "$words" out || fail "no '$words' in the tables"; done
[ "$(wc -L <out)" -le 120 ] || fail "the tables are wider than 120 characters"

# --- one place through time ---
ok "$whorl" history matmul:n=16 "B[3][4]"
for words in "^B\[3\]\[4\]: 16 accesses" "served by" "^By name" "^By line" "^matmul_standard.h:6"; do
    grep -q -- "$words" out || fail "no '$words' in the history"
done
ok "$whorl" history matmul:n=16 B --csv -o history.csv
[ "$(wc -l <history.csv)" = 4097 ] || fail "the history of an array lacks accesses"
[ "$(head -1 history.csv)" = "tick,cpu,line,address,place,op,size,served_by,penalty" ] || fail "a history as CSV"
ok "$whorl" history matmul:n=16 B --from 100 --to 200 --csv
[ "$(tail -n +2 out | awk -F, '$1 < 100 || $1 >= 200' | wc -l)" = 0 ] || fail "the history goes beyond its range"
ok "$whorl" history matmul:n=16 L1:0:0 --machine "1K/2/64, 8K/4/64" --json
python3 -c 'import json, sys
h = json.load(open("out"))
brought = [a for a in h["accesses"] if a["result"] != "hit"]
sys.exit(len(brought) != len(h["stays"]) or h["stays"][0]["in"] != brought[0]["tick"])' || fail "what is filled does not live there"
ok "$whorl" history vecadd L1@2:3:0 --top 3
grep -q "^L1@2:3:0: " out || fail "the cache of a CPU is not found"
wrong "PLACE is required" "$whorl" history matmul
wrong '"nothing" is no place of this trace or machine' "$whorl" history matmul nothing
wrong "B has two indices" "$whorl" history matmul "B[1]"
wrong "L1 has no set" "$whorl" history matmul L1:99999:0
wrong "exclude each other" "$whorl" history matmul B --csv --json
ok "$whorl" collisions matmul --level L1 --csv
[ "$(head -1 out)" = "level,culprit,victim,evictions,moments" ] || fail "collisions as CSV"
ok "$whorl" collisions matmul --by class
grep -q "Evictions from L1: accesses to the row" out || fail "collisions have no matrix"
wrong "use region, object or class" "$whorl" collisions matmul --by line
ok "$whorl" stats matmul --set L1.ways=1 --set '*.latency=7' --json
grep -q '"ways": 1' out || fail "--set changes nothing"
ok "$whorl" frame matmul:n=8 --at 10 --set L1.ways=2 --size 320x180 -o set.png
printf 'R 1000 4\nR 1000 4 cpu=3\n' >four.trace
ok "$whorl" stats four.trace --json
mv out four.json
ok "$whorl" stats four.trace --to end --kinds --json
for key in '"cpus": \[' '"accesses": 2,'; do
    [ "$(grep -c "$key" out)" = "$(grep -c "$key" four.json)" ] || fail "streamed and kept differ in $key"
done

# --- another layout: two counters in one block, then apart ---
{
    printf 'region first 0x1000 4\nregion second 0x1004 4\n'
    for _ in $(seq 50); do printf 'W 0x1000 4 cpu=0\nW 0x1004 4 cpu=1\n'; done
} >shared.trace
ok "$whorl" whatif shared.trace --machine coherence --map align:second:64 --json
python3 -c 'import json, sys; f = json.load(open("out"))["figures"]; c = f["L1_coherence"]
sys.exit(not (c["before"] == 98 and c["after"] == 0 and f["cycles"]["saved"] > 0))' || fail "aligning cures no false sharing"
mv out whatif.json
ok "$whorl" whatif shared.trace --machine coherence --map align:second:64
grep -q "^shared.trace, with second aligned to 64$" out || fail "whatif does not name its trace"
grep -q "cycles by region" out || fail "whatif does not tell whose cycles changed"
ok "$whorl" stats shared.trace --machine coherence --map align:second:64 --json
mv out mapped.json
python3 -c 'import json, sys
sys.exit(json.load(open("mapped.json"))["cycles"] != json.load(open("whatif.json"))["figures"]["cycles"]["after"])' ||
    fail "stats --map and whatif differ"
ok "$whorl" sharing shared.trace --machine coherence --json
python3 -c 'import json, sys
report = json.load(open("out")); cure = report["groups"][0]["cures"][0]
whatif = json.load(open("whatif.json"))["figures"]["cycles"]  # 32 bytes are a block, so that 64 save the same
sys.exit(cure["changes"][0]["spec"] != "align:second:32" or cure["saved_cycles"] != whatif["saved"] or
         cure["padding"] != 28 or "latent" in report)' || fail "sharing knows no cure"
ok "$whorl" sharing shared.trace --machine coherence
grep -q "Cure: align second to 32 bytes" out || fail "sharing tells no cure"
grep -q "^Tried on machine coherence: 1 change of the layout, of which 1 saves 1 % of all stall cycles" out || fail "sharing does not tell its trials"
ok "$whorl" sharing shared.trace --machine coherence --map align:second:32 --latent
grep -q "^Latent: if second began 16 bytes earlier" out || fail "sharing finds no latent sharing"
ok "$whorl" sharing shared.trace --machine coherence --map align:second:32 --latent --json
python3 -c 'import json, sys
groups = json.load(open("out"))["latent"]["groups"]
sys.exit(len(groups) != 2 or groups[0]["lost"] <= 0)' || fail "latent sharing as JSON"
for name in moved.trace moved.whorl; do
    ok "$whorl" trace shared.trace --map align:second:64 -o $name
    ok "$whorl" stats $name --machine coherence --json
    cmp -s out mapped.json || fail "$name does not hold the trace as it is seen"
done
grep -q "region second 0x1040 4" moved.trace || fail "the region is not written where it lies"
ok "$whorl" frame shared.trace --map align:second:64 --map shift:second:64 --at 3 --size 320x180 -o moved.png
ok "$whorl" frame moved.trace --map shift:second:64 --at 3 --size 320x180 -o again.png
cmp -s moved.png again.png || fail "--map twice is not the one after the other"
wrong "--map align:NAME:64" "$whorl" whatif shared.trace
wrong "did you mean \"second\"" "$whorl" whatif shared.trace --map align:secnd:64
wrong "not a power of two" "$whorl" frame shared.trace --map align:second:48 -o z.png
wrong "not a layout change" "$whorl" stats shared.trace --map second

# --- why: what stalls most, with the figures of stats, and a cure that what-if confirms ---
ok "$whorl" why matmul:n=32 --machine paper --json
mv out why.json
ok "$whorl" stats matmul:n=32 --machine paper --by region --json
mv out byregion.json
ok "$whorl" whatif matmul:n=32 --machine paper --map transpose:B --json
python3 -c 'import json, sys
why = json.load(open("why.json")); b = why["arrays"][0]
rows = {row["region"]: row for row in json.load(open("byregion.json"))["tables"]["by_region"]}
saved = json.load(open("out"))["figures"]["cycles"]["saved"]
sys.exit(not (b["name"] == "B" and b["cycles"] == rows["B"]["cycles"] and
              b["levels"]["L1"]["misses"] == rows["B"]["L1_misses"] and
              b["cure"]["changes"][0]["spec"] == "transpose:B" and b["cure"]["saved_cycles"] == saved > 0))' ||
    fail "why differs from stats and whatif"
ok "$whorl" why matmul:n=32 --machine paper --top 1
grep -q "^B is walked down its columns: .*(--map transpose:B)" out || fail "why gives no advice"
[ "$(grep -c " misses in [0-9 ]* accesses" out)" = 2 ] || fail "why --top 1 advises more than once for each list"
ok "$whorl" stats matmul:n=8 --machine paper --json
mv out plain.json
ok "$whorl" stats matmul:n=8 --machine paper --map transpose:B --map transpose:B --json
cmp -s out plain.json || fail "transposed twice is not as before"
ok "$whorl" stats matmul:n=8 --machine paper --map block:B:8 --json
cmp -s out plain.json || fail "a single tile is not as before"
ok "$whorl" frame matmul:n=8 --map block:B:2 --view array:B,array --at 9.4 --size 640x360 -o arrays.png
wrong "there is no array of this name" "$whorl" frame matmul:n=8 --view array:D -o arrays.png
wrong "there is no region or object" "$whorl" whatif matmul --map transpose:Q
wrong "have no known fields" "$whorl" whatif matmul --map split:B
wrong "there is no such file" "$whorl" why nothing.trace

# --- quiz: the same seed gives the same sheets, which hold what stats counts ---
machine="1K/2/32, 4K/4/32"
for form in txt pdf gift; do
    ok "$whorl" quiz matmul:n=8 --machine "$machine" -o sheet.$form
    ok "$whorl" quiz matmul:n=8 --machine "$machine" --seed 1 -o again.$form
    cmp -s sheet.$form again.$form || fail "the same seed gives another sheet.$form"
    ok "$whorl" quiz matmul:n=8 --machine "$machine" --seed 2 -o again.$form
    cmp -s sheet.$form again.$form && fail "another seed gives the same sheet.$form"
done
[ "$(head -c 5 sheet.pdf)" = "%PDF-" ] || fail "the sheet is no PDF"
grep -q "^Answers: matmul" <(tr '\f' '\n' <sheet.txt) || fail "the answers are missing"
ok "$whorl" quiz matmul:n=8 --machine "$machine" --no-answers
cmp -s out <(head -c "$(stat -c %s out)" sheet.txt) || fail "the questions depend on the answers"
grep -q "Answers" out && fail "there are answers"
ok "$whorl" quiz matmul:n=8 --machine "$machine" --every 1 --count 10000
cp out all.txt
ok "$whorl" stats matmul:n=8 --machine "$machine" --json
python3 -c 'import json, re, sys
said = re.findall(r"^\d+\. tag .*: (hit|miss)", open("all.txt").read().replace("\f", "\n"), re.M)
l1 = json.load(open("out"))["levels"][0]["caches"][0]
accesses, misses = l1["accesses"], l1["misses"]
sys.exit(not (len(said) == accesses > 1000 and said.count("miss") == misses > 0))' || fail "quiz and stats differ"
ok "$whorl" quiz matmul:n=16 -m paper --play --count 6 --level l2
[ "$(tr '\f' '\n' <out | sed -n '/^Answers/,$p' | grep -cE '^ +[1-6]\. .* (hit|miss) ')" = 6 ] || fail "the table is not filled in"
while read -r line; do # as docs/quiz.md shows it
    ok bash -c "whorl() { '$whorl' \"\$@\"; }; $line"
done < <(grep '^    whorl quiz ' "$source/docs/quiz.md")
[ -s sheet.gift ] || fail "docs/quiz.md has no examples"
wrong "there is no level" "$whorl" quiz matmul:n=4 --level L9
wrong "end it in .pdf, .txt or .gift" "$whorl" quiz matmul:n=4 -o sheet.doc
wrong "no table to fill in" "$whorl" quiz matmul:n=4 --play -o sheet.gift
wrong "Moodle needs the answers" "$whorl" quiz matmul:n=4 --no-answers -o sheet.gift
wrong "exclude each other" "$whorl" quiz matmul:n=4 --play --every 2
wrong "no access of this range" "$whorl" quiz matmul:n=4 --from 3 --to 3

# --- sources with their costs, and notes for editors ---
ok "$whorl" annotate matmul:n=8 -m paper
grep -qE '^6 .* sum \+= A\(i, k\)' out || fail "annotate shows no line"
for form in --csv --json --markdown --html; do ok "$whorl" annotate matmul:n=8 $form; done
grep -q '^<!doctype html>' out || fail "--html is no page"
wrong "exclude each other" "$whorl" annotate matmul:n=8 --csv --html
wrong "names no functions" "$whorl" annotate matmul:n=8 --function main
ok "$whorl" why matmul:n=16 -m paper --notes
grep -qE '^matmul_standard\.h:6:17: note: B is walked down its columns: ' out || fail "--notes has no place"
ok "$whorl" why matmul:n=16 -m paper --csv
head -1 out | grep -q '^by,name,lost,.*,advice$' || fail "why --csv has other columns"

# What other tools read: the lines, and as many misses as stats has.
ok "$whorl" stats matmul:n=8 -m paper --json --callgrind lines.callgrind
mv out of.json
ok callgrind_annotate --threshold=100 --show=D1mr,D1mw,DLmr,DLmw lines.callgrind
python3 - <<'END' || fail "callgrind_annotate has other counts than stats: $(cat out)"
import json, re
nearest, last = [level["caches"][0] for level in json.load(open("of.json"))["levels"]]
totals = re.search(r"^([^\n]*)PROGRAM TOTALS", open("out").read(), re.M).group(1)
counts = [int(n.replace(",", "")) for n in re.findall(r"(?<![(\d.])[\d,]+(?![\d.%])", re.sub(r"\([^)]*\)", "", totals))]
assert counts[:2] == [nearest["read_misses"], nearest["write_misses"]], counts
assert sum(counts[2:4]) == last["read_misses"], counts
END
grep -q 'matmul_standard.h' out || fail "callgrind_annotate knows no file"
wrong "is about one machine" "$whorl" stats matmul:n=8 --callgrind x --sweep L1.ways=1,2

# --- two runs: the figures of stats of each, and what is wrong said in a sentence ---
blocked=matmul:n=8,variant=blocked
ok "$whorl" compare matmul:n=8 $blocked --with-machine direct --machine paper --json
mv out compare.json
ok "$whorl" stats matmul:n=8 --machine paper --by region --json
mv out a.json
ok "$whorl" stats $blocked --machine direct --by region --json
mv out b.json
python3 - <<'END' || fail "compare and stats differ"
import json
c = json.load(open("compare.json"))
for side in "ab":
    stats = json.load(open(side + ".json"))
    figures = {key: f[side] for key, f in c["figures"].items()}
    assert figures["accesses"] == stats["accesses"] and figures["cycles"] == stats["cycles"]
    assert figures["memory_reads"] == stats["memory"]["reads"]
    for level in stats["levels"]:
        for key in "misses", "writebacks", "evictions":
            assert figures[level["name"] + "_" + key] == sum(cache[key] for cache in level["caches"])
    assert c[side]["machine"] == stats["machine"]
misses = c["figures"]["L1_misses"]
assert misses["difference"] == misses["b"] - misses["a"]
END
ok "$whorl" compare matmul:n=8 $blocked
grep -q "^L1 misses by region" out || fail "compare tells no regions"
# A limit: the status and the reason, in each form.
ok "$whorl" compare matmul:n=8 $blocked --fail-if 'L1.misses>+0' --csv
head -1 out | grep -qx 'by,name,figure,a,b,difference,percent' || fail "the columns of compare have other names"
"$whorl" compare $blocked matmul:n=8 --by line --by function --fail-if 'L1.misses>+2%' --markdown >out 2>err
[ $? = 1 ] || fail "an exceeded limit is no failure"
grep -q "^whorl: L1.misses>+2% is exceeded: L1 misses: .* most in matmul_standard.h:" err || fail "no line is to blame: $(cat err)"
grep -q '^- `L1.misses>+2%`: L1 misses: ' out && grep -q '^| matmul' out || fail "Markdown tells no reason"
"$whorl" compare $blocked matmul:n=8 --fail-if 'L1.misses>+2%' --json >out 2>err && fail "JSON has another status"
python3 -c 'import json; f = json.load(open("out"))["failed"]; assert len(f) == 1 and f[0]["limit"] == "L1.misses>+2%"' ||
    fail "JSON does not tell what failed"
wrong "is not a limit" "$whorl" compare matmul:n=8 $blocked --fail-if 'L1.misses>2%'
wrong 'did you mean "L1_misses"' "$whorl" compare matmul:n=8 $blocked --fail-if 'L1.mises>+2%'
wrong "exclude each other" "$whorl" compare matmul:n=8 $blocked --csv --markdown
wrong "compare needs two runs" "$whorl" compare matmul:n=8
ok "$whorl" compare t.trace t.trace --json -o same.json
python3 - <<'END' || fail "a run differs from itself"
import json
figures = json.load(open("same.json"))["figures"].values()
assert figures and all(f["difference"] == 0 for f in figures)
END
wrong "there is no machine \"nowhere\"" "$whorl" compare matmul:n=8 --with-machine nowhere
wrong "there is no program" "$whorl" compare matmul:n=8 nosuch

ok "$whorl" frame matmul:n=8 --with $blocked --lock share --at 700 --size 640x360 -o pair.png
ok "$whorl" frame $blocked --with matmul:n=8 --lock share --at 700 --size 640x360 -o riap.png
cmp -s pair.png riap.png && fail "the pictures of two runs do not depend on their order"
ok "$whorl" frame matmul:n=8 --machine paper --with-machine direct --at 700 --size 640x360 -o machines.png
ok "$whorl" frame matmul:n=8 --sweep L1.ways=1,2 --sweep L2.ways=4,8 --at end --size 640x360 -o sweep.png
ok "$whorl" frame matmul:n=8 --with $blocked --lock line --view memory,phases,history:B --at 9 --size 640x360 -o views.png
wrong "would be compared with itself" "$whorl" frame matmul:n=8 --with matmul:n=8 -o z.png
# One notion of a position.
for at in 50% 544 544.0; do ok "$whorl" frame matmul:n=8 --at $at --size 320x240 -o "at$at.png"; done
cmp -s at50%.png at544.png && cmp -s at544.png at544.0.png || fail "--at 50% is not half of the accesses"
[ "$("$whorl" stats matmul:n=8 --from 25% --to 0.5K)" = "$("$whorl" stats matmul:n=8 --from 272 --to 500)" ] ||
    fail "--from 25% is not a quarter of the accesses"
wrong '--from "5.5" is within an access' "$whorl" stats matmul:n=8 --from 5.5
wrong '--at "+5" is not a position in this trace' "$whorl" frame matmul:n=8 --at +5 -o z.png
wrong '--at "101%" is not a position in this trace' "$whorl" frame matmul:n=8 --at 101% -o z.png
wrong "room for 16" "$whorl" frame matmul:n=8 --sweep L1.ways=1:17:+1 -o z.png
wrong "--sweep and --with exclude each other" "$whorl" frame matmul:n=8 --sweep L1.ways=1,2 --with $blocked -o z.png
wrong "" "$whorl" frame matmul:n=8 --sweep L7.ways=1,2 -o z.png
[ ! -e z.png ] || fail "a picture was drawn in spite of an error"

# --- sweeps: the same with any number of jobs; merged shards equal the whole ---
sweep=(stats t.trace --sweep L1.ways=1,2,3,4 --sweep policy=lru,fifo)
for form in --json --csv; do
    ok "$whorl" "${sweep[@]}" $form -j 1 -o whole
    ok "$whorl" "${sweep[@]}" $form -j 4 -o again
    cmp -s whole again || fail "a sweep depends on the number of jobs"
    for i in 1 2 3; do ok "$whorl" "${sweep[@]}" $form --shard $i/3 -o part$i; done
    ok "$whorl" merge part3 part1 part2 -o merged
    cmp -s whole merged || fail "shards in $form put together are not the whole"
    wrong "missing" "$whorl" merge part1 part3
    wrong "part2 too" "$whorl" merge part1 part2 part3 part2
done
grep -q "whole number of sets" whole || fail "an unsound point is not told"
ok "$whorl" "${sweep[@]}"
grep -q "L1 miss ratio" out || fail "a sweep as text"
wrong "not a part" "$whorl" merge t.trace
wrong "there is no" "$whorl" merge nosuch

# --- pictures: identical to the byte, by frame and by record ---
ok "$whorl" frame matmul:n=8 --at 100.5 --size 320x180 -o a.png
ok "$whorl" frame matmul:n=8 --at 100.5 --size 320x180 -o b.png
cmp -s a.png b.png || fail "the same frame twice is not the same"
ok "$whorl" frame matmul:n=8 --at 100.5 --size 320x180 --ground light --panels -o c.png
cmp -s a.png c.png && fail "ground and panels change nothing"
ok "$whorl" record matmul:n=8 --from 100 --to 101 --speed 2 --fps 4 --size 320x180 -o frames/
[ "$(ls frames)" = "$(printf '%05d.png\n' 0 1 2)" ] || fail "frames/ holds $(ls frames)"
ok "$whorl" frame matmul:n=8 --at 100.5 --speed 2 --size 320x180 -o d.png
cmp -s d.png frames/00001.png || fail "a recorded frame is not the frame of its moment"
# A recording starts at the first recorded access, unless it ends before that.
printf 'off\nR 0x0\nR 0x40\nR 0x80\non\nR 0x0\nR 0xc0\n' >late.txt
late=(late.txt --unrecorded simulate --speed 2 --fps 2 --size 320x180)
ok "$whorl" record "${late[@]}" -o first/
ok "$whorl" record "${late[@]}" --from 3 -o third/
diff -rq first third >/dev/null || fail "a recording does not start at the first recorded access"
ok "$whorl" record "${late[@]}" --to 2 -o early/
ok "$whorl" record "${late[@]}" --from 0 --to 2 -o zeroth/
diff -rq early zeroth >/dev/null || fail "a recording that ends before the first recorded access does not start at 0"
for kind in mp4 gif; do
    ok "$whorl" record matmul:n=8 --from 10 --to 12 --fps 10 --size 320x180 -o x.$kind
    ok "$whorl" record matmul:n=8 --from 10 --to 12 --fps 10 --size 320x180 -o y.$kind
    cmp -s x.$kind y.$kind || fail "the same .$kind twice is not the same"
done
[ "$(ls ./*.part 2>/dev/null)" = "" ] || fail "something half written was left behind"

# --- scenes: a named position ---
ok "$whorl" scenes
for id in fig1a fig3c fig4d fig6a fig7b fig8c; do grep -q "^$id: " out || fail "no scene $id"; done
cat >own.json <<'END'
{"scenes": [{"id": "here", "title": "Here", "words": "See.", "input": "matmul:n=8", "machine": "lecture", "at": 100.5,
             "history": 3}]}
END
ok "$whorl" scenes own.json
grep -q "^here: Here$" out || fail "a tour of one's own is not listed"
grep -qF -- "--tour own.json --scene here" out || fail "how to use a tour of one's own is not told"
own="--tour own.json --scene here --size 640x360"
plain="matmul:n=8 --machine lecture --size 640x360"
ok "$whorl" frame $own -o scene.png
ok "$whorl" frame $plain --at 100.5 --trails 3 --caption -o same.png
cmp -s scene.png same.png && fail "a scene does not tell its words"
# The part of a picture that the caption leaves to the rings.
rings() { ffmpeg -v error -i "$1" -vf crop=360:360:280:0 -f rawvideo -; }
cmp -s <(rings scene.png) <(rings same.png) || fail "a scene is not its moment"
ok "$whorl" frame $own --at 60 --trails 9 --machine paper -o scene.png
ok "$whorl" frame matmul:n=8 --machine paper --at 60 --trails 9 --size 640x360 --caption -o same.png
cmp -s <(rings scene.png) <(rings same.png) || fail "what is said on the command line does not go before the scene"
ok "$whorl" record $own --to 102 --fps 4 -o scenes/
ok "$whorl" record $plain --trails 3 --from 100.5 --to 102 --fps 4 --caption -o sames/
cmp -s <(rings scenes/00000.png) <(rings sames/00000.png) || fail "a recording does not begin with the scene"
# Which accesses are wanted is asked of programs and scenes as of files.
ok "$whorl" trace matmul:n=8 -o whole.whorl
for what in region=B cpu=0,region=C; do
    conditions="--only ${what//,/ --only }"
    ok "$whorl" stats matmul:n=8 --machine paper $conditions --json
    cp out of_program
    ok "$whorl" stats whole.whorl --machine paper $conditions --json
    cmp -s of_program out || fail "$conditions of a program is not that of its file"
done
ok "$whorl" frame --scene fig1a --only region=B -o some.png
ok "$whorl" frame --scene fig1a -o all.png
cmp -s some.png all.png && fail "--only changes nothing in a scene"
wrong "nowhere" "$whorl" stats matmul:n=8 --only region=nowhere
# A picture shows a scene where it rests, as slides do; --set changes the first machine alone.
cat >parts.json <<'END'
{"scenes": [{"id": "one", "title": "One", "words": "See.", "input": "arrayinit:n=40", "machine": "256/8/32", "at": 0, "to": 8},
            {"id": "two", "title": "Two", "words": "See.", "to": 33},
            {"id": "pair", "title": "Pair", "words": "See.", "input": "arrayinit:n=40", "machine": "256/8/32",
             "settings": ["L1.write=through"], "with_machine": "256/8/32"},
            {"id": "alone", "title": "Alone", "words": "See.", "input": "arrayinit:n=40", "machine": "256/8/32",
             "settings": ["L1.write=through"]}]}
END
for moment in one:8 two:33; do
    named="--tour parts.json --scene ${moment%:*} --size 640x360"
    ok "$whorl" frame $named -o rests.png
    ok "$whorl" frame $named --at "${moment#*:}" -o at.png
    cmp -s rests.png at.png || fail "a picture of the scene $moment does not show where it rests"
done
ok "$whorl" scenes parts.json
grep -qF "arrayinit:n=40 on 256/8/32, L1.write=through beside arrayinit:n=40 on 256/8/32 at 0" out || fail "compared runs look the same"
grep -qF "arrayinit:n=40 on 256/8/32 at 8 to 33" out || fail "a scene alone is told otherwise"
ok "$whorl" frame --tour parts.json --scene pair --size 640x360 -o pair.png
ok "$whorl" frame arrayinit:n=40 -m 256/8/32 --set L1.write=through --with-machine 256/8/32 --at 40 --size 640x360 -o machines.png
ok "$whorl" frame --tour parts.json --scene alone --with-machine 256/8/32 --at 40 --size 640x360 -o machines.png
wrong "would be compared with itself" "$whorl" frame arrayinit:n=40 -m 256/8/32 --with-machine 256/8/32 -o z.png
ok "$whorl" compare arrayinit:n=40 -m 256/8/32 --set L1.write=through --with-machine 256/8/32
grep -q "^writes to memory  *40  *2 " out || fail "settings are of both machines"
grep -qx "A  arrayinit:n=40 on 256/8/32, L1.write=through" out || fail "the two runs are called the same"
wrong "fig1a" "$whorl" frame --scene fig1x -o z.png
wrong "leave one of them out" "$whorl" frame matmul --scene fig1a -o z.png
wrong "leave one of them out" "$whorl" matmul --scene fig1a
wrong "nosuch.json" "$whorl" frame --tour nosuch.json --scene a -o z.png
wrong "a --scene is required" "$whorl" record -o z.mp4
sed -i 's/100.5/99999/' own.json
wrong "99999" "$whorl" frame $own -o z.png

# --- source files: beside the trace, or where the user says; what is embedded is told ---
mkdir -p given/.ssh src elsewhere
printf 'R 0x10 4 a.c:1\nR 0x20 4 /build/b.c:1\nR 0x30 4 .ssh/id.c:1\nR 0x40 4 ../src/c.c:1\nR 0x50 4 /etc/passwd:1\n' >given/t.trace
echo text >given/a.c
echo key >given/.ssh/id.c
echo far >src/b.c
echo far >src/c.c
ok "$whorl" trace given/t.trace -o t1.whorl
grep -qF 'whorl: t1.whorl: embeds 1 source file: "a.c" (--no-sources leaves it out)' err || fail "what is embedded is not told"
ok "$whorl" trace given/t.trace --sources src -o t3.whorl
grep -qF 'embeds 3 source files: "a.c", "/build/b.c" and "../src/c.c"' err || fail "--sources finds nothing"
ok "$whorl" trace given/t.trace --no-sources -o t0.whorl
[ ! -s err ] || fail "--no-sources embeds something"
ok "$whorl" trace t3.whorl --no-sources -o elsewhere/t0.whorl
[ ! -s err ] || fail "--no-sources keeps what the input contains"
ok "$whorl" trace matmul --n 8 --no-sources -o elsewhere/m.whorl
[ ! -s err ] || fail "--no-sources keeps the text of a program"
ok "$whorl" trace given/t.trace -o text.trace
[ ! -s err ] || fail "a text file embeds nothing"
"$whorl" trace - -o piped.whorl <given/t.trace >out 2>err || fail "standard input"
[ ! -s err ] || fail "a trace from standard input has a folder"
for i in $(seq 20); do
    echo x >given/$i.c
    echo "R 0x10 4 $i.c:1"
done >given/many.trace
ok "$whorl" trace given/many.trace -o many.whorl
grep -qF '"8.c", … and 12 more (' err || fail "a long list is not cut"
truncate -s 9M given/20.c
ok "$whorl" stats given/many.trace --by line
grep -qF 'too long to be read: "20.c"' err || fail "what is too long is not told"
wrong "no/such: there is no such folder" "$whorl" stats given/t.trace --sources no/such
wrong "exclude each other" "$whorl" stats given/t.trace --sources src --no-sources

# --- tours: files beside them, or where the user says ---
"$whorl" machines paper -o given/m.json 2>err || fail "no machine beside the tour"
tour() {
    printf '{"scenes": [{"id": "s", "title": "S", "words": "See.", "input": "%s", "machine": "%s"}]}' "$1" "$2" >given/tour.json
}
scene="--tour given/tour.json --scene s --at 1 --size 320x180 -o tour.png"
tour t.trace m.json
ok "$whorl" frame $scene
tour ../src/s.trace paper
printf 'R 0x10 4\n' >src/s.trace
wrong 'scenes[0].input: "../src/s.trace" is not a file beside the tour or below; put it there, or name the folder' \
    "$whorl" frame $scene
wrong '"../src/s.trace"' "$whorl" scenes given/tour.json
ok "$whorl" frame $scene --sources src
ok "$whorl" scenes given/tour.json --sources src
tour "$PWD/src/s.trace" paper
wrong "beside the tour" "$whorl" frame $scene
ok "$whorl" frame $scene --sources src
tour t.trace ../mine.json
wrong 'scenes[0].machine: "../mine.json" is not a file beside the tour' "$whorl" frame $scene
tour t.trace /etc/passwd
wrong 'scenes[0].machine: "/etc/passwd" is not a file beside the tour' "$whorl" frame $scene
tour none.trace paper
wrong "given/none.trace: there is no such file" "$whorl" frame $scene

# --- mistakes ---
printf '# fine\nR 0x1000 8\nR 0xZZ 8\nR 0x1008 8\n' >bad.trace
wrong "bad.trace:3" "$whorl" stats bad.trace
ok "$whorl" stats bad.trace --lenient --json
grep -q '"accesses": 2' out || fail "--lenient does not skip"
grep -q '1 malformed' err || fail "--lenient does not count"
wrong "nosuch" "$whorl" stats nosuch
wrong "there is no" "$whorl" stats /no/such/file
wrong "n" "$whorl" stats matmul:n=0
# A binary trace contains its machine; naming another machine overrides it.
"$whorl" trace conflict -o own.whorl 2>/dev/null
"$whorl" trace conflict --machine tlb --set L1.policy=fifo -o named.whorl 2>/dev/null
[ "$("$whorl" stats own.whorl 2>/dev/null)" = "$("$whorl" stats conflict 2>/dev/null)" ] || fail "own.whorl has not its machine"
[ "$("$whorl" stats named.whorl 2>/dev/null)" = "$("$whorl" stats conflict --machine tlb --set L1.policy=fifo 2>/dev/null)" ] ||
    fail "named.whorl has not the machine that was named"
[ "$("$whorl" stats named.whorl --machine paper 2>/dev/null)" = "$("$whorl" stats conflict --machine paper 2>/dev/null)" ] ||
    fail "named.whorl insists on its machine"

# --- pages: the reference string of Belady, Nelson and Shedler, whose faults are in text books ---
for page in 1 2 3 4 1 2 5 1 2 3 4 5; do echo "R 0x${page}000 4"; done >belady.trace
ok "$whorl" stats belady.trace --machine 1K/2/32 --set memory.size=12K --set memory.fault=7000
grep -q '^pages: 10 faults, 0 written back$' out || fail "three frames do not fault ten times"
ok "$whorl" stats belady.trace --machine 1K/2/32 --sweep memory.size=12K,16K
[ "$(awk '/^1[26]K/ { print $4 }' out | tr '\n' ' ')" = "10 8 " ] || fail "the sweep does not count page faults"
ok "$whorl" machines paged -o paged.json
sed 's/"8K"/"3K"/; s/"fault": 10000/"fault": 1/' paged.json >three.json
ok "$whorl" stats belady.trace --machine three.json --json
python3 -c '
import json, sys
pages = json.load(open("out"))["pages"]
sys.exit(pages != {"faults": 10, "writebacks": 0, "cpus": [{"faults": 10, "writebacks": 0}]})' || fail "three.json: other faults"
"$whorl" trace matmul:n=24 --machine paged -o paged.whorl 2>/dev/null
[ "$("$whorl" stats paged.whorl --kinds 2>/dev/null)" = "$("$whorl" stats matmul:n=24 --machine paged --kinds 2>/dev/null)" ] ||
    fail "paged.whorl has not its memory"
ok "$whorl" whatif matmul:n=24 --machine paged --map pad:A:1K
grep -q '^page faults ' out || fail "whatif does not compare page faults"
ok "$whorl" frame matmul:n=24 --machine paged --at 2000 --panels -o paged.png
wrong "memory.size: 4K is one page, but an access may touch two" "$whorl" stats belady.trace --set memory.size=4K
wrong "memory.page: the memory of this machine is not bounded" "$whorl" stats belady.trace --set memory.page=8K
echo '{"memory": {"size": "5K"}, "levels": [{"size": 64, "ways": 1, "block": 64}]}' >five.json
wrong "five.json: memory.size: 5K is not a whole number of pages of 4K" "$whorl" stats belady.trace --machine five.json

# A Chiron trace records what a machine does, so it contains that machine too, and the sources lie beside it.
ok "$whorl" trace mpm --machine paradigm --to chiron -o t.chiron
grep -q '^i 64$' t.chiron || fail "t.chiron is not a Chiron trace"
grep -q 'mpm' t.chiron.files || fail "t.chiron.files does not name the source"
echo mine >u.chiron.files
wrong "u.chiron.files" "$whorl" trace mpm --machine paradigm --to chiron -o u.chiron
[ "$(cat u.chiron.files)" = mine ] && [ ! -e u.chiron ] || fail "a file beside the trace was taken"
ok "$whorl" trace t.chiron --to text -o back.trace
ok "$whorl" trace mpm -o plain.trace
cmp -s back.trace plain.trace || fail "t.chiron has other accesses than its program"
for form in "" "--by line"; do  # read on the way, and kept
    [ "$("$whorl" stats t.chiron $form 2>/dev/null)" = "$("$whorl" stats mpm --machine paradigm $form 2>/dev/null)" ] ||
        fail "t.chiron has not its machine"
done
# What was recorded is told without simulating; what whorl recorded itself is what it simulates.
ok "$whorl" stats t.chiron --recorded --by line --by block:L2
grep -q '^as recorded: ' out && grep -q '^By block of L2' out && grep -q '^A recording contains' out || fail "--recorded as text"
for form in "--csv --by line" "--csv --by object"; do
    ok "$whorl" stats t.chiron --recorded $form
    cut -d, -f1-3 out >recorded.csv
    ok "$whorl" stats t.chiron $form
    cut -d, -f1-3 out | cmp -s - recorded.csv || fail "--recorded $form has other costs than the simulation"
done
ok "$whorl" stats t.chiron --recorded --json
python3 -c '
import json
recorded = json.load(open("out"))
assert recorded["recorded"] and sum(cpu["cycles"] for cpu in recorded["cpus"]) == recorded["cycles"]
assert sum(cache["loads"] for cache in recorded["levels"][0]["caches"]) > 0' || fail "--recorded as JSON"
wrong "no recorded events" "$whorl" stats mpm --recorded
wrong "--recorded and --set exclude each other" "$whorl" stats t.chiron --recorded --set L1.ways=2
wrong "--recorded and --kinds exclude each other" "$whorl" stats t.chiron --recorded --kinds
wrong "--recorded and --by set exclude each other" "$whorl" stats t.chiron --recorded --by set
wrong "no level \"L3\"" "$whorl" stats t.chiron --recorded --by block:L3

wrong "L1" "$whorl" stats matmul --machine 1000/8/64
wrong "--size" "$whorl" frame matmul --size 10 -o z.png
wrong "--at" "$whorl" frame matmul --at 99999 -o z.png
wrong "--from" "$whorl" record matmul --from x -o z.mp4
wrong "z.avi" "$whorl" record matmul --to 1 -o z.avi
wrong "even" "$whorl" record matmul --to 1 --size 321x181 -o z.mp4
wrong "/no/folder" "$whorl" frame matmul -o /no/folder/z.png
touch frames/mine
wrong "something else (mine)" "$whorl" record matmul --to 1 -o frames/
wrong "xml" "$whorl" stats x.din --format xml
wrong "--n" "$whorl" stats x.din --n 5
wrong "required" "$whorl" frame
wrong "--from" "$whorl" stats t.trace --from lackey
wrong "--from" "$whorl" frame t.trace --from lackey -o no.png
wrong "two levels" "$whorl" trace matmul --n 8 --machine 1K/2/64 --to chiron -o no.chiron
wrong "--to" "$whorl" trace matmul --n 8 --to din -o no.din
wrong "nolist" "$whorl" stats t.chiron --chiron-sources nolist
wrong "swap" "$whorl" stats t.trace --from 9 --to 3
wrong "--to" "$whorl" stats t.trace --to 99999999
wrong "--by" "$whorl" stats t.trace --by colour
wrong "--conflicts" "$whorl" stats t.trace --conflicts line
wrong "choose one" "$whorl" stats t.trace --json --csv
wrong "one table" "$whorl" stats t.trace --csv --by region --mrc
wrong "--top" "$whorl" stats t.trace --top 0
wrong "ways" "$whorl" stats t.trace --set L1.wys=4
wrong "L1" "$whorl" stats t.trace --set L1.ways=3
wrong "--sweep" "$whorl" stats t.trace --shard 1/2
wrong "1/4" "$whorl" stats t.trace --sweep ways=1,2 --shard 3/2
wrong "what to sweep" "$whorl" stats t.trace --sweep ways
wrong "--jobs" "$whorl" stats t.trace --sweep ways=1,2 --jobs x
wrong "/no/folder" "$whorl" stats t.trace -o /no/folder/x
mkdir adir
wrong "adir" "$whorl" stats adir
[ -e z.png ] || [ -e z.mp4 ] && fail "a mistake left a file"
echo "the subcommands do what they say"
