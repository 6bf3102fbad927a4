#!/usr/bin/env python3
"""manual_test.py BUILD CHAPTERS: the target `manual`. All commands of the manual work, those that open windows too where
there is a display, and print what the manual says; each picture is there, has the size that was asked for, and is not
blank; the chapters are short, and what they link to exists."""

import os
import re
import shutil
import struct
import subprocess
import sys
from pathlib import Path

build, chapters = Path(sys.argv[1]), Path(sys.argv[2])
sys.dont_write_bytecode = True  # in the source tree
sys.path.insert(0, str(chapters.parents[1] / "cmake"))
import make_manual  # noqa: E402

MOST_LINES = 100  # two screens
FEWEST_COLOURS = 300
USUAL_SIZE = (1280, 720)


def fail(words):
    sys.exit(f"FAILED: {words}")


def check(condition, words):
    if not condition:
        fail(words)


def commands_making(block):
    """The commands of a block, by the picture that each makes."""
    made = {}
    for command in block.text.replace("\\\n", " ").splitlines():
        for name in re.findall(r"-o (\S+\.png)", command):
            made[name] = command
    return made


def check_picture(path, command):
    data = path.read_bytes()
    check(data[:8] == b"\x89PNG\r\n\x1a\n", f"{path} is no PNG")
    size = struct.unpack(">II", data[16:24])
    asked = re.search(r"--size (\d+)x(\d+)", command)
    check(size == (tuple(map(int, asked.groups())) if asked else USUAL_SIZE), f"{path} has {size} pixels")
    pixels = subprocess.run(["ffmpeg", "-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"], check=True,
                            capture_output=True).stdout
    check(len(pixels) == 3 * size[0] * size[1], f"{path} cannot be decoded")
    # Of every fourth pixel.
    colours = len(set(zip(pixels[0::12], pixels[1::12], pixels[2::12])))
    check(colours >= FEWEST_COLOURS, f"{path} has {colours} colours only")


def check_links(path, text):
    """Links lead to files of the tree, and to headings in them."""
    for target in re.findall(r"(?<!!)\[[^]]*\]\(([^)]*)\)", text):
        name, _, anchor = target.partition("#")
        other = (path.parent / name).resolve()
        check(other.is_file(), f"{path.name} links to {target}")
        headings = [make_manual.anchor_of(line.lstrip("#")) for line in other.read_text().splitlines()
                    if line.startswith("#")]
        check(not anchor or anchor in headings, f"{path.name} links to {target}, and there are {headings}")


def main():
    paths = make_manual.chapters_in(chapters)
    check(len(paths) >= 10, f"there are {paths}")
    environment = dict(os.environ)
    if "DISPLAY" in environment and shutil.which("xdotool"):
        environment["WHORL_MANUAL_WINDOWS"] = "1"
    else:
        environment.pop("WHORL_MANUAL_WINDOWS", None)
        print("there is no display, or no xdotool: no windows are opened")
    done = subprocess.run(["cmake", "--build", build, "--target", "manual"], env=environment, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    print(done.stdout)
    check(done.returncode == 0, "the target manual")

    total = 0
    for path in paths:
        text = path.read_text()
        made = build / "manual" / path.name
        check(made.read_text() == make_manual.copied(text), f"{made} is not {path}")
        check(len(text.splitlines()) <= MOST_LINES, f"{path} is longer than two screens")
        check(f"({path.name})" in (chapters / "README.md").read_text(), f"the contents lack {path.name}")
        for code in re.findall(r"`(whorl [^`]*)`", re.sub(r"(?ms)^```.*?^```", "", text)):
            check(re.fullmatch(r"whorl [a-z]+", code), f"{path} has the command '{code}' where it is not run")
        check_links(path, text)
        check_links(made, made.read_text())
        _, pictures = make_manual.blocks_and_pictures(text)
        check(1 <= len(pictures) <= 3, f"{path} has {len(pictures)} pictures")
        for picture in pictures:
            check_picture(build / "manual" / picture.name, commands_making(picture.block)[picture.name])
        total += len(pictures)
        if shutil.which("cmark-gfm"):
            page = made.with_suffix(".html").read_text()
            check(page.count("<img ") == len(pictures) and ".md" not in re.findall(r'href="[^":]*"', page),
                  f"the page of {path.name}")
    check_links(chapters / "README.md", (chapters / "README.md").read_text())
    print(f"{len(paths)} chapters, {total} pictures")


main()
