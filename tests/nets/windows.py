"""Sessions with a window that is driven through its socket, as docs/window.md describes it: an item is a line that is written
there, with its answer and what of the state is another one afterwards; one more, what the session leaves behind."""

import json
import os
import shutil
import socket
import subprocess
import time

import contents

PATIENCE = 120

# Left out: playing, whose positions are those of a clock; record, which takes long; and what asks the desktop for something.
RUN = """
state
seek 120
seek 1200
seek 50%
seek 333.25
step 3
step -1
stride 2
seek-end
seek-start
seek 600
pace 30
faster
slower
pace-overview
pace-overview
loop on
range 100 200
range-start
range-end
undo
redo
range-clear
look-up B[3][0]
select-none
look-up 0x10040
copy-address
copy-sentence
copy-command
bookmark
bookmark-note "here it is"
seek 700
bookmark
bookmark-go previous
bookmark-go next
bookmark-go next
watch-selected
watch 0x10080
watch-none
search next access
search next miss
search previous eviction
search next region-miss
pick-source 1
search next line-access
view source
view memory
view block:0
view-next
view-active memory
view-alone
views cache
views cells
view-only rings
look-up B[3][0]
view-only history
history-show
life-show
time-seen 100 500
time-all
phase-row 64
phase-level 1
phase-shows misses
cell-metric memory misses 0
cell-bytes memory 64
cell-columns memory 16
cell-groups memory address
cell-groups memory pieces 4096
cell-curve memory hilbert
cell-order memory penalty 0
cell-logarithmic memory on
half-life memory-live 50
conflict-lines memory-live 0
cell-boundary memory pages on
interleaved cache:0 on
cell-fit memory
view-range memory 10 100
view-range-off memory
pick-region 1
pick-source 1
pick-memory 0x10040 64
pick-way 0 0 1 2
pick-pair 0 1
panels off
panels on
legend on
caption on
explain on
help on
close
strip miss-kinds
heat misses
costs on
costs-by lines
costs-by why
sharing on
dismiss
focus look-up
dismiss
trails 7
trails-longer
trails-shorter
lapse 30
lapse-longer
lapse-shorter
lapse-follows
reduced-motion on
gauge misses
gauge-next
gauge-previous
gauge-over run
gauge-window 50
gauge-window-longer
gauge-window-shorter
gauge-scores 1 2 3
gauge-region 1
gauge-kind conflict
grain elements
rings capacity
lecture on
scale 1.5
scale-up
scale-down
fill-by-use on
ground light
region-colour 1 ff8800
region-colour-reset 1
region-colours-reset
zoom-in
zoom-out
zoom-at 2.5 0.1 -0.2
look-at 0.1 0.1
pan 1 0
zoom-reset
view-only source
turn 1 1
face xz
perspective 0.5
graph-height 2
order
words on
words-fit on
critical-path on
view-only block:0
block-draw lines
block-colours state
stays-invalidated off
stays-replaced on
stays-other on
lit-only on
solid on
block-rows block:0 0 0.5
rows-in
rows-out
lens 100 200
lens-view
lens-off
class-colours on
collisions-of object
collisions-level 1
shot picture.png
shot picture.svg
machine 1K/2/32
machine nosuch
set L1.ways=1
set L1.wys=1
option n 6
option variant blocked
option colour red
live on
change pad:B:64
change shift:Q:8
change-undo 0
compare on
lock share
exchange on
compare off
predict next
predict-level 0
predict-set 0
predict-hit on
predict-choose 0
predict-reveal
predict-next
predict-end
undo
undo
redo
open mergesort:n=24
undo
open in/marked.trace
state
look-up P
reload
open nosuch.trace
open in/bad.trace
open "pattern:for i in 0..9 { read A[i] }"
folder /no/such/folder
do bookmark
bookmarks-clear
message "read this"
"""
SHARING = """
state
cpu 1
cpu-next
cpu-previous
view-only object
look-up Global.ArrayC
pick-object region 0 0x0
view-only cycles
critical-path on
view-only block:0
cpu-plane 1
cpu-planes-all
seek 40
life-show
sharing on
collisions-of class
recorded on
view-only memory-live
open in/mpm.chiron
recorded off
recorded on
lock line
"""
TOUR = """
state
tour-open cache-basics
tour-next
tour-next
tour-previous
tour-go 3
tour-answer 0
tour-play end
tour-close
tour-open nosuch
open-scene rings fig1b
tour-close
open in/own.tour.json
tour-add
tour-say 0 title "My own"
tour-edit on
tour-say 0 question outcome
tour-say 0 with_settings L1.ways=1
tour-say 0 with_settings ""
tour-say 0 tour.author "Me"
tour-say 0 to 1
tour-say 0 colour red
tour-edit off
tour-say 0 words "What is here."
seek 30
tour-set
tour-add
tour-move 1 0
tour-undo
tour-redo
tour-remove 0
tour-save mine.tour.json
tour-close
"""
TALK = """
state
tour-next
stage-blank on
stage-blank off
stage-list on
stage-list off
pointer on
pen on
pen-down 0.5 0.5
pen-to 0.6 0.6
pen-clear
clock-reset
caption off
tour-next
tour-next
present off
"""
COMMANDS = """
bookmark bookmark-note bookmark-go bookmarks-clear zoom-in zoom-out zoom-reset pan turn face perspective camera
zoom-at drag look-at cell-metric cell-bytes cell-columns cell-groups cell-curve cell-order cell-logarithmic
half-life conflict-lines cell-boundary interleaved cell-zoom cell-fit view-range view-range-off copy-address
copy-sentence copy-command save-picture record reload reload-ignore panels panel-size legend caption explain
help strip heat costs costs-by sharing cpu cpu-next cpu-previous focus dismiss close picture-card trails
trails-longer trails-shorter lapse lapse-longer lapse-shorter lapse-follows reduced-motion gauge gauge-next
gauge-previous gauge-over gauge-window gauge-window-longer gauge-window-shorter gauge-scores gauge-region
gauge-kind grain rings lecture scale scale-up scale-down fill-by-use ground region-colour region-colour-reset
region-colours-reset region-colour-card pick-memory pick-way history-show life-show history-keep time-seen
time-all phase-row phase-level phase-shows pane-add predict predict-level predict-set predict-hit
predict-victim predict-no-victim predict-way predict-choose predict-reveal predict-next predict-end ask ask-close do folder
open-scene undo redo open machine set option live change change-undo compare lock exchange cancel quit search
search-begun search-found message select select-part select-none look-up look-up-close watch watch-selected
watch-none pick-region pick-pair pick-source pick-object pick-stay present stage-blank stage-list pointer pen
pen-down pen-to pen-clear speaker clock-pause clock-reset play step stride seek seek-start seek-end faster
slower pace pace-overview loop range range-start range-end range-clear tour-open tour-close tour-next
tour-previous tour-go tour-answer tour-add tour-set tour-remove tour-move tour-say tour-play tour-undo
tour-redo tour-save view view-only views view-active view-next view-alone recorded critical-path order words
words-fit graph-height block-draw block-colours stays-invalidated stays-replaced stays-other
cpu-plane cpu-planes-all lit-only solid block-rows rows-in rows-out lens lens-view lens-off class-colours
class-coloured class-colour collisions-of collisions-level array-of change-only
interleaving
"""
SESSIONS = [
    ("run", ["matmul:n=8", "-m", "paper"], RUN.strip().splitlines()),
    ("sharing", ["vecadd:n=12"], SHARING.strip().splitlines()),
    ("tour", ["matmul:n=4", "-m", "lecture"], TOUR.strip().splitlines()),
    ("talk", ["present", "in/own.tour.json"], TALK.strip().splitlines()),
    # Each command with more words than any takes: the first that it cannot understand is told.
    ("words", ["matmul:n=4", "-m", "lecture"], [f"{name} {'?! ' * 12}" for name in COMMANDS.split()] +
     [name for name in COMMANDS.split() if name in ("seek", "range", "view", "machine", "look-up", "search")] +
     ["seak 3", "wiev rings", "seek 200%", "bookmark-go next", "state now", "wait now", "shot", '"half', "seek 3 4"]),
]


