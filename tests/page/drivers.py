"""Chromium by its WebDriver and Firefox by its Marionette, with one interface, and no library between.

Both take the commands of W3C WebDriver; input is real: it goes through the browser's own handling of events.
"""

import base64
import json
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

KEYS = {"Enter": "\ue007", "Tab": "\ue004", "Escape": "\ue00c", "Left": "\ue012", "Up": "\ue013", "Right": "\ue014",
        "Down": "\ue015", "Home": "\ue011", "End": "\ue010", "Space": " ", "Shift": "\ue008", "Control": "\ue009",
        "Backspace": "\ue003", "PageDown": "\ue00f"}


class BrowserError(Exception):
    """What a browser refused, in its words."""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Browser:
    """What both have in common; a command goes out in the way of the kind."""

    name = ""

    def command(self, name, parameters=None):
        raise NotImplementedError

    def open(self, address):
        self.command("Navigate", {"url": address})

    def js(self, script, *arguments):
        return self.command("ExecuteScript", {"script": script, "args": list(arguments)})

    def js_later(self, script, *arguments):
        """The script calls its last argument with the result."""
        return self.command("ExecuteAsyncScript", {"script": script, "args": list(arguments)})

    def picture(self, path):
        pathlib.Path(path).write_bytes(base64.b64decode(self.command("TakeScreenshot", {"full": False})))

    def act(self, *sources):
        self.command("PerformActions", {"actions": list(sources)})
        self.command("ReleaseActions", {})

    @staticmethod
    def pointer(actions, kind="mouse", finger=0):
        return {"type": "pointer", "id": f"{kind}{finger}", "parameters": {"pointerType": kind}, "actions": actions}

    @staticmethod
    def move(x, y, milliseconds=0):
        return {"type": "pointerMove", "x": round(x), "y": round(y), "duration": milliseconds, "origin": "viewport"}

    DOWN = {"type": "pointerDown", "button": 0}
    UP = {"type": "pointerUp", "button": 0}

    @staticmethod
    def rest(milliseconds):
        return {"type": "pause", "duration": milliseconds}

    def click(self, x, y, kind="mouse"):
        self.act(self.pointer([self.move(x, y), self.DOWN, self.rest(30), self.UP], kind))

    def double_click(self, x, y, kind="mouse"):
        once = [self.DOWN, self.rest(20), self.UP]
        self.act(self.pointer([self.move(x, y), *once, self.rest(60), *once], kind))

    def hover(self, x, y):
        self.act(self.pointer([self.move(x - 5, y - 5), self.move(x, y, 30)]))

    def drag(self, begin, end, kind="mouse", held=None):
        """In steps, as a hand does; with a key held."""
        steps = 8
        points = [(begin[0] + (end[0] - begin[0]) * i / steps, begin[1] + (end[1] - begin[1]) * i / steps)
                  for i in range(1, steps + 1)]
        actions = [self.move(*begin), self.DOWN, *(self.move(*point, 25) for point in points), self.rest(30), self.UP]
        sources = [self.pointer(actions, kind)]
        if held:
            quiet = [self.rest(0)] * (len(actions) - 1)
            sources = [{"type": "key", "id": "keys", "actions": [{"type": "keyDown", "value": KEYS[held]}, *quiet,
                                                                {"type": "keyUp", "value": KEYS[held]}]},
                       self.pointer([self.rest(0), *actions], kind)]
        self.act(*sources)

    def pinch(self, x, y, before, after):
        """Two fingers, so many pixels from each other."""
        steps = 8
        fingers = []
        for finger, side in enumerate((-0.5, 0.5)):
            gaps = [before + (after - before) * i / steps for i in range(steps + 1)]
            actions = [self.move(x + side * gaps[0], y), self.DOWN,
                       *(self.move(x + side * gap, y, 25) for gap in gaps[1:]), self.rest(20), self.UP]
            fingers.append(self.pointer(actions, "touch", finger))
        self.act(*fingers)

    def wheel(self, x, y, by):
        self.act({"type": "wheel", "id": "wheel", "actions": [
            {"type": "scroll", "x": round(x), "y": round(y), "deltaX": 0, "deltaY": by, "duration": 0,
             "origin": "viewport"}]})

    def keys(self, *names):
        """Each is pressed and let go; a text that is no name of a key is typed."""
        actions = []
        for name in names:
            for letter in [KEYS[name]] if name in KEYS else name:
                actions += [{"type": "keyDown", "value": letter}, {"type": "keyUp", "value": letter}]
        self.act({"type": "key", "id": "keys", "actions": actions})

    def into_frame(self, index):
        self.command("SwitchToFrame", {"id": index})


