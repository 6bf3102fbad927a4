"""The files that are broken: of each format, made by whorl itself where it can."""

import json
import pathlib
import random
import subprocess

FIXTURES = pathlib.Path(__file__).resolve().parents[3] / "sim" / "trace" / "fixtures"


class Good:
    """A file. `role` says what is done with it (trials.py); `beside` are good files that it needs, by name."""

    def __init__(self, name, data, role, beside=None):
        self.name = name
        self.data = data
        self.role = role
        self.beside = beside or {}

    def is_binary(self):
        return self.name.endswith(".whorl")


def _lackey():
    chance = random.Random(1)
    lines = ["==7== Lackey, an example Valgrind tool", "==7== Command: ./a"]
    for i in range(200):
        lines.append(f"I  {0x400000 + 4 * i:08x},4")
        lines.append(f" {chance.choice('LSM')} {0x1FFE00 + 8 * chance.randrange(99):x},{chance.choice([1, 4, 8])}")
    return ("\n".join(lines) + "\n").encode()


def _din():
    chance = random.Random(2)
    return "".join(f"{chance.randrange(3)} {4096 + 4 * chance.randrange(500):x}\n" for _ in range(200)).encode()


def _tour():
    scene = {"title": "Here", "words": "See.", "input": "matmul:n=4", "at": 10.5}
    return json.dumps({"title": "Own", "source": "A book.", "scenes": [
        {"id": "here", **scene, "machine": "lecture", "history": 3},
        {"id": "there", **scene, "machine": "1K/2/64", "lapse": 7, "elements": True}]}, indent=1).encode()


MARKED = b"""region A 0x1000 64 8 rows=8
region "B two" 0x2000 64 8 rows=8
mark start
R 0x1000 8 cpu=0 a.c:1
new P Half 0x3000 32
W 0x3008 8 cpu=1 a.c:2
off
R 0x1008 8 cpu=0
on
M 0x1000 8 cpu=1
del 0x3000
mark "the end"
R 0x1020 8 cpu=3
"""


def good_files(whorl, folder):
    """All of them. Whorl writes those that it can into the folder first."""

    def written(*words):
        subprocess.run([whorl, *words], cwd=folder, check=True, stderr=subprocess.DEVNULL)
        return (pathlib.Path(folder) / words[-1]).read_bytes()

    files = [
        Good("a.lackey", _lackey(), "trace"),
        Good("a.din", _din(), "trace"),
        Good("marked.trace", MARKED, "trace"),
        Good("a.trace", written("trace", "matmul:n=4", "-o", "a.trace"), "trace"),
        Good("a.whorl", written("trace", "matmul:n=6", "-o", "a.whorl"), "trace"),
        Good("objects.whorl", written("trace", "nbody:bodies=8,steps=1", "-o", "objects.whorl"), "trace"),
    ]
    files += [Good(path.name, path.read_bytes(), "trace") for path in sorted(FIXTURES.glob("*.whorl"))]

    chiron = written("trace", "mpm", "--machine", "paradigm", "--to", "chiron", "-o", "a.chiron")
    sources = (pathlib.Path(folder) / "a.chiron.files").read_bytes()
    short = chiron[: chiron.find(b"\n", 20_000) + 1]
    files.append(Good("a.chiron", short, "trace", {"a.chiron.files": sources}))
    files.append(Good("list.files", sources, "sources", {"a.chiron": short}))

    for machine in ("laptop", "coherence", "tlb", "paged"):
        files.append(Good(f"{machine}.json", written("machines", machine, "-o", f"{machine}.json"), "machine"))
    files.append(Good("tour.json", _tour(), "tour"))
    for form in ("json", "csv"):
        sweep = ["stats", "matmul:n=4", "--sweep", "L1.ways=1,2,3,4", "--sweep", "policy=lru,fifo", f"--{form}"]
        parts = [written(*sweep, "--shard", f"{i}/2", "-o", f"part{i}.{form}") for i in (1, 2)]
        files.append(Good(f"part1.{form}", parts[0], "part", {f"part2.{form}": parts[1]}))
    return files
