#!/usr/bin/env python3
"""fidelity.py WHORL MOMENTS [--node NODE] [--keep FOLDER]: a page shows what Whorl shows.

Pages of runs, of a tour and of a comparison are written by WHORL. Then the same moments are played twice: by MOMENTS
(moments.cpp), which is Whorl itself, and by the WebAssembly that the page holds, in Node (moments.mjs). Every text and
every count is the same, and every coordinate to a thousandth of a pixel. At the end of runs, the figures are those of
whorl stats.

Exits with 1 after a difference, and with 77 where it cannot be told: without Node, or if WHORL writes no pages.
"""

import argparse
import json
import math
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # the tree stays as it is

from page_file import PageFile

HERE = pathlib.Path(__file__).resolve().parent
SKIPPED = 77
NEAR = 1e-3  # pixels, or shares of hits
PATIENCE = 120  # seconds
SHOWN = 12  # differences of a page that are printed

# What is asked at each moment.
QUESTIONS = ["report", "labels", "scene", "strip 200", "contents 0", "contents 1"]


# The camera comes to rest, and all that is computed is there.
AT_REST = [*["frame 0.1"] * 8, "settle"]


def moment(*commands):
    """After these commands."""
    return [*(line if line.startswith(("size ", "frame ", "key ", "pointer ")) else "command " + line
              for line in commands), *AT_REST]


def playing(seconds, *commands):
    """After these commands, and so many seconds of playing in frames of a thirtieth."""
    frames = ["frame 0.0333"] * round(seconds * 30)
    return [*("command " + line for line in commands), "command play", *frames, "command play", *AT_REST]


def scene(*commands):
    """After these commands, and two seconds of the scene of a tour that then plays."""
    return [*("command " + line for line in commands), *["frame 0.1"] * 20, "command play", *AT_REST]


PATTERN = "pattern:for i in 0..24 { for j in 0..24 { read A[j][i] write B[i][j] } }"

# Each page: its name, the arguments of whorl page, and its moments. All are paused at first.
PAGES = [
    ("matmul", ["matmul:n=16"], [
        moment(), moment("seek 3915"), playing(1.3), moment("machine laptop", "seek 2000"), moment("set L1.ways=4"),
        moment("seek 8447.4", "size 390 388 2.5"),
    ]),
    ("blocked", ["matmul:n=16,variant=blocked,block=4", "--view", "rings", "--view", "table", "--view", "memory"], [
        moment("seek 4480"), moment("seek 4481.5"), playing(0.9, "seek 5000"), moment("view-only table:1"),
        moment("view-only memory-live", "seek 6001.25"),
    ]),
    ("mergesort", ["mergesort:n=256"], [
        moment("seek 1000.5"), moment("seek 50%", "zoom-at 4 0.2 -0.3"), moment("machine lecture", "seek-end"),
        moment("view-only block:0"),
    ]),
    ("bubblesort", ["bubblesort:n=64", "-m", "paper2x4"], [
        moment("seek 700.3"), playing(1, "seek 900", "faster"), moment("range 500 1500"), moment("look-up 0x10040"),
    ]),
    ("vecadd", ["vecadd"], [
        moment("seek 333.75"), playing(1.1), moment("view-only cycles"), moment("view-only object"),
        moment("view-only rings", "seek-end"),
    ]),
    ("nbody", ["nbody:bodies=16,steps=1"], [
        moment("seek 2500.5"), moment("view-only history", "seek 3000"), moment("view-only collisions"),
        moment("machine coherence", "view-only rings", "seek 1234.5"),
    ]),
    ("conflict", ["conflict"], [
        moment("seek 96.5"), moment("set L1.policy=fifo", "seek 100"), moment("set L1.ways=2"),
        moment("predict next"),
    ]),
    ("pattern", [PATTERN, "-m", "paged", "--at", "400"], [
        moment(), moment("seek 777.2"), moment("view-only history", "look-up A[3][4]"),
        moment('open "pattern:for i in 0..9 { read A[7*i] }"', "view-only rings"), moment("machine tlb", "seek 8.4"),
        moment("page-own"),
    ]),
    ("tour", ["--tour", "blocking", "--scene", "blocked"], [
        # The first is paused; each other scene begins to play, and is stopped.
        moment(), playing(1), scene("tour-next"), scene("tour-go 0", "zoom-at 2 0 0"),
    ]),
    ("part", ["mergesort:n=2000", "-m", "laptop", "--from", "10000", "--to", "60000"], [
        moment(), moment("seek 5000.5"), playing(0.7, "seek 7000"), moment("view-only table:0", "seek 49000"),
        moment("view-only memory"), moment("machine paper", "view-only rings", "seek 300"),
    ]),
    ("comparison", ["matmul:n=12", "--with", "matmul:n=12,variant=blocked", "--lock", "share"], [
        moment(), moment("seek 1500.5"), moment("view-only rings", "view memory", "seek 70%"),
    ]),
]

