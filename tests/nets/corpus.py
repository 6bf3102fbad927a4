"""Which commands of whorl outputs.py runs: a table of their words, and what they read."""

import json
import lzma
import pathlib
import re
import shlex
import struct

FIXTURES = pathlib.Path(__file__).resolve().parents[1] / "sim" / "trace" / "fixtures"

# Left out: run, capture, cc, check, watch and why of a program that is recorded, as what a program does depends on its
# compiler, its libraries and the tools that record it. They are there with their help, and with what they refuse.

FILES = {
    "marked.trace": """region A 0x1000 64 8 rows=8
region "B two" 0x2000 64 8 rows=8
mark start
R 0x1000 8 cpu=0 a.c:1
new P Half 0x3000 32
W 0x3008 8 cpu=1 a.c:2
off
R 0x1008 8 cpu=0
on
M 0x1000 8 cpu=1
W 0x1008 8 cpu=0 a.c:1
R 0x1000 8 cpu=1 a.c:2
del 0x3000
mark "the end"
R 0x2020 8 cpu=3
""",
    "a.c": "int a;\nint b;\n",
    "columns.pattern": "for i in 0..16 {\n    for j in 0..16 { read A[j][i] }\n}\n",
    "broken.pattern": "\nread A[",
    "a.din": "0 1000\n1 1004\n2 400\n0 1000\n",
    "a.lackey": "I  0400,4\n L 1000,8\nI  0404,4\n S 1008,8\n M 9000,4\n",
    "a.view": "1 1: 77 ifetch 3 byte(s) @ 0x400 x\n2 1: 77 read 8 byte(s) @ 0x1000 by PC 0x400\n",
    "pinatrace.out": "#\n0x400: R 0x1000\n0x404: W 0x1008 8 0x2a\n#eof\n",
    "names": "region A 0x1000 64 8  # an array\n",
    "nonames": "R 0x10\n",
    "bad.trace": "R 0x10\nR 0x20 8\nX 0x30\nR 0x40\n",
    "empty.trace": "",
    "bad.json": "{",
    "odd.json": '{"levels": [{"size": 1000, "ways": 8, "block": 64}]}',
    "own.tour.json": json.dumps({"title": "Own", "source": "A book.", "scenes": [
        {"id": "here", "title": "Here", "words": "See.", "input": "matmul:n=4", "machine": "lecture", "at": 10.5,
         "history": 3},
        {"id": "there", "title": "There", "words": "And see.", "input": "conflict", "at": 9, "lapse": 2},
        {"id": "both", "title": "Both", "words": "Beside.", "input": "matmul:n=4", "machine": "lecture",
         "with": "matmul:n=4,variant=blocked,block=2", "at": 20}]}),
    "claims.tour.json": json.dumps({"scenes": [
        {"id": "one", "title": "{n} x {n}", "words": "{L1.misses} of {accesses} miss, {L1.miss_rate}.", "input": "matmul:n=4",
         "machine": "lecture", "at": 10, "to": 40, "claim": ["L1.misses == 1", "n == 4"]},
        {"id": "two", "title": "Two", "words": "{L1.mises} misses.", "at": 900}]}),
    "bad.tour.json": '{"scenes": [{"id": "one", "title": "One", "words": "x", "input": "nosuch"}]}',
}

