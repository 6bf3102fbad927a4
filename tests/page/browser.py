#!/usr/bin/env python3
"""browser.py WHORL [--browser chromium|firefox] [--shots FOLDER] [--shell FOLDER] [--only WORD]: pages in browsers.

Pages that WHORL writes are opened from files and used as readers use them: with clicks, keys, the wheel and fingers,
on a phone, a tablet and a desktop, on both grounds. What they show is what whorl stats says. Nothing is asked from the
net, and the console stays empty. A line per check; exits with 1 if one failed, and with 77 where no browser can be
driven.

--shots: pictures of what is seen. --shell: the shell (page.html, page.css and page.js) of that folder instead of the
one that is compiled into WHORL. --player: likewise, the player of that folder, such as build/web.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time
import traceback

sys.dont_write_bytecode = True  # the tree stays as it is

from drivers import BrowserError, Chromium, Firefox
from fidelity import expected_figures, plain
from page_file import PageFile

SKIPPED = 77
PATIENCE = 40  # seconds until something has to be there
PHONE, TABLET, DESKTOP, FRAME = (390, 844), (820, 1180), (1280, 720), (640, 300)

PAGES = {
    "run": ["matmul:n=16", "--full"],
    "small": ["mergesort:n=2000", "-m", "laptop", "--from", "10000", "--to", "60000"],
    "figure": ["--figure", "conflict@120..180"],
    "views": ["matmul:n=16", "--view", "rings", "--view", "table", "--view", "memory", "--at", "3915", "--paused"],
    "comparison": ["matmul:n=16", "--with", "matmul:n=16,variant=blocked,block=4", "--lock", "share", "--paused"],
    "tour": ["--tour", "locality"],
    "parallel": ["vecadd", "--at", "400", "--paused"],
}

FIND = """
    const element = document.querySelector(arguments[0]);
    if (!element) return null;
    element.scrollIntoView({block: 'center', inline: 'nearest'});
    const box = element.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    const top = document.elementFromPoint(x, y);
    return {x, y, left: box.left, top: box.top, width: box.width, height: box.height,
        isOnTop: Boolean(top) && (element.contains(top) || top.contains(element))};
"""

# What is cut, or has no room: words of buttons and headings, and a page that scrolls sideways.
CRAMPED = """
    const faults = [];
    const root = document.documentElement;
    const tooWide = root.scrollWidth - root.clientWidth;
    if (tooWide > 0) faults.push(`the page is ${tooWide} px too wide`);
    for (const element of document.querySelectorAll('button, label, th, td, p, h1, h2, h3, li, a, #pace, #of')) {
        const box = element.getBoundingClientRect();
        if (box.width === 0 || box.height === 0) continue;
        if (element.closest('[hidden], .unseen, #source, dialog:not([open])')) continue;
        const words = element.textContent.trim().slice(0, 40);
        if (!words) continue;
        const isCut = getComputedStyle(element).textOverflow === 'ellipsis';
        if (element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0 && !isCut &&
            getComputedStyle(element).display !== 'inline') {
            const room = `${element.clientWidth} px of ${element.scrollWidth}`;
            faults.push(`${element.tagName} ${element.id} "${words}" has ${room}`);
        }
        const scrolls = element.closest('.scrolls, #views, #steps, #tour-words, [role=tabpanel], .popup');
        if (box.right > innerWidth + 1 && !scrolls) faults.push(`${element.tagName} "${words}" leaves the window`);
    }
    const pressed = [...document.querySelectorAll('button, input, select')].filter(element => {
        const box = element.getBoundingClientRect();
        return box.width > 0 && box.top >= 0 && box.bottom <= innerHeight && !element.closest('dialog:not([open])');
    });
    pressed.forEach((a, i) => pressed.slice(i + 1).forEach(b => {
        const [p, q] = [a.getBoundingClientRect(), b.getBoundingClientRect()];
        const wide = Math.min(p.right, q.right) - Math.max(p.left, q.left);
        const high = Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top);
        const isApart = a.closest('dialog') !== b.closest('dialog');
        if (wide > 1 && high > 1 && !isApart && !a.closest('.popup, #status') && !b.closest('.popup, #status')) {
            faults.push(`${a.id || a.textContent} covers ${b.id || b.textContent}`);
        }
    }));
    return faults;