class Chromium(Browser):
    """Headless, by chromedriver. WebGL is painted by the CPU."""

    name = "chromium"
    PATHS = {"Navigate": ("POST", "url"), "ExecuteScript": ("POST", "execute/sync"),
             "ExecuteAsyncScript": ("POST", "execute/async"), "TakeScreenshot": ("GET", "screenshot"),
             "PerformActions": ("POST", "actions"), "ReleaseActions": ("DELETE", "actions"),
             "SwitchToFrame": ("POST", "frame"), "Devtools": ("POST", "goog/cdp/execute"), "Log": ("POST", "se/log")}

    def __init__(self, folder):
        driver, program = shutil.which("chromedriver"), shutil.which("chromium")
        if not driver or not program:
            raise FileNotFoundError("chromium or chromedriver is not installed")
        port = free_port()
        self.address = f"http://127.0.0.1:{port}"
        self.process = subprocess.Popen([driver, f"--port={port}"], stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        arguments = ["--headless=new", "--no-sandbox", "--no-first-run", "--use-angle=swiftshader",
                     "--enable-unsafe-swiftshader", "--hide-scrollbars", f"--user-data-dir={folder}/chromium"]
        wanted = {"pageLoadStrategy": "none", "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
                  "goog:chromeOptions": {"args": arguments, "binary": program}}
        for _ in range(100):
            try:
                made = self.ask("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
                break
            except urllib.error.URLError:
                time.sleep(0.1)
        else:
            raise BrowserError("chromedriver does not answer")
        self.session = made["sessionId"]
        self.version = made["capabilities"]["browserVersion"]
        self.ask("POST", f"/session/{self.session}/timeouts", {"script": 60000})

    def ask(self, method, path, parameters=None):
        body = json.dumps(parameters or {}).encode() if method == "POST" else None
        request = urllib.request.Request(self.address + path, body, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            value = json.load(error)["value"]
            raise BrowserError(value["message"].split("\n")[0]) from None

    def command(self, name, parameters=None):
        method, path = self.PATHS[name]
        return self.ask(method, f"/session/{self.session}/{path}", parameters)

    def devtools(self, name, **parameters):
        return self.command("Devtools", {"cmd": name, "params": parameters})

    def resize(self, width, height, is_mobile=False):
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, mobile=is_mobile,
                      deviceScaleFactor=2 if is_mobile else 1)
        self.devtools("Emulation.setTouchEmulationEnabled", enabled=is_mobile, maxTouchPoints=5 if is_mobile else 1)

    def scheme(self, name):
        self.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    # Now and then Chromium cannot show a canvas that a Worker has just resized: a frame is lost, and this is told.
    OWN = ("invalid mailbox name", "texture is not a shared image", "Attachment has zero size")

    def complaints(self):
        """Of the console, and of the page: since it was asked last."""
        return [entry["message"] for entry in self.command("Log", {"type": "browser"})
                if entry["level"] in ("SEVERE", "WARNING") and not any(own in entry["message"] for own in self.OWN)]

    def requests(self):
        """The addresses that were asked for since the last time."""
        asked = []
        for entry in self.command("Log", {"type": "performance"}):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                asked.append(message["params"]["request"]["url"])
        return asked

    def end(self):
        try:
            self.ask("DELETE", f"/session/{self.session}")
        finally:
            self.process.terminate()
            self.process.wait(20)


class Firefox(Browser):
    """On a display of its own, as headless it has no WebGL."""

    name = "firefox"

    def __init__(self, folder, scheme="dark"):
        program, server = shutil.which("firefox-esr") or shutil.which("firefox"), shutil.which("Xvfb")
        if not program or not server:
            raise FileNotFoundError("firefox or Xvfb is not installed")
        port = free_port()
        profile = pathlib.Path(tempfile.mkdtemp(prefix="firefox-", dir=folder))
        wanted = {
            "marionette.port": port, "webgl.force-enabled": True, "browser.shell.checkDefaultBrowser": False,
            "browser.startup.page": 0, "datareporting.policy.dataSubmissionEnabled": False,
            "toolkit.telemetry.reportingpolicy.firstRun": False, "app.update.disabledForTesting": True,
            "layout.css.prefers-color-scheme.content-override": 0 if scheme == "dark" else 1,
            "browser.aboutwelcome.enabled": False, "dom.w3c_touch_events.enabled": 1,
            "termsofuse.bypassNotification": True, "browser.tabs.inTitlebar": 0,
            "network.captive-portal-service.enabled": False, "network.connectivity-service.enabled": False,
        }
        (profile / "user.js").write_text("".join(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n"
                                                 for name, value in wanted.items()))
        reading, writing = os.pipe()
        screen = ["-screen", "0", "1600x1400x24", "-nolisten", "tcp"]
        self.display = subprocess.Popen([server, "-displayfd", str(writing), *screen], pass_fds=[writing],
                                        stderr=subprocess.DEVNULL)
        os.close(writing)
        with os.fdopen(reading) as told:
            number = told.readline().strip()
        environment = {**os.environ, "DISPLAY": f":{number}", "MOZ_ENABLE_WAYLAND": "0", "LIBGL_ALWAYS_SOFTWARE": "1",
                       "HOME": str(profile)}
        self.process = subprocess.Popen(
            [program, "--marionette", "--remote-allow-system-access", "--no-remote", "--profile", str(profile),
             "about:blank"],
            env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(600):
            try:
                self.socket = socket.create_connection(("127.0.0.1", port), timeout=120)
                break
            except OSError:
                time.sleep(0.1)
        else:
            raise BrowserError("Marionette does not answer")
        self.buffer = b""
        self.number = 0
        self.receive()
        made = self.send("WebDriver:NewSession", {"pageLoadStrategy": "none", "strictFileInteractability": False})
        self.version = made["capabilities"]["browserVersion"]
        self.send("WebDriver:SetTimeouts", {"script": 60000})
        self.seen = 0

    def receive(self):
        while b":" not in self.buffer:
            self.take()
        length, _, rest = self.buffer.partition(b":")
        self.buffer = rest
        while len(self.buffer) < int(length):
            self.take()
        message, self.buffer = self.buffer[:int(length)], self.buffer[int(length):]
        return json.loads(message)

    def take(self):
        more = self.socket.recv(1 << 16)
        if not more:
            raise BrowserError("Firefox is gone")
        self.buffer += more

    def send(self, name, parameters):
        self.number += 1
        text = json.dumps([0, self.number, name, parameters]).encode()
        self.socket.sendall(str(len(text)).encode() + b":" + text)
        _, _, error, result = self.receive()
        if error:
            raise BrowserError(f"{name}: {error['message']}")
        return result

    def command(self, name, parameters=None):
        result = self.send("WebDriver:" + name, parameters or {})
        return result["value"] if isinstance(result, dict) and set(result) == {"value"} else result

    def resize(self, width, height, is_mobile=False):
        """The window around the page is as large as is needed; it has a least width."""
        for _ in range(5):
            inner = self.js("return [innerWidth, innerHeight, outerWidth, outerHeight]")
            if inner is None:  # another page is being loaded
                time.sleep(0.3)
                continue
            if inner[:2] == [width, height]:
                return
            around = inner[2] - inner[0], inner[3] - inner[1]
            self.command("SetWindowRect", {"width": width + around[0], "height": height + around[1]})
            time.sleep(0.4)

    def scheme(self, name):
        self.system("Services.prefs.setIntPref('layout.css.prefers-color-scheme.content-override', arguments[0])",
                    0 if name == "dark" else 1)

    def system(self, script, *arguments):
        """A script with the rights of the browser itself."""
        self.send("Marionette:SetContext", {"value": "chrome"})
        try:
            return self.js(script, *arguments)
        finally:
            self.send("Marionette:SetContext", {"value": "content"})

    def complaints(self):
        """What the console has of pages, since it was asked last."""
        messages = self.system("""
            return Services.console.getMessageArray().filter(m => m instanceof Ci.nsIScriptError)
                .map(m => [m.sourceName || '', m.errorMessage])""")
        new, self.seen = messages[self.seen:] if self.seen <= len(messages) else messages, len(messages)
        return [f"{source[-60:]}: {words}" for source, words in new
                if source.startswith(("file:", "blob:", "data:"))]

    def requests(self):
        return self.js("return performance.getEntriesByType('resource').map(entry => entry.name)")

    def end(self):
        try:
            self.send("Marionette:Quit", {"flags": ["eForceQuit"]})
        except (OSError, BrowserError):
            pass
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
        self.display.terminate()
        self.display.wait(20)