# Inputs of each kind: the words that open it, and a place in it.
INPUTS = {
    "matmul": ("matmul:n=8 -m paper", "B[3][4]"),
    "mergesort": ("mergesort:n=48 -m paged", "0x1040+64"),
    "pattern": ("in/columns.pattern -m tlb", "A[2][3]"),
    "text": ("in/marked.trace -m coherence", "P"),
    "nbody": ("in/nbody.whorl", "Body 7"),
    "sharing": ("vecadd:n=24", "L1@2:3:0"),
}
# Where only a form, and no figure, depends on the input.
TWO = ("matmul", "sharing")
OTHER_INPUTS = {
    "din": "in/a.din", "lackey": "in/a.lackey", "lackey-instructions": "in/a.lackey --instructions",
    "view": "in/a.view", "pinatrace": "in/pinatrace.out", "champsim": "in/a.champsim.xz", "chiron": "in/mpm.chiron",
    "recorded": "in/mpm.chiron --recorded", "recorded-line": "in/mpm.chiron --recorded --by line --by block:L2",
    "recorded-object": "in/mpm.chiron --recorded --by object --conflicts region", "lenient": "in/bad.trace --lenient",
    "regions": "in/a.lackey --regions in/names --by region", "gz": "in/m.trace.gz", "zst": "in/m.trace.zst",
    "fixture-v1": "in/everything.v1.whorl --by line --by object", "windtunnel": "windtunnel:particles=40,steps=1",
    "fixture-v2": "in/everything.v2.whorl --by line --by object", "bubblesort": "bubblesort:n=40 -m 256/2/32",
    "mpm": "mpm:particles=4,grid=8,steps=1", "conflict": "conflict --kinds --by set", "aligned": "aligned:n=64,times=2",
    "arrayinit": "arrayinit:n=100 -m uncached", "spin": "vecadd:n=12,chunk=4,spin=ttas --costs",
    "only": "vecadd:n=24 --only cpu=0,2 --only region=Global.ArrayC", "only-simulated":
    "in/marked.trace --unrecorded simulate -m paper", "virtual": "in/marked.trace --interleaving virtual -m coherence",
    "cut": "in/cut.whorl", "range": "matmul:n=8 --from 100 --to 50% --by region", "warm": "matmul:n=8 --from 1K --to end --kinds",
    "map": "matmul:n=8 --map transpose:B --map pad:A:64 --by region",
}
OTHER_INPUTS.update({f"policy-{policy}": f"mergesort:n=48 -m lecture --set *.policy={policy} --kinds"
                     for policy in ("lru", "fifo", "plru", "random", "srrip", "opt")})
OTHER_INPUTS.update({f"on-{machine}": f"matmul:n=8 -m {machine} --kinds --utilization" for machine in (
    "arm-server", "coherence", "default", "desktop", "direct", "embedded", "laptop", "lecture", "paged", "paper2x4", "paper4",
    "paradigm", "riscv", "server", "tlb")})

FORMS = {"text": "", "csv": "--csv", "json": "--json"}
TABLES = {
    "counts": "", "kinds": "--kinds", "utilization": "--utilization", "mrc": "--mrc", "costs": "--costs",
    **{f"by-{what.replace(':', '-')}": f"--by {what}" for what in (
        "region", "object", "class", "field", "word", "line", "function", "cpu", "block", "page", "set", "way", "block:L2",
        "page:64K", "set:L1", "way:L2")},
    "conflicts-region": "--conflicts region", "conflicts-object": "--conflicts object",
    **{f"path-{what}": f"--critical-path {what}" for what in ("source", "object", "segments")},
    "all": "--kinds --utilization --by region --by line --by object --conflicts region --costs --mrc --top 3",
}
VIEWS = ("rings", "source", "object", "block:L1", "collisions", "memory", "memory-live", "cache:L1", "cache-live:L1", "phases",
         "cycles", "history:PLACE", "life:PLACE", "rings,source", "memory,block:L1,phases", "table:L1", "array")
LOOKS = {
    "light": "--ground light", "panels": "--panels", "caption": "--caption", "trails": "--trails 100", "lapse": "--lapse 40",
    "elements": "--elements", "capacity": "--rings capacity", "temperature": "--disk temperature", "dirty": "--disk dirty",
    "misses": "--disk misses@50", "zoom": "--zoom 3 --focus 0.2,0.3", "fill": "--fill-by-use", "scale": "--scale 1.5",
    "lecture": "--lecture --caption", "reduced": "--reduced-motion --speed 4", "moving": "--speed 4",
    "miss-rate": "--view memory --metric miss-rate:L1", "hilbert": "--view memory --hilbert", "by-page": "--view memory --groups page",
    "penalty": "--view memory --metric penalty --log --order penalty", "cells": "--view memory --cell 8 --width 16 --pixels 4",
    "boundaries": "--view memory --boundaries L1,L2", "interleaved": "--view cache:L1 --interleaved",
    "glow": "--view memory-live --half-life 50 --conflicts L1", "range": "--view phases,memory --range 10%-50%",
    "turn": "--view source --turn 30,40 --perspective 0.5 --height 2", "lines": "--view block:L1 --draw lines --colour state",
    "faces": "--view block:L1 --draw faces --colour class", "lit": "--view block:L1 --object 0x10000 --lit-only",
    "solid": "--view block:L1 --solid --rows 0-50", "path": "--view cycles,source --critical-path",
    "classes": "--view object --classes --sort address", "words": "--view object --words", "line": "--view source,rings --line :6",
}