# Of each of these, the figures at the end are those of whorl stats: an input, a machine and settings. Of some, the page has
# a part.
FIGURES = [
    ("mergesort:n=2000", "laptop", [], ["--from", "10000", "--to", "60000"]),
    ("nbody:bodies=16,steps=1", "coherence", [], ["--from", "1000", "--to", "3000"]),
    ("matmul:n=16", "laptop", []), ("matmul:n=16", "lecture", []), ("mergesort:n=256", "paged", []),
    ("vecadd", "coherence", []), ("nbody:bodies=16,steps=1", "chiron-nbody", []), ("conflict", "paper", ["L1.ways=4"]),
    (PATTERN, "tlb", ["L1.policy=fifo"]), ("bubblesort:n=64", "paper2x4", ["L2.policy=random"]),
]


class Differences:
    """What two answers differ in, with where."""

    def __init__(self):
        self.found = []
        self.ties = []
        self.texts = 0
        self.numbers = 0
        self.farthest = 0.0

    def add(self, where, ours, theirs):
        self.found.append(f"{where}: {short(ours)} | {short(theirs)}")

    def compare(self, where, ours, theirs, near):
        """`near`: how far floating-point numbers may be apart."""
        if isinstance(ours, dict) and isinstance(theirs, dict):
            if list(ours) != list(theirs):
                self.add(where, list(ours), list(theirs))
            for key in ours.keys() & theirs.keys():
                self.compare(f"{where}.{key}", ours[key], theirs[key], near)
        elif isinstance(ours, list) and isinstance(theirs, list):
            if len(ours) != len(theirs):
                self.add(where, f"{len(ours)} of them", f"{len(theirs)} of them")
            for i, (one, other) in enumerate(zip(ours, theirs)):
                self.compare(f"{where}[{i}]", one, other, near)
        elif is_number(ours) and is_number(theirs):
            self.numbers += 1
            if isinstance(ours, float) or isinstance(theirs, float):
                self.farthest = max(self.farthest, abs(ours - theirs) if near else 0)
            if abs(ours - theirs) > (near if isinstance(ours, float) or isinstance(theirs, float) else 0):
                self.add(where, ours, theirs)
        else:
            self.texts += 1
            if ours != theirs:
                self.add(where, ours, theirs)

    def compare_labels(self, where, ours, theirs):
        """The texts of a picture. Along a circle a place is a radius and an angle: angles are as far apart as what is
        there, and an angle of 180 degrees is one of -180."""
        self.compare(where + ".ground", ours["ground"], theirs["ground"], 0)
        if len(ours["items"]) != len(theirs["items"]):
            self.add(where, [item[1] for item in ours["items"]], [item[1] for item in theirs["items"]])
            return
        for one, other in zip(ours["items"], theirs["items"]):
            place = f"{where} {one[1]!r}"
            if one[0] == 0 and other[0] == 0:
                turned = abs(one[3] - other[3])
                if turned > math.pi and abs(turned - 2 * math.pi) * one[2] <= NEAR:
                    self.ties.append(f"{place}: the angles {one[3]} and {other[3]} are the same")
                    other = [*other[:3], one[3], *other[4:]]
                one = [*one[:3], one[3] * one[2], *one[4:]]
                other = [*other[:3], other[3] * other[2], *other[4:]]
            self.compare(place, one, other, NEAR)


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def short(value):
    text = str(value)
    return text if len(text) <= 160 else text[:157] + "..."