class Window:
    """A window on a display of its own."""

    def __init__(self, program, folder, words):
        reading, writing = os.pipe()
        self.display = subprocess.Popen(["Xvfb", "-displayfd", str(writing), "-screen", "0", "640x480x24", "-nolisten", "tcp",
                                         "-noreset"], pass_fds=[writing], stderr=subprocess.DEVNULL, env=program.environment)
        os.close(writing)
        with os.fdopen(reading) as numbers:
            number = numbers.readline().strip()
        path = folder / "socket"
        environment = {**program.environment, "DISPLAY": f":{number}", "WHORL_SCALE": "1", "XDG_STATE_HOME": str(folder / "state"),
                       "WHORL_COMMAND_LOG": str(folder / "commands")}
        with (folder / "said").open("wb") as said:
            paused = [] if words[0] == "present" else ["--paused"]
            self.program = subprocess.Popen([program.whorl, *words, *paused, "--control", "socket"], cwd=folder, stderr=said,
                                            env=environment)
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(PATIENCE)
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                self.socket.connect(str(path))
                break
            except OSError:
                if time.monotonic() > deadline or self.program.poll() is not None:
                    raise RuntimeError("no window: " + (folder / "said").read_text()) from None
                time.sleep(0.02)
        self.lines = self.socket.makefile("rb")

    def ask(self, line):
        self.socket.sendall(line.encode() + b"\n")
        return self.lines.readline().decode().rstrip("\n")

    def end(self):
        """How it ends."""
        self.ask("quit")
        status = self.program.wait(PATIENCE)
        self.display.terminate()
        self.display.wait(PATIENCE)
        return status


