#!/usr/bin/env python3
"""make_manual.py WHORL CHAPTERS OUTPUT: the manual with its pictures.

Copies the chapters into the folder OUTPUT, with the pages of docs that they lead to, and runs the commands that stand in
them, chapter by chapter, as a reader would: a picture is what the command above it makes. Where cmark-gfm is installed,
all become HTML pages too. With WHORL_MANUAL_WINDOWS in the environment, and a display, commands that open a window are
run as well.

What stands between fences in a chapter:
  ```sh            commands, all in one folder of the chapter's own
  ```sh window     commands that open a window: not run here, unless they are asked for
  ```keys          keys that are pressed in that window, one a line, with what they do
  ```text          words that the commands above print, where … stands for more
  ```LANGUAGE NAME a file, for the commands that follow
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

PATIENCE = 60  # seconds for a block, or a window


class Wrong(Exception):
    """What is wrong with a chapter, in words."""


@dataclass
class Block:
    line: int
    info: str
    lines: list = field(default_factory=list)

    @property
    def text(self):
        return "\n".join(self.lines) + "\n"

    @property
    def runs(self):
        return self.info in ("sh", "sh window")


@dataclass
class Picture:
    line: int
    name: str
    block: Block  # that makes it


def blocks_and_pictures(text):
    """The fenced blocks of a chapter, and its pictures, each directly below the block that makes it."""
    blocks, pictures, inside, above = [], [], None, None
    for number, line in enumerate(text.splitlines(), 1):
        if inside is not None:
            if line == "```":
                blocks.append(inside)
                above, inside = inside, None
            else:
                inside.lines.append(line)
            continue
        if line.startswith("```"):
            inside = Block(number, line[3:])
            continue
        if line.startswith("    "):
            raise Wrong(f"{number}: text is put between fences, so that it is known what it is")
        for name in re.findall(r"!\[[^]]*\]\(([^)]*)\)", line):
            if above is None or f"-o {name}" not in above.text:
                raise Wrong(f"{number}: {name} does not stand directly below the command that makes it")
            pictures.append(Picture(number, name, above))
        if line.strip() and not line.startswith("!["):
            above = None
    if inside is not None:
        raise Wrong(f"{inside.line}: the block does not end")
    return blocks, pictures


def chapters_in(folder):
    return sorted(folder.glob("[0-9][0-9]-*.md"))


# --- windows


def has_appeared(places, window):
    deadline = time.monotonic() + PATIENCE
    while not (places.exists() and places.stat().st_size):
        if window.poll() is not None:
            return False
        if time.monotonic() > deadline:
            raise Wrong("no window appears")
        time.sleep(0.05)
    return True


def key_for_xdotool(chord):
    """The name of a key as the list of keys has it, for xdotool."""
    signs = {"?": "question", "/": "slash", ".": "period", ",": "comma", "[": "bracketleft", "]": "bracketright",
             "<": "less", ">": "greater", "*": "asterisk", "(": "parenleft", ")": "parenright", "+": "plus",
             "-": "minus", "=": "equal", "Space": "space", "Enter": "Return", "PageDown": "Next", "PageUp": "Prior"}
    *modifiers, key = [chord] if len(chord) == 1 else re.split(r"\+(?=.)", chord)
    if modifiers and len(key) == 1:
        key = key.lower()
    return "+".join([m.lower() for m in modifiers] + [signs.get(key, key)])


def press(chord, log, window):
    """Presses a key until the window says that it did something."""
    before = log.stat().st_size if log.exists() else 0
    subprocess.run(["xdotool", "key", "--delay", "25", key_for_xdotool(chord)], check=True)
    deadline = time.monotonic() + PATIENCE
    while not (log.exists() and log.stat().st_size > before):
        if window.poll() is not None or time.monotonic() > deadline:
            raise Wrong(f"the key {chord} does nothing")
        time.sleep(0.02)


def run_window(command, keys, folder, environment):
    """Opens the window, presses the keys, and quits."""
    log, places = folder / "commands.log", folder / "places"
    for path in (log, places):
        path.unlink(missing_ok=True)
    environment = environment | {"WHORL_COMMAND_LOG": str(log), "WHORL_PLACES": str(places), "WHORL_SCALE": "1",
                                 "DISPLAY": os.environ["DISPLAY"]}
    with tempfile.TemporaryFile("w+") as said:
        window = subprocess.Popen(["bash", "-e", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.DEVNULL, stderr=said)
        try:
            if has_appeared(places, window):
                found = subprocess.run(["xdotool", "search", "--onlyvisible", "--name", "."], check=True,
                                       capture_output=True, text=True)
                subprocess.run(["xdotool", "windowfocus", "--sync", found.stdout.split()[0]], check=True)
                # A talk has keys of its own: it ends before the window closes.
                for chord in [*keys, *(["F11"] if " present " in command else []), "Ctrl+Q"]:
                    press(chord, log, window)
                window.wait(PATIENCE)
        finally:
            if window.poll() is None:
                window.kill()
        said.seek(0)
        if window.returncode != 0 or not log.exists():
            raise Wrong(f"{command}: status {window.returncode}: {said.read()}")


def run_windows(block, keys, folder, environment):
    for command in block.text.replace("\\\n", " ").splitlines():
        command = command.split("  #")[0].strip()
        if command:
            run_window(command, keys, folder, environment)


# --- a chapter


def check_words(block, printed):
    """What a chapter shows as printed is printed, in this order."""
    at = 0
    for number, line in enumerate(block.lines, block.line + 1):
        if line.strip() == "…":
            continue
        found = printed.find(line, at)
        if found < 0:
            raise Wrong(f"{number}: the command does not print '{line}':\n{printed}")
        at = found + len(line)


def run_blocks(blocks, folder, environment, with_windows):
    printed = ""
    for i, block in enumerate(blocks):
        language, _, rest = block.info.partition(" ")
        if block.info == "sh":
            done = subprocess.run(["bash", "-e", "-o", "pipefail", "-c", block.text], cwd=folder, env=environment,
                                  stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE)
            printed = done.stdout + done.stderr
            if done.returncode != 0:
                raise Wrong(f"{block.line}: status {done.returncode}: {printed}")
        elif block.info == "sh window":
            keys = []
            if i + 1 < len(blocks) and blocks[i + 1].info == "keys":
                keys = [line.split()[0] for line in blocks[i + 1].lines if line.strip()]
            if with_windows:
                run_windows(block, keys, folder, environment)
        elif block.info == "keys":
            if i == 0 or blocks[i - 1].info != "sh window":
                raise Wrong(f"{block.line}: keys stand below the window in which they are pressed")
        elif block.info == "text":
            check_words(block, printed)
        elif language and re.fullmatch(r"[a-zA-Z0-9_.-]+", rest):
            (folder / rest).write_text(block.text)
        else:
            raise Wrong(f"{block.line}: it is not known what to do with '{block.info}'")


def make_chapter(path, output, scratch, with_windows):
    blocks, pictures = blocks_and_pictures(path.read_text())
    folder = scratch / path.stem
    (folder / "pictures").mkdir(parents=True)
    environment = {key: value for key, value in os.environ.items()
                   if key not in ("DISPLAY", "WAYLAND_DISPLAY") and not key.startswith("WHORL_")}
    environment |= {"PATH": f"{scratch / 'bin'}:{environment['PATH']}", "XDG_STATE_HOME": str(scratch / "state")}
    run_blocks(blocks, folder, environment, with_windows)
    for picture in pictures:
        made, target = folder / picture.name, output / picture.name
        if not made.is_file():
            raise Wrong(f"{picture.line}: there is no {picture.name}")
        if target.exists():
            raise Wrong(f"{picture.line}: another chapter has {picture.name} too")
        shutil.move(made, target)


def copied(text):
    """A chapter as it stands in the output, where the other pages of docs are in a folder below."""
    return text.replace("](../", "](docs/")


def copy_pages(chapters, output):
    for path in sorted(chapters.glob("*.md")):
        (output / path.name).write_text(copied(path.read_text()))
    (output / "docs").mkdir()
    for path in [*chapters.parent.glob("*.md"), *chapters.parent.glob("*.png")]:
        shutil.copy(path, output / "docs")


def make_html(path):
    """A page as HTML, beside it."""
    body = subprocess.run(["cmark-gfm", "--extension", "table", path], check=True, capture_output=True, text=True).stdout
    body = re.sub(r'(href="[^":]*)\.md([#"])', r"\1.html\2", body).replace('href="README.html', 'href="index.html')
    # Links lead to headings by names, which cmark-gfm does not give them.
    body = re.sub(r"<h(\d)>(.*?)</h", lambda h: f'<h{h[1]} id="{anchor_of(h[2])}">{h[2]}</h', body)
    title = re.sub("<.*?>", "", re.search(r"<h1[^>]*>(.*?)</h1>", body)[1])
    style = ("body{max-width:56em;margin:2em auto;padding:0 1em;font:1.05em/1.5 sans-serif}img{max-width:100%}"
             "pre{background:#eee;padding:.7em;overflow:auto}td,th{padding:.1em 1em .1em 0;text-align:left}")
    name = "index" if path.stem == "README" else path.stem
    path.with_name(name + ".html").write_text(
        f'<!DOCTYPE html>\n<html lang="en"><meta charset="utf-8"><title>Whorl: {title}</title>\n'
        f"<style>{style}</style>\n{body}</html>\n")


def anchor_of(heading):
    """The name by which links lead to a heading."""
    words = re.sub("<.*?>", "", heading).strip().lower()
    return re.sub(r"[^\w -]", "", words).replace(" ", "-")


def replace(made, output):
    """Puts what is made in the place of what an earlier run made, and of nothing else."""
    if output.exists():
        if any(output.iterdir()) and not (output / "README.md").exists():
            raise Wrong(f" {output} holds something else than a manual")
        shutil.rmtree(output)
    made.rename(output)


def make_manual(whorl, chapters, output, with_windows):
    output.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=output.parent, prefix="manual.") as temporary:
        scratch, made = Path(temporary), Path(temporary) / "made"
        (made / "pictures").mkdir(parents=True)
        (scratch / "bin").mkdir()
        (scratch / "bin" / "whorl").symlink_to(whorl)
        for path in chapters_in(chapters):
            began = time.monotonic()
            try:
                make_chapter(path, made, scratch, with_windows)
            except Wrong as wrong:
                raise Wrong(f"{path}:{wrong}") from None
            print(f"{path.stem}: {time.monotonic() - began:.1f} s", flush=True)
        copy_pages(chapters, made)
        if shutil.which("cmark-gfm"):
            for path in sorted(made.rglob("*.md")):
                make_html(path)
        replace(made, output)


def main():
    try:
        whorl, chapters, output = (Path(word).absolute() for word in sys.argv[1:4])
        make_manual(whorl, chapters, output, "WHORL_MANUAL_WINDOWS" in os.environ)
    except Wrong as wrong:
        sys.exit(f"FAILED: {wrong}")
    print(f"the manual is {output}/README.md" + (f", and {output}/index.html" if shutil.which("cmark-gfm") else ""))


if __name__ == "__main__":
    main()