# What is wrong in each of these is told in a sentence. Each line is an item, of that name.
WRONG = """
frame --ground dusk matmul -o x.png
--ground light present rings
--paused machines
frobnicate
--no-such
matmul --scene fig1a
stats
stats nosuch
stats matmu
stats /no/such/file
stats matmul:n=0
stats matmul:n=x
stats matmul:m=4
stats matmul:variant=odd
stats matmul:n=4,n=5
stats matmul --n 8 --n 9
stats in/a.din --n 5
stats in
stats in/bad.trace
stats in/empty.trace
stats in/broken.pattern
stats none.pattern
stats 'pattern:fro i in 0..4 { }'
stats 'pattern:for i in 0..4 { read A[i] '
stats 'pattern:array A[4]; read A[9]'
stats pattern:
stats in/columns.pattern --format text
stats in/a.din --format xml
stats in/a.din --format lackey
stats in/cut.champsim
stats in/marked.trace --regions in/names
stats in/a.lackey --regions in/nonames
stats in/a.lackey --regions none
stats in/a.lackey --binary in/names
stats in/a.lackey --binary prog@0xx
stats matmul --binary in/names
stats in/mpm.chiron --chiron-sources nolist
stats in/marked.trace --sources no/such
stats in/marked.trace --sources in --no-sources
stats matmul -m nosuch
stats matmul -m lapto
stats matmul -m 1000/8/64
stats matmul -m 1K/0/64
stats matmul -m 1K/2
stats matmul -m in/bad.json
stats matmul -m in/odd.json
stats matmul -m none.json
stats matmul --set L1.ways=3
stats matmul --set L1.wys=4
stats matmul --set L9.ways=4
stats matmul --set L1.policy=best
stats matmul --set L1
stats matmul --set memory.size=4K
stats matmul --set memory.page=8K
stats matmul --set cpus=65
stats matmul --set protocol=moesi
stats matmul --from 9 --to 3
stats matmul --from 5.5
stats matmul --from x
stats matmul --from -1
stats matmul --to 99999999
stats matmul --to 101%
stats matmul --by colour
stats matmul --by page:3K
stats matmul --by block:L9
stats matmul --by way:
stats matmul -m uncached --by way
stats matmul --conflicts line
stats matmul --critical-path colour
stats matmul --json --csv
stats matmul --csv --by region --mrc
stats matmul --csv --by region --by line
stats matmul --top 0
stats matmul --top x
stats matmul --only region=nowhere
stats matmul --only cpu=99
stats matmul --only '[a,b]'
stats matmul --only 0x2000-0x1000
stats matmul --map shift:Q:8
stats matmul --map shift:B
stats matmul --map split:B
stats matmul --map bend:B
stats matmul --map align:B:3
stats matmul --memory x
stats matmul --recorded
stats in/mpm.chiron --recorded --set L1.ways=2
stats in/mpm.chiron --recorded --kinds
stats in/mpm.chiron --recorded --by set
stats in/mpm.chiron --recorded --by block:L3
stats matmul --interleaving random
stats vecadd --interleaving virtual
stats matmul --unrecorded keep
stats matmul --shard 1/2
stats matmul --sweep ways=1,2 --shard 3/2
stats matmul --sweep ways
stats matmul --sweep L7.ways=1,2
stats matmul --sweep L1.ways=1,2 --jobs x
stats matmul --sweep L1.ways=1,2 --by region
stats matmul -o /no/folder/x
stats matmul -o in
stats --no-such matmul
stats matmul bubblesort
contents matmul:n=8 --at 300
contents matmul:n=8 -m "512/4/32" --set L1.policy=plru --of l1 --json
contents vecadd -m coherence --at 50% --of L1@2 --csv
contents matmul:n=8 --set tlb.entries=4 --set memory.size=64K --of tlb --of pages
contents matmul:n=8 --of L9
contents matmul:n=8 --at 99999999
contents matmul:n=8 --json --csv
history matmul
history matmul nothing
history matmul B[1]
history matmul B[99][0]
history matmul L1:99999:0
history matmul L9:0:0
history matmul B --csv --json
life matmul
life matmul nothing
life matmul B --csv --json
collisions matmul --by line
collisions matmul --level L9
collisions matmul --json --csv
sharing matmul --json --csv
whatif matmul
whatif matmul --map transpose:Q
whatif matmul --map split:B
whatif matmul --csv
why nothing.trace
why matmul --top 0
quiz matmul --level L9
quiz matmul -o sheet.doc
quiz matmul --play -o sheet.gift
quiz matmul --no-answers -o sheet.gift
quiz matmul --play --every 2
quiz matmul --from 3 --to 3
quiz matmul --count 0
quiz matmul --seed x
compare matmul
compare matmul nosuch
compare matmul --with-machine nowhere
merge
merge nosuch
merge in/a.din
merge [a,b]
merge in/part1.json in/part1.json
merge in/part1.json
merge in/part1.json in/part2.csv
machines lapto
machines laptop -o /no/folder/m.json
machines in/odd.json
machines in/laptop.json -o in/laptop.json
scenes nosuch
scenes none.json
scenes in/bad.json
scenes in/bad.tour.json
tour check nosuch
tour check in/bad.tour.json
tour mend blocking
trace
trace matmul --to din
trace matmul -m 1K/2/64 --to chiron
trace in/a.lackey -o in/a.lackey
trace matmul -o /no/folder/x.whorl
trace nosuch
frame
frame matmul
frame matmul -o x.gif
frame matmul -o /no/folder/z.png
frame matmul --size 10 -o z.png
frame matmul --size 10x10 -o z.png
frame matmul --at 99999 -o z.png
frame matmul --at +5 -o z.png
frame matmul --at 101% -o z.png
frame matmul --view nosuch -o z.png
frame matmul --view block:L9 -o z.png
frame matmul --view history:nothing -o z.png
frame matmul --view memory --metric colour -o z.png
frame matmul --view memory --metric misses:L9 -o z.png
frame matmul --cell 3 -o z.png
frame matmul --groups heap -o z.png
frame matmul --view memory --order caused:nothing -o z.png
frame matmul --boundaries L9 -o z.png
frame matmul --disk nothing@x -o z.png
frame matmul --disk region:Q -o z.png
frame matmul --zoom 0 -o z.png
frame matmul --focus 3 -o z.png
frame matmul --scale 9 -o z.png
frame matmul --cpu 9 -o z.png
frame matmul --lapse 0 -o z.png
frame matmul --rows 9 -o z.png
frame matmul --range 9-3 -o z.png
frame matmul --seen x -o z.png
frame matmul --lens 3 -o z.png
frame matmul --line nosuch.c:3 -o z.png
frame matmul --object nothing -o z.png
frame matmul --turn 3 -o z.png
frame matmul --draw dots -o z.png
frame matmul --colour red -o z.png
frame matmul --shows all -o z.png
frame matmul --with matmul -o z.png
frame matmul --sweep L1.ways=1:17:+1 -o z.png
frame matmul --sweep L1.ways=1,2 --with mergesort -o z.png
frame matmul --lock time --with mergesort -o z.png
frame matmul --scene fig1a -o z.png
frame --scene fig1x -o z.png
frame --tour nosuch.json --scene a -o z.png
frame --tour nosuch --scene a -o z.png
frame in/own.tour.json --scene three -o z.png
frame in/own.tour.json --tour rings --scene fig1a -o z.png
frame missing.tour.json -o z.png
frame matmul --control x.sock -o z.png
record
record -o z.mp4
record matmul --to 1 -o z.avi
record matmul --to 1 --size 321x181 -o z.mp4
record matmul --from x -o z.mp4
record matmul --from 9 --to 3 -o z.mp4
record matmul --to 1 --fps 0 -o z.mp4
record matmul --to 1 --speed 0 -o z.mp4
record matmul --to 1 --transparent -o z.mp4
record matmul --to 1 --captions beside -o z.mp4
record matmul --wait a=3 -o z.mp4
record --tour rings --wait nosuch=3 -o z.mp4
record --tour rings --seconds 1 -o z.mp4
record --tour rings --audio none.wav -o z.mp4
slides
slides rings
slides rings -o x.doc
slides nosuch -o x.pdf
slides rings --notes -o x/
slides rings --size 1x1 -o x.pdf
present
present rings
present nosuch
run
run -- /no/such/program
capture
capture -o x.whorl
capture -- /no/such/program
capture -o x.whorl -m nosuch -- true
cc
check
watch
watch in/a.din
watch none.c
help nosuch
manual
manual /no/folder
icons /no/folder
matmul
matmul --control /no/folder/x.sock
matmul -m nosuch
nosuch
"""