"""

CONTRAST = """
    const channel = value => value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    const numbers = text => (text.match(/[\\d.]+/g) || []).map(Number);
    const light = ([r, g, b]) => 0.2126 * channel(r / 255) + 0.7152 * channel(g / 255) + 0.0722 * channel(b / 255);
    const under = element => {
        for (let e = element; e; e = e.parentElement) {
            const colour = numbers(getComputedStyle(e).backgroundColor);
            if (colour.length === 3 || colour[3] > 0.9) return colour;
        }
        return [255, 255, 255];
    };
    const faults = [];
    for (const element of document.querySelectorAll('button, th, td, p, li, label, h1, h2, b, span, caption')) {
        const box = element.getBoundingClientRect();
        const own = [...element.childNodes].filter(node => node.nodeType === 3).map(node => node.data.trim()).join('');
        if (!own || box.width === 0 || element.disabled || element.closest('.unseen')) continue;
        const [a, b] = [light(numbers(getComputedStyle(element).color)), light(under(element))].sort((x, y) => y - x);
        const contrast = (a + 0.05) / (b + 0.05);
        if (contrast < 4.5) faults.push(`"${own.slice(0, 30)}" has a contrast of ${contrast.toFixed(1)}`);
    }
    return [...new Set(faults)];
"""


class Reader:
    """Somebody who uses a page, and notes what holds."""

    def __init__(self, browser, shots):
        self.browser = browser
        self.shots = shots
        self.where = ""
        self.failed = 0
        self.done = 0
        self.address = ""

    # --- notes ---

    def check(self, what, holds, detail=""):
        self.done += 1
        self.failed += not holds
        told = f": {detail}" if detail != "" and not holds else ""
        print(f"{'ok' if holds else 'FAILED'} {self.browser.name} {self.where}: {what}{told}", flush=True)
        return holds

    def note(self, words):
        print(f"   {self.browser.name} {self.where}: {words}", flush=True)

    def shot(self, name):
        if self.shots:
            self.browser.picture(self.shots / f"{self.browser.name}-{self.where.replace(' ', '-')}-{name}.png")

    # --- the page ---

    def open(self, path, fragment="", motion=True):
        self.browser.requests()
        self.browser.open("about:blank")
        self.address = path.as_uri()
        self.browser.open(self.address + fragment)
        begun = time.monotonic()
        self.wait("the player is ready", """
            return Boolean(window.whorlPage && document.documentElement.classList.contains('ready') &&
                whorlPage.report && whorlPage.report.open)""")
        return time.monotonic() - begun

    def report(self):
        return self.browser.js("return window.whorlPage.report")

    def wait(self, what, script, *arguments, patience=PATIENCE, is_quiet=True):
        """Until the script returns what is true; that is returned."""
        end = time.monotonic() + patience
        value = None
        while time.monotonic() < end:
            try:
                value = self.browser.js(script, *arguments)
            except BrowserError:
                value = None  # another page is being loaded
            if value:
                break
            time.sleep(0.03)
        if not value or not is_quiet:
            report = self.browser.js("return JSON.stringify(window.whorlPage ? whorlPage.report : null)")
            self.check(what, bool(value), str(report)[:300])
        return value

    def wait_report(self, what, condition, patience=PATIENCE):
        return self.wait(what, f"const r = whorlPage.report; return r && ({condition})", patience=patience,
                         is_quiet=False)

    def place(self, selector):
        return self.browser.js(FIND, selector)

    def press(self, selector, kind="mouse"):
        place = self.place(selector)
        if place is None or place["width"] == 0:
            self.check(f"{selector} can be pressed", False, "it is not there")
            return
        if not place["isOnTop"]:
            self.check(f"{selector} can be pressed", False, "something is over it")
        self.browser.click(place["x"], place["y"], kind)

    def type_into(self, selector, text):
        """In place of what was there."""
        self.press(selector)
        self.browser.js("document.querySelector(arguments[0]).select()", selector)
        self.browser.keys(text)

    def pause(self):
        if self.report()["playing"]:
            self.press("#play")
            self.wait("it pauses", "return !whorlPage.report.playing")
            time.sleep(0.4)  # the access in motion ends

    def calm(self):
        """Nothing is computed any more, and the picture shows what was asked for."""
        self.wait("work ends", "const r = whorlPage.report; return r && r.working === null && r.open")
        time.sleep(0.25)

    def complaints(self):
        found = self.browser.complaints()
        self.check("the console is empty", not found, found[:3])
        asked = [url for url in self.browser.requests()
                 if not url.startswith(("blob:", "data:", "about:", "chrome:", self.address.split("#")[0]))]
        self.check("nothing is asked from the net", not asked, asked[:3])

    def look(self, name):
        """A picture, and what has no room or is hard to read in it."""
        faults = self.browser.js(CRAMPED)
        self.check(f"{name}: all has room", not faults, "; ".join(faults[:6]))
        faults = self.browser.js(CONTRAST)
        self.check(f"{name}: all can be read", not faults, "; ".join(faults[:6]))
        self.shot(name)

    # --- a run ---

    def opening(self, path):
        seconds = self.open(path)
        times = self.browser.js("""
            const paints = Object.fromEntries(performance.getEntriesByType('paint').map(e => [e.name, e.startTime]));
            return [paints['first-contentful-paint'] || paints['first-paint'] || null, performance.now()]""")
        size = self.browser.js("return [innerWidth, innerHeight].join(' by ')")
        painted = "untold" if times[0] is None else f"{times[0]:.0f} ms"
        self.note(f"{size} pixels, {path.stat().st_size} bytes; first paint after {painted}, "
                  f"ready after {1000 * seconds:.0f} ms")

    def plays(self):
        before = self.report()["at"]
        self.wait_report("it plays by itself", f"r.playing && r.at > {before} + 0.5")
        self.browser.js_later("whorlPage.measure().then(arguments[0])")
        time.sleep(3)
        told = self.browser.js_later("whorlPage.measure().then(arguments[0])")
        frames, own = told["frames"], told["own"]
        self.note(f"{frames / told['seconds']:.1f} frames a second, {own / max(1, frames):.2f} ms of its own each")
        self.check("it plays smoothly enough to be watched", frames / told["seconds"] > 8, frames / told["seconds"])
        self.press("#play")
        self.wait_report("a click pauses it", "!r.playing")
        said = self.browser.js("return document.querySelector('#play').getAttribute('aria-label')")
        self.check("the button says so", said == "Play", said)

    def steps(self):
        time.sleep(0.4)
        at = round(self.report()["at"])
        self.press("#forward")
        self.wait_report("a click steps forward", f"Math.abs(r.at - {at + 1}) < 1e-6")
        self.press("#back")
        self.wait_report("a click steps back", f"Math.abs(r.at - {at}) < 1e-6")
        self.press("#stage")
        self.browser.js("document.querySelector('#stage').focus()")
        at = round(self.report()["at"])
        self.browser.keys("Right")
        self.wait_report("a key steps forward", f"Math.abs(r.at - {at + 1}) < 1e-6")
        self.browser.keys("Space")
        self.wait_report("Space plays", "r.playing")
        self.browser.keys("Space")
        self.wait_report("Space pauses", "!r.playing")
        self.press("#seek-end")
        self.wait_report("to the end", "r.at === r.end")
        self.press("#seek-start")
        self.wait_report("to the start", "r.at === 0")
        self.type_into("#at", "50%")
        self.browser.keys("Enter")
        self.wait_report("a typed share is sought", "Math.abs(r.at - r.end / 2) <= 1")
        self.type_into("#at", "nowhere")
        self.browser.keys("Enter")
        self.wait("words say why not", "return document.querySelector('#status-words').textContent.includes('nowhere')",
                  is_quiet=False)
        self.shot("message")
        self.press("#status-close")
        self.check("the message closes", self.browser.js("return document.querySelector('#status').hidden"))

    def scrubs(self, kind="mouse"):
        place = self.place("#strip-time")

        def at(share):
            return place["left"] + share * place["width"], place["y"]

        self.browser.drag(at(0.3), at(0.7), kind)
        self.wait_report("a drag on the strip moves through the run", "Math.abs(r.at / r.end - 0.7) < 0.02")
        if kind == "mouse":
            self.browser.drag(at(0.2), at(0.6), held="Shift")
            self.wait_report("with Shift it selects a range",
                             "r.range && Math.abs(r.range[0] / r.end - 0.2) < 0.02 && "
                             "Math.abs(r.range[1] / r.end - 0.6) < 0.02")
            self.calm()
            self.check("the figures are of the range", self.report()["figures"]["of"] != "so far")
            self.shot("range")
            self.press("#menu-open")
            self.look("menu")
            self.press("#range-clear")
            self.wait_report("the menu clears it", "!r.range")

    def looks_closer(self):
        place = self.place("#stage")
        x, y = place["left"] + 0.6 * place["width"], place["top"] + 0.4 * place["height"]
        self.browser.js("document.querySelector('#stage').focus({preventScroll: true})")
        self.browser.wheel(x, y, -300)
        self.wait_report("the wheel zooms", "r.camera && r.camera.zoom > 1.2")
        time.sleep(0.4)
        before = self.report()["camera"]["at"]
        self.browser.drag((x, y), (x + 60, y + 30))
        self.wait_report("a drag moves the picture", f"r.camera && Math.abs(r.camera.at[0] - {before[0]}) > 0.01")
        self.shot("zoomed")
        self.browser.double_click(x, y)
        self.wait_report("a double click shows all", "!r.camera")
        self.press("#zoom-in")
        self.wait_report("a button zooms", "r.camera && r.camera.zoom > 1")
        self.press("#zoom-reset")
        self.wait_report("a button shows all", "!r.camera")

    def glyph(self):
        """The place of a block of memory in the rings: in the window, and on the stage."""
        scene = json.loads(self.browser.js_later("whorlPage.scene().then(answer => arguments[0](answer.text))"))
        place = self.place("#stage")
        ratio = self.browser.js("return Math.min(devicePixelRatio, Math.sqrt(6e6 / (arguments[0] * arguments[1])))",
                                place["width"], place["height"])
        biggest = sorted(scene["resting"], key=lambda glyph: -glyph[2])[0]
        return place["left"] + biggest[0] / ratio, place["top"] + biggest[1] / ratio

    def picks(self, kind="mouse"):
        time.sleep(0.6)
        x, y = self.glyph()
        if kind == "mouse":
            self.browser.hover(x, y)
            self.wait("what is under the mouse is told",
                      "const tip = document.querySelector('#tip'); return !tip.hidden && tip.textContent.length > 3",
                      is_quiet=False)
            self.shot("tip")
        self.browser.click(x, y, kind)
        self.wait_report(f"a {'click' if kind == 'mouse' else 'tap'} picks a block", "r.picked.length > 0")
        if kind == "touch":
            self.check("a tap tells what is there", not self.browser.js("return document.querySelector('#tip').hidden"))
        self.shot("picked")

    def opens_tabs(self, view="memory"):
        minimum = {"figures": 60, "source": 40, "views": 40, "contents": 40, "try": 60, "predict": 60}
        for name, least in minimum.items():
            self.press(f"#tab-{name}")
            filled = self.wait(f"the tab {name} has content", """
                const panel = document.querySelector('#panel-' + arguments[0]);
                return !panel.hidden && panel.textContent.trim().length > arguments[1]""", name, least, is_quiet=False)
            if filled:
                time.sleep(0.3)
                self.look(f"tab-{name}")
        self.press("#tab-views")
        self.press(f'#views [data-key="view {view}"]')
        self.wait_report("a view is added", f"r.views.some(view => view.command === 'view {view}' && view.on)")
        self.calm()
        self.shot("two-views")
        self.press(f'#views [data-key="view {view}"]')
        self.wait_report("and taken away", f"!r.views.some(view => view.command === 'view {view}' && view.on)")

    def compares_figures(self, run, whorl, machine):
        """The figures at the end with those of whorl stats on a typed machine."""
        self.press("#seek-end")
        self.wait_report(f"{machine}: at the end", "r.at === r.end && r.working === null")
        stats = json.loads(subprocess.run([whorl, "stats", run, "-m", machine, "--kinds", "--utilization", "--json"],
                                          capture_output=True, text=True, check=True).stdout)
        self.has_figures(machine, stats)

    def has_figures(self, what, stats):
        expected = expected_figures(stats)
        self.wait_report(f"{what}: the kinds are counted", "!r.figures.rows.some(row => row.cells.includes('…'))")
        self.press("#tab-figures")
        shown = self.browser.js("""
            return [...document.querySelectorAll('#figures tbody tr')].map(row => [row.querySelector('th').textContent,
                [...row.querySelectorAll('td')].map(cell => cell.textContent)])""")
        wrong = [(words, cells, expected.get(words.strip())) for words, cells in shown
                 if [plain(cell) for cell in cells] != [plain(cell) for cell in expected.get(words.strip(), [])]]
        self.check(f"{what}: {len(shown)} rows of figures are those of whorl stats", len(shown) > 8 and not wrong,
                   wrong)

    def has_few_views(self):
        words = [view["word"] for view in self.report()["views"]]
        self.check("it has the rings and the tables of the caches", words and set(word.split(":")[0] for word in words) ==
                   {"rings", "table"}, words)

    def is_part(self, whorl, arguments):
        """A part of a run: its positions and figures are those of the whole."""
        run, first, last = arguments[0], int(arguments[4]), int(arguments[6])
        self.press("#seek-end")
        self.wait_report("at the end", "r.at === r.end && r.working === null")
        shown = self.browser.js("return [document.querySelector('#at').value, document.querySelector('#of').textContent]")
        self.check("positions are those of the whole run", plain(shown[0]) == str(last) and str(first) in plain(shown[1]),
                   shown)
        stats = subprocess.run([whorl, "stats", run, *arguments[1:7], "--kinds", "--utilization", "--json"],
                               capture_output=True, text=True, check=True).stdout
        self.has_figures("part", json.loads(stats))

    def is_figure(self):
        self.shot("figure")
        high, room = self.browser.js("return [document.documentElement.scrollHeight, innerHeight]")
        self.check("it has room", high <= room + 1, f"{high} pixels in {room}")
        self.check("it has no panels", self.browser.js("""
            return getComputedStyle(document.querySelector('#panels')).display === 'none'"""))
        self.check("it plays again and again", self.report()["loops"])

    def tries(self, run, whorl):
        own = self.report()["title"]
        for machine in ("laptop", "1K/2/32, 4K/4/32"):
            before = self.report()["machineWords"]
            self.press("#tab-try")
            self.type_into("#machine-text", machine)
            self.browser.keys("Enter")
            words = json.dumps(json.dumps(before, separators=(",", ":")))
            self.wait_report(f"the machine {machine} is tried",
                             f"JSON.stringify(r.machineWords) !== {words} && r.working === null")
            self.compares_figures(run, whorl, machine)
        self.press("#tab-try")
        for selector, error, words in (("#machine-text", "#machine-error", "nonsense"),
                                       ("#machine-text", "#machine-error", "L1.ways=banana"),
                                       ("#pattern-text", "#pattern-error", "for nonsense")):
            self.type_into(selector, words)
            if selector == "#pattern-text":
                self.press("#try-pattern .row button")
            else:
                self.browser.keys("Enter")
            self.wait(f"{words!r}: a sentence is under the field",
                      "return document.querySelector(arguments[0]).textContent.length > 20", error, is_quiet=False)
        self.look("refusals")
        self.type_into("#pattern-text", "for i in 0..9 { read A[7*i] }")
        self.press("#try-pattern .row button")
        self.wait_report("a pattern is tried", "r.end === 9 && r.original === false")
        self.calm()
        self.shot("pattern")
        self.press("#own")
        self.wait_report("the way back", f"r.title === {json.dumps(own)} && r.original && r.working === null")

    def finds(self):
        self.press("#tab-figures")
        self.type_into("#find-text", "B[3][0]")
        self.browser.keys("Enter")
        self.wait_report("an element is found", "r.picked.some(line => line.includes('B['))")
        self.type_into("#find-text", "zork")
        self.browser.keys("Enter")
        self.wait("or words say why not", "return document.querySelector('#find-error').textContent.includes('zork')",
                  is_quiet=False)
        self.shot("found")

    def predicts(self):
        self.press("#seek-start")
        self.press("#tab-predict")
        self.press('#predict [data-key="predict next"]')
        self.wait_report("an access is asked about", "r.predict && r.predict.parts.length > 0")
        self.check("and is not told", not self.report()["sentence"] and not self.report()["figures"])
        self.look("predict")
        for _ in range(6):
            left = self.browser.js("""
                const r = whorlPage.report.predict;
                if (!r || r.revealed) return null;
                const part = r.parts.find(part => !part.answers.some(answer => answer.chosen));
                return part ? part.answers[0].command : null""")
            if left is None:
                break
            self.press(f"#predict [data-key={json.dumps(left)}]")
            time.sleep(0.3)
        if not self.report()["predict"]["revealed"]:
            reveal = self.browser.js("return (whorlPage.report.predict.actions[0] || {}).command")
            self.press(f"#predict [data-key={json.dumps(reveal)}]")
        self.wait_report("it is graded", "r.predict && r.predict.revealed && r.predict.grade.length > 0")
        time.sleep(0.4)
        self.look("graded")
        self.press('#predict [data-key="predict-end"]')
        self.wait_report("it ends", "!r.predict")

    def follows_links(self, path):
        self.open(path, "#t=3915&zoom=4&at=0.2,-0.6&views=rings,memory")
        self.wait_report("a link goes to its moment", "Math.round(r.at) === 3915")
        self.wait_report("and to its views", "r.views.filter(view => view.on).map(view => view.word).join() === "
                                             "'rings,memory'")
        self.wait_report("and as near", "r.camera && Math.abs(r.camera.zoom - 4) < 0.1")
        self.check("and rests there", not self.report()["playing"])
        self.calm()
        self.shot("link")
        self.open(path, "#try=machine laptop;;set L1.ways=4&t=50%")
        self.wait_report("a link tries machines", "r.machineWords.join().includes('laptop') && "
                                                  "Math.abs(r.at / r.end - 0.5) < 0.01")
        self.press("#menu-open")
        self.press("#copy-link")
        self.wait("the link is copied", "return document.querySelector('#status-words').textContent.length > 3",
                  is_quiet=False)
        self.note("copying says: " + self.browser.js("return document.querySelector('#status-words').textContent"))

    def asks_for_help(self):
        self.browser.js("document.querySelector('#stage').focus({preventScroll: true})")
        self.browser.keys("?")
        self.check("? opens the help", self.browser.js("return document.querySelector('#help').open"))
        self.look("help")
        self.browser.keys("Escape")
        self.check("Escape closes it", not self.browser.js("return document.querySelector('#help').open"))
        ground = self.report()["ground"]
        self.press("#ground")
        self.wait_report("the ground changes", f"r.ground !== '{ground}'")
        time.sleep(0.3)
        self.look("other-ground")
        self.press("#ground")
        self.wait_report("and back", f"r.ground === '{ground}'")

    def touches(self):
        """On a phone: a tap picks, two fingers zoom, one moves what is near, and else scrolls the page."""
        self.picks("touch")
        place = self.place("#stage")
        x, y = place["x"], place["y"]
        self.browser.pinch(x, y, 60, 180)
        self.wait_report("two fingers zoom", "r.camera && r.camera.zoom > 2.4 && r.camera.zoom < 3.6")
        time.sleep(0.4)
        before = self.report()["camera"]["at"]
        self.browser.drag((x, y), (x - 60, y - 20), "touch")
        self.wait_report("one finger moves what is near", f"r.camera && Math.abs(r.camera.at[0] - {before[0]}) > 0.01")
        self.shot("pinched")
        self.press("#zoom-reset", "touch")
        self.wait_report("a tap shows all", "!r.camera")
        self.scrubs("touch")
        self.press("#play", "touch")
        self.wait_report("a tap plays", "r.playing")
        self.press("#play", "touch")
        self.wait_report("a tap pauses", "!r.playing")
        scrolls = self.browser.js("return document.scrollingElement.scrollHeight > innerHeight + 50")
        if self.browser.name == "chromium" and scrolls:
            self.browser.js("scrollTo(0, 0)")
            time.sleep(0.3)
            place = self.place("#stage")
            self.browser.js("scrollTo(0, 0)")
            self.browser.drag((place["x"], place["y"] + 60), (place["x"], place["y"] - 90), "touch")
            self.wait("one finger on the picture scrolls the page", "return scrollY > 20", is_quiet=False, patience=4)
            self.browser.js("scrollTo(0, 0)")

    # --- the other pages ---

    def tours(self):
        count = self.report()["tour"]["count"]
        answered = 0
        for step in range(count):
            self.wait(f"step {step + 1}", "return whorlPage.report.tour.scene === arguments[0]", step, is_quiet=False)
            self.calm()
            time.sleep(1)
            report = self.report()
            self.check(f"step {step + 1} has its words",
                       report["tour"]["words"] and "…" not in report["tour"]["words"] and not report["error"],
                       report["error"] or report["tour"]["words"][:200])
            if report["tour"]["question"]:
                self.wait("its answers are there",
                          "return document.querySelectorAll('#tour-words .answers button').length > 1")
                self.look(f"question-{step + 1}")
                self.check("while it asks, nothing is told", not report["figures"] and not report["sentence"])
                self.press("#tour-words .answers button:last-child")
                self.wait("an answer is graded", """
                    return whorlPage.report.tour.question.answered &&
                        document.querySelector('#tour-words [role=status]')""", is_quiet=False)
                answered += 1
                time.sleep(0.5)
                self.look(f"answer-{step + 1}")
            else:
                self.look(f"step-{step + 1}")
            if step + 1 < count:
                self.press("#tour-next")
        self.check("it asked", answered > 0)
        self.check("the last step has no next", self.browser.js("return document.querySelector('#tour-next').disabled"))
        self.press("#steps-open")
        self.look("steps")
        self.press("#steps a:nth-child(2)")
        self.wait("a click goes to a step", "return whorlPage.report.tour.scene === 1", is_quiet=False)
        self.wait("the address has it", "return location.hash.startsWith('#step=')", is_quiet=False)
        self.check("the list of steps closes", self.browser.js("return document.querySelector('#steps').hidden"))

    def compares(self):
        self.wait_report("two runs are there", "r.runs.length === 2")
        self.press("#forward")
        self.type_into("#at", "70%")
        self.browser.keys("Enter")
        self.wait_report("both go to a moment", "Math.abs(r.at / r.end - 0.7) < 0.01")
        self.calm()
        self.check("words compare them", len(self.report()["comparison"]) > 10, self.report()["comparison"])
        self.look("seventy")

    def embeds(self, folder, path):
        outer = folder / "embed.html"
        outer.write_text("<!DOCTYPE html><meta charset=utf-8><title>outer</title><p>A course page with a run in it:</p>"
                         f'<iframe src="{path.name}#embed" width=720 height=480 allow=fullscreen></iframe><p>And on.')
        self.browser.requests()
        self.browser.open(outer.as_uri())
        self.address = folder.as_uri()
        time.sleep(1)
        self.browser.into_frame(0)
        try:
            self.wait("a page within a page is ready", """
                return Boolean(document.documentElement.classList.contains('ready') && whorlPage.report)""",
                      is_quiet=False)
            self.check("it shows little", self.browser.js("""
                return getComputedStyle(document.querySelector('#panels')).display === 'none' &&
                    document.documentElement.classList.contains('embed')"""))
            high, room = self.browser.js("return [document.documentElement.scrollHeight, innerHeight]")
            self.check("it has room", high <= room + 1, f"{high} pixels in {room}")
        finally:
            self.browser.into_frame(None)
        self.shot("embed")


def prepared(whorl, folder, options):
    """The pages, by name."""
    paths = {}
    for name, arguments in PAGES.items():
        path = folder / f"{name}.html"
        done = subprocess.run([whorl, "page", *arguments, "-o", path], capture_output=True, text=True)
        if done.returncode != 0:
            if "without the player" in done.stderr:
                print("skipped: this Whorl writes no pages")
                sys.exit(SKIPPED)
            raise RuntimeError(done.stderr)
        if options.shell or options.player:
            page = PageFile(path)
            if options.player:
                page.with_player(options.player)
            if options.shell:
                page.with_shell(options.shell)
            path.write_text(page.text, encoding="utf-8")
        paths[name] = path
    return paths


def scenarios(reader, paths, whorl, folder):
    """Each: its name, the size and ground, and what is done."""
    run = PAGES["run"][0]

    def whole_run():
        reader.opening(paths["run"])
        reader.look("begin")
        reader.plays()
        reader.steps()
        reader.scrubs()
        reader.looks_closer()
        reader.picks()
        reader.opens_tabs()
        reader.tries(run, whorl)
        reader.finds()
        reader.predicts()
        reader.asks_for_help()
        reader.complaints()
        reader.follows_links(paths["run"])

    def part():
        reader.opening(paths["small"])
        reader.plays()
        reader.calm()
        reader.look("begin")
        reader.opens_tabs("table:0")
        reader.has_few_views()
        reader.is_part(whorl, PAGES["small"])
        reader.complaints()

    def figure():
        reader.opening(paths["figure"])
        reader.is_figure()
        reader.complaints()

    def small_run():
        reader.opening(paths["run"])
        reader.plays()
        reader.look("begin")
        reader.touches()
        reader.opens_tabs()
        reader.complaints()

    def tour():
        reader.opening(paths["tour"])
        reader.tours()
        reader.complaints()

    def comparison():
        reader.opening(paths["comparison"])
        reader.compares()
        reader.complaints()

    def views():
        reader.opening(paths["views"])
        reader.calm()
        reader.look("begin")
        reader.complaints()

    def parallel():
        reader.opening(paths["parallel"])
        reader.calm()
        reader.look("begin")
        reader.opens_tabs("table:0")
        reader.complaints()

    def embed():
        reader.embeds(folder, paths["run"])
        reader.complaints()

    return [("run desktop dark", DESKTOP, "dark", whole_run), ("run phone light", PHONE, "light", small_run),
            ("run tablet dark", TABLET, "dark", small_run), ("tour desktop light", DESKTOP, "light", tour),
            ("tour phone dark", PHONE, "dark", tour), ("comparison desktop light", DESKTOP, "light", comparison),
            ("comparison phone dark", PHONE, "dark", comparison), ("views desktop dark", DESKTOP, "dark", views),
            ("views phone light", PHONE, "light", views), ("views tablet light", TABLET, "light", views),
            ("part desktop light", DESKTOP, "light", part), ("part phone dark", PHONE, "dark", part),
            ("figure frame light", FRAME, "light", figure), ("parallel desktop light", DESKTOP, "light", parallel), ("embed desktop dark", DESKTOP, "dark", embed)]


def read_with(kind, whorl, folder, paths, options):
    """All scenarios in one browser; returns how many checks failed, or None where it cannot be driven."""
    try:
        browser = kind(folder)
    except FileNotFoundError as error:
        print(f"skipped: {error}")
        return None
    failed = 0
    try:
        print(f"{browser.name} {browser.version}")
        reader = Reader(browser, options.shots)
        for name, size, ground, scenario in scenarios(reader, paths, whorl, folder):
            if options.only and options.only not in name:
                continue
            reader.where = name
            try:
                browser.open("about:blank")
                browser.resize(*size, is_mobile=size in (PHONE, TABLET))
                browser.scheme(ground)
                browser.complaints()
                scenario()
            except (BrowserError, KeyError, TypeError, IndexError) as error:
                at = traceback.extract_tb(error.__traceback__)
                reader.check("to the end", False, f"{type(error).__name__}: {error}, line {at[-1].lineno}, in "
                             + ", ".join(frame.name for frame in at[-3:]))
        failed = reader.failed
        print(f"{browser.name}: {reader.done} checks, {failed} failed")
    finally:
        browser.end()
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("whorl")
    parser.add_argument("--browser", choices=["chromium", "firefox"], action="append")
    parser.add_argument("--shots", type=pathlib.Path)
    parser.add_argument("--shell", type=pathlib.Path)
    parser.add_argument("--player", type=pathlib.Path)
    parser.add_argument("--only", help="the scenarios whose names have this")
    options = parser.parse_args()
    if options.shots:
        options.shots.mkdir(parents=True, exist_ok=True)
    whorl = str(pathlib.Path(options.whorl).resolve())
    kinds = {"chromium": Chromium, "firefox": Firefox}
    with tempfile.TemporaryDirectory(prefix="whorl-browser-", ignore_cleanup_errors=True) as temporary:
        folder = pathlib.Path(temporary)
        paths = prepared(whorl, folder, options)
        results = [read_with(kinds[name], whorl, folder, paths, options) for name in options.browser or kinds]
    if all(result is None for result in results):
        return SKIPPED
    return 1 if any(results) else 0


if __name__ == "__main__":
    sys.exit(main())