def compare_answers(differences, where, question, ours, theirs):
    if question == "labels" and "items" in ours and "items" in theirs:
        differences.compare_labels(where + " labels", ours, theirs)
    elif question == "report":
        # Where the camera is, is a place; all other numbers tell something.
        cameras = [answer.pop("camera", None) for answer in (ours, theirs)]
        differences.compare(where + " report", ours, theirs, 0)
        differences.compare(where + " camera", *cameras, NEAR)
    else:
        differences.compare(f"{where} {question}", ours, theirs, NEAR)


class Both:
    """Whorl itself and the player of a page, for the same script."""

    def __init__(self, moments, node, folder):
        self.moments = moments
        self.node = node
        self.folder = folder
        self.player = None

    def use_player_of(self, page):
        """All pages that a Whorl writes hold the same one."""
        if self.player is None:  # unless it was named
            page.unpack_player_into(self.folder / "player")
            self.player = self.folder / "player" / "player.js"

    def answers(self, page, name, script):
        """The lines that both print."""
        files = self.folder / name
        page.unpack_into(files)
        text = "\n".join([page.start, *script]) + "\n"
        programs = [[self.moments, files], [self.node, HERE / "moments.mjs", self.player, files]]
        out = []
        for program in programs:
            done = subprocess.run(list(map(str, program)), input=text, capture_output=True, text=True, timeout=PATIENCE)
            if done.returncode != 0:
                raise RuntimeError(f"{program[0]} ended with {done.returncode}: {done.stderr.strip()[-400:]}")
            out.append(done.stdout.splitlines())
        return out


def script_of(moments):
    """The lines of a script, and what each line of the answers is the answer to."""
    script, asked = ["size 1280 720 1", *["frame 0"] * 40], []
    for i, lines in enumerate(moments):
        for line in lines:
            script.append(line)
            if line.startswith(("command", "key", "pointer")):
                asked.append((i, line))
        for question in QUESTIONS:
            script.append(question)
            asked.append((i, question))
    return script, asked


def check_page(both, whorl, folder, name, arguments, moments):
    """Prints how the moments of one page compare; returns whether all is the same."""
    page = written(whorl, folder / f"{name}.html", arguments)
    both.use_player_of(page)
    script, asked = script_of(moments)
    ours, theirs = both.answers(page, name, script)
    differences = Differences()
    if not len(ours) == len(theirs) == len(asked):
        differences.add("answers", len(ours), len(theirs))
    refused = []
    for (i, question), one, other in zip(asked, ours, theirs):
        where = f"{name}, moment {i + 1}:"
        if question.startswith(("command", "key", "pointer")):
            differences.compare(f"{where} {question}", one, other, 0)
            if question.startswith("command") and one != '""':
                refused.append(f"{where} {question}: {one}")
            continue
        one, other = json.loads(one), json.loads(other)
        if question == "report" and (one["error"] or not one["open"]):
            differences.found.append(f"{where} {one['error'] or 'nothing is open'}")
        compare_answers(differences, where, question, one, other)
    for line in refused:
        differences.found.append("refused by both: " + line)
    for line in differences.found[:SHOWN]:
        print(f"DIFFERENT {line}")
    if len(differences.found) > SHOWN:
        print(f"DIFFERENT {name}: {len(differences.found) - SHOWN} more")
    for line in differences.ties:
        print(f"tie {line}")
    print(f"{'FAILED' if differences.found else 'ok'} {name}: {len(moments)} moments, {differences.texts} texts, "
          f"{differences.numbers} numbers, at most {differences.farthest:.2g} apart", flush=True)
    return not differences.found


def written(whorl, path, arguments):
    """The page that whorl page writes, paused."""
    done = subprocess.run([whorl, "page", *arguments, "--full", "--paused", "-o", path], capture_output=True, text=True,
                          timeout=PATIENCE)
    if done.returncode != 0:
        raise RuntimeError(f"whorl page {' '.join(arguments)}: {done.stderr.strip()}")
    return PageFile(path)