def make_inputs(program):
    """What commands read, in its folder `in`."""
    folder = program.inputs
    for name, text in FILES.items():
        (folder / name).write_text(text)
    champsim = struct.pack("<QBB6x2Q4Q", 0x400, 0, 0, 0x1000, 0, 0x2000, 0, 0, 0) * 3
    (folder / "a.champsim.xz").write_bytes(lzma.compress(champsim))
    (folder / "cut.champsim").write_bytes(bytes(100))
    for fixture in FIXTURES.glob("*.whorl"):
        (folder / fixture.name).write_bytes(fixture.read_bytes())
    for words in ("trace nbody:bodies=8,steps=1 -o nbody.whorl", "trace matmul:n=6 -o m.trace.gz", "machines laptop -o laptop.json",
                  "trace matmul:n=6 -o m.trace.zst", "trace mpm:particles=4,grid=8,steps=1 -m paradigm --to chiron -o mpm.chiron",
                  *(f"stats matmul:n=4 --sweep L1.ways=1,2,3,4 --shard {i}/2 --{form} -o part{i}.{form}"
                    for i in (1, 2) for form in ("json", "csv"))):
        program.run(words.split(), folder)
    (folder / "cut.whorl").write_bytes((folder / "nbody.whorl").read_bytes()[:-60])


