#!/usr/bin/env python3
"""columns_test.py WHORL COLUMNS.MD: each column of each table that Whorl writes is on that page, and no other is."""
import re
import subprocess
import sys

whorl, page = sys.argv[1:]
named = set()
for line in open(page):
    if line.startswith("| `"):
        named |= set(re.findall(r"`([^`]+)`", line.split("|")[1]))

timed = ["nbody:steps=1"]
small = ["matmul:n=8"]
paged = ["matmul:n=8", "-m", "paged"]
tables = [["stats", *timed, "--by", by] for by in
          ("region object line source cpu function caller call word class field block page set way").split()]
tables += [["stats", *paged, "--by", by] for by in ("block", "page")]
tables += [["stats", *timed, "--conflicts", by] for by in ("region", "object")]
tables += [["stats", *timed, "--critical-path", by] for by in ("source", "object", "segments")]
tables += [["stats", *timed, "--costs"], ["stats", *paged, "--costs"], ["stats", *small, "--mrc"], ["stats", *small],
           ["stats", *small, "--sweep", "L1.ways=1,2,3"], ["contents", *small, "--at", "9"], ["history", *small, "B[1][1]"],
           ["history", *paged, "B[1][1]"], ["life", *timed, "bodies"], ["collisions", *small], ["sharing", *timed],
           ["why", *small], ["annotate", *small], ["compare", *small, "matmul:n=9"]]
found = set()
for table in tables:
    done = subprocess.run([whorl, *table, "--csv"], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"FAILED: {table}: {done.stderr}")
    # A sweep has a column for each value that it sets.
    found |= {re.sub(r"^(L\d|TLB|pages)_", "L1_", key) for key in done.stdout.split("\n")[0].split(",") if "." not in key}
if found != named:
    sys.exit(f"FAILED: not on the page: {sorted(found - named)}; in no table: {sorted(named - found)}")