def check_tours(both, whorl, folder):
    """Prints whether each scene of each tour is there in its page, with all of its numbers."""
    is_right = True
    for path in sorted((HERE.parents[1] / "assets" / "tours").glob("*.json")):
        name = path.stem
        page = written(whorl, folder / f"tour-{name}.html", ["--tour", name])
        both.use_player_of(page)
        scenes = json.loads(json.loads(page.start)["tour"])["scenes"]
        script = ["size 1280 720 1"]
        for i in range(len(scenes)):
            script += [f"command tour-go {i}", *["frame 0.1"] * 10, *["frame 0"] * 300, "report"]
        ours, theirs = ([json.loads(line) for line in lines if line != '""']
                        for lines in both.answers(page, f"tour-{name}", script))
        differences = Differences()
        for i, (one, other) in enumerate(zip(ours, theirs)):
            where = f"tour {name}, scene {scenes[i].get('id', i + 1)}:"
            for key in ("tour", "title", "machine", "end", "error"):
                differences.compare(f"{where} {key}", one.get(key), other.get(key), 0)
            if one["error"] or not one["open"]:
                differences.found.append(f"{where} {one['error'] or 'nothing is open'}")
            elif "…" in (one["tour"]["heading"] or "") + (one["tour"]["words"] or ""):
                differences.found.append(f"{where} numbers are missing: {short(one['tour']['words'])}")
        for line in differences.found[:SHOWN]:
            print(f"DIFFERENT {line}")
        print(f"{'FAILED' if differences.found else 'ok'} tour {name}: {len(scenes)} scenes, {differences.texts} texts",
              flush=True)
        is_right &= not differences.found
    return is_right


# The rows of the figures, and what whorl stats has in each cache.
COUNTS = {
    "requests": ["accesses"], "hits": ["hits"], "misses": ["misses"], "evictions": ["evictions"],
    "write-backs": ["writebacks"], "write-throughs": ["write_throughs"], "invalidations": ["invalidations"],
    "downgrades": ["downgrades"], "upgrades": ["upgrades"], "back-invalidations": ["back_invalidations"],
    "left with page": ["paged_out"], "prefetches": ["prefetches"], "compulsory": ["kinds", "compulsory"],
    "capacity": ["kinds", "capacity"], "conflict": ["kinds", "conflict"], "true sharing": ["kinds", "true_sharing"],
    "false sharing": ["kinds", "false_sharing"],
}


def counted(level, path):
    """The sum over the caches of a level."""
    total = 0
    for cache in level["caches"]:
        value = cache
        for key in path:
            value = value.get(key, 0)
        total += value
    return total


def plain(cell):
    """A count as it is shown, without what groups its digits."""
    return re.sub(r"\s", "", cell)