HIDDEN = ["manual", "complete", "icons"]


def subcommands(program):
    listed = program.run(["--help"], program.folder).stdout.decode().partition("Subcommands:")[2]
    return re.findall(r"^  ([a-z]+) ", listed, re.MULTILINE) + HIDDEN


def options(program, command):
    return re.findall(r"^  (?:-\w,)?(--[\w-]+)", program.run([*command, "--help"], program.folder).stdout.decode(), re.MULTILINE)


def figures():
    for name, (words, place) in INPUTS.items():
        for form, option in FORMS.items():
            for table, asked in TABLES.items():
                if (table, form) == ("all", "csv"):
                    continue  # a CSV file holds one table
                yield f"stats/{name}/{table}/{form}", f"stats {words} {asked} {option}"
            for tool in ("history", "life") if not place.startswith("L1") else ("history",):
                yield f"{tool}/{name}/{form}", f"{tool} {words} '{place}' {option}"
            for by in ("region", "object", "class"):
                yield f"collisions/{name}/{by}/{form}", f"collisions {words} --by {by} {option}"
            yield f"sharing/{name}/{form}", f"sharing {words} {option}"
            if form != "csv":
                yield f"why/{name}/{form}", f"why {words} {option}"
                yield f"compare/{name}/{form}", f"compare {words} --with-machine 256/2/32 {option}"
        yield f"sharing/{name}/blocks", f"sharing {words} --blocks --latent --top 5"
        yield f"history/{name}/range", f"history {words} '{place}' --from 10% --to 50% --top 5"
        for kind, asked in {"txt": "-o s.txt", "gift": "-o s.gift", "pdf": "-o s.pdf", "play": "--play --count 5",
                            "bare": "--no-answers --seed 2", "every": "--every 7 --count 20", "far": "--level L2"}.items():
            yield f"quiz/{name}/{kind}", f"quiz {words} {asked}"
    for form, option in (("text", ""), ("json", "--json")):
        for change in ("shift:B:64", "align:B:4K", "pad:A:64", "spread:B:128", "transpose:B", "split:B:4"):
            yield f"whatif/matmul/{change.replace(':', '-')}/{form}", f"whatif matmul:n=8 -m paper --map {change} {option}"
        yield f"whatif/sharing/{form}", f"whatif vecadd:n=24 --map align:Global.ArrayC:128 --map pad:Global.ArrayA:128 {option}"
        yield f"compare/programs/{form}", f"compare matmul:n=8 matmul:n=8,variant=blocked -m paper {option}"
    for name, words in OTHER_INPUTS.items():
        for form, option in (("text", ""), ("json", "--json")):
            yield f"stats/{name}/{form}", f"stats {words} {option}"
    for form, option in FORMS.items():
        yield f"sweep/{form}", f"stats matmul:n=4 --sweep L1.ways=1,2,3,4 --sweep policy=lru,fifo {option}"
        yield f"sweep/sizes/{form}", f"stats vecadd:n=12 --sweep L1.size=512:4K:x2 --jobs 2 {option}"
    for form in ("json", "csv"):
        yield f"merge/{form}", f"merge in/part2.{form} in/part1.{form}"
    yield "stats/stdin", ("stats - --format din", b"0 1000\n1 1004\n0 1000\n")