def changes(before, now):
    """What of the state is another. A message goes after a time, which is no change."""
    text = ""
    for key in sorted(before.keys() | now.keys()):
        if now.get(key) != before.get(key) and (key != "message" or now[key]):
            text += f"  {key}: {json.dumps(now.get(key), ensure_ascii=False)}\n"
    return text


def session(program, name, words, lines):
    """The texts of its items."""
    folder = program.folder / f"window-{name}"
    folder.mkdir()
    (folder / "in").symlink_to(program.inputs)
    window = Window(program, folder, words)
    found = {}
    try:
        window.ask("wait")
        state = {}
        for number, line in enumerate(lines):
            answer = window.ask(line)
            text = f"> {line}\n{'' if line == 'state' else answer}\n"
            if not answer.startswith("error"):  # which changes nothing; else the next item shows it
                waited = window.ask("wait")
                now = json.loads(window.ask("state"))
                for key in ("position", "playing") if name in ("tour", "talk") else ():
                    now.pop(key, None)  # scenes play, by the clock
                text += ("" if waited == "ok" else f"{waited}\n") + changes(state, now)
                state = {**now, "message": now["message"] or state.get("message", "")}
            found[f"control/{name}/{number:03} {line[:60].rstrip('?! ')}"] = text
        status = window.end()
    finally:
        for process in (window.program, window.display):
            if process.poll() is None:
                process.kill()
    left = f"= {status}\n"
    for path in sorted(path for path in folder.rglob("*") if path.is_file() and "in" not in path.relative_to(folder).parts):
        text = contents.of_file(path)
        if path.name == "commands":
            # How often a camera is told on its way depends on how fast frames come.
            text = "".join(line for line in text.splitlines(True) if not line.startswith("camera "))
        left += f"--- {path.relative_to(folder)}\n{text}\n"
    found[f"control/{name}/files"] = left
    shutil.rmtree(folder)
    return found