def expected_figures(stats):
    """By row: the cells that the figures of a page must have."""
    expected = {words: [str(counted(level, path)) for level in stats["levels"]] for words, path in COUNTS.items()}
    rates = []
    for level in stats["levels"]:
        requests = counted(level, ["accesses"])
        rates.append("–" if requests == 0 else f"{100 * counted(level, ['hits']) / requests:.1f}%")
    expected["hit rate"] = rates
    expected["utilization"] = []
    expected["fills to save"] = []
    for level in stats["levels"]:
        used, unused = counted(level, ["use", "used_bytes"]), counted(level, ["use", "unused_bytes"])
        is_known = used + unused > 0
        expected["utilization"].append(f"{100 * used / (used + unused):.1f}%" if is_known else "–")
        needed = -(-used // level["block"])  # of all caches together, where whorl stats has it of each
        expected["fills to save"].append(str(counted(level, ["fills"]) - needed) if is_known else "–")
    return expected


def check_figures(both, whorl, folder, index, row):
    """Prints how the figures at the end compare with those of whorl stats, after the page was told the machine."""
    run, machine, settings, *part = row
    part = part[0] if part else []
    # On a machine that is typed, the caches would be empty at the beginning of a part.
    page = written(whorl, folder / f"figures-{index}.html", [run, *(["-m", machine, *part] if part else [])])
    both.use_player_of(page)
    typed = [] if part else [f"command machine {machine}", "settle"]
    typed += [line for setting in settings for line in (f"command set {setting}", "settle")]
    script = ["size 800 600 1", "settle", *typed, "command seek-end", "settle", "report"]
    reports = [json.loads(lines[-1]) for lines in both.answers(page, f"figures-{index}", script)]
    flags = [flag for setting in settings for flag in ("--set", setting)]
    done = subprocess.run([whorl, "stats", run, "-m", machine, *flags, *part, "--kinds", "--utilization", "--json"],
                          capture_output=True, text=True, timeout=PATIENCE, check=True)
    stats = json.loads(done.stdout)
    expected = expected_figures(stats)
    found = []
    compared = 0
    for who, report in zip(("Whorl", "the page"), reports):
        figures = report["figures"]
        for figure in figures["rows"]:
            words = figure["words"].strip()
            cells = [plain(cell) for cell in figure["cells"]]
            compared += len(cells)
            if words not in expected:
                found.append(f"{who} has the row {words}, which is not compared")
            elif cells != [plain(cell) for cell in expected[words]] and not all(c in ("–", "0") for c in cells):
                found.append(f"{words}: {who} has {cells}, whorl stats {expected[words]}")
        shown = {figure["words"].strip() for figure in figures["rows"]}
        for words, cells in expected.items():
            if words not in shown and any(cell not in ("0", "–") for cell in cells):
                found.append(f"{who} has no row {words}, whorl stats {cells}")
        cycles = [plain(line) for line in figures["lines"] if "access cycles" in line]
        several = len(stats["cpus"]) > 1
        wanted = [(f"CPU{i}:" if several else "") + f"{cpu['cycles']:.0f}accesscycles"
                  for i, cpu in enumerate(stats["cpus"])]
        compared += len(wanted)
        if cycles != wanted:
            found.append(f"{who} has {cycles}, whorl stats {wanted}")
    for line in found[:SHOWN]:
        print(f"DIFFERENT {run} on {machine}: {line}")
    print(f"{'FAILED' if found else 'ok'} figures of {run} on {machine} {' '.join(settings)}: {compared} compared",
          flush=True)
    return not found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("whorl")
    parser.add_argument("moments", help="the program of moments.cpp")
    parser.add_argument("--node", default=shutil.which("node") or shutil.which("nodejs"))
    parser.add_argument("--keep", help="a folder for what it writes")
    parser.add_argument("--player", type=pathlib.Path, help="player.js, instead of the one that is compiled into WHORL")
    parser.add_argument("--only", help="the pages and figures whose names have this")
    options = parser.parse_args()
    whorl, moments = (str(pathlib.Path(path).resolve()) for path in (options.whorl, options.moments))
    if options.node is None:
        print("skipped: without Node the player of pages cannot run")
        return SKIPPED
    with tempfile.TemporaryDirectory(prefix="whorl-page-") as temporary:
        folder = pathlib.Path(options.keep or temporary)
        folder.mkdir(parents=True, exist_ok=True)
        try:
            written(whorl, folder / "probe.html", ["pattern:read A[0]"])
        except RuntimeError as error:
            if "without the player" in str(error):
                print("skipped: this Whorl writes no pages")
                return SKIPPED
            raise
        both = Both(moments, options.node, folder)
        both.player = options.player
        is_right = True
        count = 0
        for name, arguments, moments_of in PAGES:
            if options.only and options.only not in name:
                continue
            count += len(moments_of)
            is_right &= check_page(both, whorl, folder, name, arguments, moments_of)
        for index, row in enumerate(FIGURES):
            if options.only and options.only not in "figures " + row[0] + row[1]:
                continue
            is_right &= check_figures(both, whorl, folder, index, row)
        if not options.only or options.only in "tours":
            is_right &= check_tours(both, whorl, folder)
        print(f"{'ok' if is_right else 'FAILED'}: {count} moments")
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