def files():
    for name, (words, _) in INPUTS.items():
        yield f"trace/{name}/text", f"trace {words}"
        yield f"trace/{name}/whorl", f"trace {words} -o t.whorl"
        yield f"trace/{name}/back", [f"trace {words} -o t.whorl", "trace t.whorl", "stats t.whorl --kinds --by line"]
        yield f"trace/{name}/packed", f"trace {words} -o t.trace.gz"
        # What is before the machine is the input.
        yield f"trace/{name}/chiron", f"trace {words.partition(' -m ')[0]} -m paradigm --to chiron -o t.chiron"
    for fixture in ("everything", "list", "lookups"):
        for version in (1, 2):
            yield f"trace/{fixture}.v{version}", f"trace in/{fixture}.v{version}.whorl -o t.whorl"
    yield "trace/chiron/back", ["trace in/mpm.chiron --to text", "trace in/mpm.chiron -o t.whorl"]
    yield "trace/everything", "trace in/everything.v2.whorl"
    yield "trace/mapped", "trace matmul:n=4 --map transpose:B --only region=B"
    yield "trace/bare", "trace in/marked.trace --no-sources -o t.whorl"
    yield "machines/list", "machines"
    for name in ("arm-server", "chiron-nbody", "chiron-vecadd", "chiron-windtunnel", "coherence", "default", "desktop", "direct",
                 "embedded", "laptop", "lecture", "paged", "paper", "paper2x4", "paper4", "paradigm", "riscv", "server", "tlb",
                 "uncached", "1K/2/32", "in/laptop.json"):
        yield f"machines/{name}", f"machines {name}"
    yield "programs", "programs"
    yield "scenes", "scenes"
    for tour in ("five-minutes", "cache-basics", "locality", "placement", "writes", "replacement", "loops", "blocking", "stencil", "structures",
                 "prefetching", "pages", "coherence", "false-sharing", "sorting", "rings", "memory", "chiron", "in/own.tour.json"):
        yield f"scenes/{tour}", f"scenes {tour}"
    yield "tour/sound", "tour check blocking"
    yield "tour/findings", "tour check in/claims.tour.json"
    yield "tour/json", "tour check in/claims.tour.json --json"
    yield "tour/words", "frame --tour in/claims.tour.json --scene one -o one.svg"


def pictures():
    """As SVG, which is text; pixels are those of golden pictures."""
    for name, (words, place) in INPUTS.items():
        for view in VIEWS:
            if view.startswith("life") and place.startswith("L1"):
                continue  # a cell of a cache has no life of its own
            asked = view.replace("PLACE", place)
            yield f"frame/{name}/{view}", f"frame {words} --at 60% --size 480x320 --view '{asked}' -o f.svg"
    for name in TWO:
        for look, asked in LOOKS.items():
            yield f"frame/{name}/{look}", f"frame {INPUTS[name][0]} --at 60% --size 480x320 {asked} -o f.svg"
        yield f"frame/{name}/pdf", f"frame {INPUTS[name][0]} --size 480x320 -o f.pdf"
        yield f"frame/{name}/machines", f"frame {INPUTS[name][0]} --with-machine 256/2/32 --at 50% --size 640x320 -o f.svg"
    for lock in ("access", "share", "line"):
        yield f"frame/with/{lock}", ("frame matmul:n=8 --with matmul:n=8,variant=blocked -m paper --at 300 --size 640x320 "
                                     f"--lock {lock} --view rings,memory,phases -o f.svg")
    yield "frame/sweep", "frame matmul:n=8 -m paper --sweep L1.ways=1,2 --sweep L2.ways=4,8 --at end --size 640x360 -o f.svg"
    yield "frame/chiron", "frame in/mpm.chiron --at 50% --size 480x320 --view rings,block:L1 -o f.svg"
    yield "frame/simulated", "frame in/mpm.chiron --at 50% --size 480x320 --simulate -o f.svg"
    for scene in ("here", "there", "both"):
        yield f"frame/scene/{scene}", f"frame in/own.tour.json --scene {scene} --size 480x320 -o f.svg"
    for scene in ("fig1a", "fig1ac", "fig4c", "fig8a"):
        yield f"frame/scene/{scene}", f"frame --scene {scene} --size 480x320 -o f.svg"
    for tour in ("in/own.tour.json", "cache-basics", "coherence", "false-sharing", "memory"):
        yield f"slides/{tour}/pdf", f"slides {tour} --notes --size 480x270 -o s.pdf"
        yield f"slides/{tour}/png", f"slides {tour} --no-cards --lecture --size 320x180 -o s/"
    yield "record/frames", "record matmul:n=8 --from 10 --to 12 --fps 4 --speed 2 --size 320x180 -o f/"
    yield "record/tour", "record --tour in/own.tour.json --seconds 20 --fps 1 --size 320x180 --captions beside -o f.mp4"
    yield "record/clips", "record --tour in/own.tour.json --fps 1 --size 160x90 -o f/%s.mp4"


def words_about(program):
    """Help, manual pages, completion, and what is wrong."""
    yield "help", ["--help", "help", "--version"]
    yield "help/keys", "help keys"
    commands = subcommands(program)
    for command in commands:
        # Those that packages use are not listed.
        yield f"help/{command}", [f"{command} --help", *([] if command in HIDDEN else [f"help {command}"])]
        yield f"complete/{command}", [f"complete -- {command} ''", f"complete -- {command} -", f"complete -- {command} matmul:n=4 --"]
    # Not of what lies in the folders of a computer.
    for command in (("frame",), ("stats",), ()):
        where = "/".join(("complete/values", *command))
        for option in options(program, command):
            before = " ".join((*command, "matmul:n=4"))
            yield f"{where}/{option}", [f"complete -- {before} {option} ''", f"complete -- {before} {option}=a"]
    yield "complete/words", [f"complete -- {words}" for words in (
        "''", "fram", "programs --h", "frame --ground=l", "stats --lenient bubb", "stats matmul:", "stats matmul:n=4,variant=",
        "stats matmul:variant=blocked,b", "stats matmul --va", "stats matmul --variant t", "stats -m lap", "stats --set L2.po",
        "frame -m laptop --groups L", "stats --sweep L1.policy=lru,f", "--tour memory --scene fig2", "scenes ri",
        "frame --view rings,block:", "frame --metric miss-r", "stats --by way:", "run -- ls --colo", "frobnicate --no x",
        "stats matmul --only region=B,", "frame nbody:bodies=8,steps=1 --object 'Body 7'", "history matmul ''",
        "whatif matmul --map shift:B", "frame matmul --disk region:", "frame matmul --line mat", "stats vecadd --only cpu=0,",
        "stats in/marked.trace --only region=", "stats in/nbody.whorl --map align:class:")]
    # Manual pages and icons go into a folder that is there.
    yield "manual", ["record matmul:n=4 --from 0 --to 1 --fps 1 --size 160x90 -o made/", "manual made"]
    yield "icons", ["record matmul:n=4 --from 0 --to 1 --fps 1 --size 160x90 -o made/", "icons made"]
    for words in WRONG.strip().splitlines():
        yield f"wrong/{words}", words
    seen = set()
    # The player of pages is built apart: what is wrong with a page is said only where there is one.
    for command in [(name,) for name in commands if name != "page"] + [()]:
        for option in options(program, command):
            if (option not in seen or command[:1] in (("stats",), ("frame",))) and option not in ("--help", "--version"):
                seen.add(option)
                before = " ".join((*command, "matmul:n=4"))
                yield f"wrong/value/{' '.join(command)} {option}", [f"{before} {option}", f"{before} {option} ?!", f"{before} {option}="]


def items(program):
    """The commands of each item by its name: each its words and what it reads."""
    def split(command):
        words, stdin = command if isinstance(command, tuple) else (command, b"")
        return shlex.split(words), stdin

    found = {}
    for kind in (figures(), files(), pictures(), words_about(program)):
        for name, commands in kind:
            assert name not in found, name
            found[name] = [split(command) for command in (commands if isinstance(commands, list) else [commands])]
    return found
