#!/usr/bin/env python3
"""Drives the program through its socket, for control_test.sh.

  control_client.py SOCKET ask        writes the lines of standard input, prints the answers
  control_client.py SOCKET clients    several clients: turns, one too many, one that does not read, one that leaves
  control_client.py SOCKET waits      what is given up, taken back or hidden is not waited for
  control_client.py SOCKET bursts     writes the lines of standard input in bursts with inputs and views among them, each
                                      ended by a wait that is answered
  control_client.py SOCKET latency    prints the median time of an answer of the idle window, in milliseconds
"""
import json
import random
import socket
import sys
import time

PATIENCE = 120


def connected(path):
    client = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    client.settimeout(PATIENCE)
    client.connect(path)
    return client


class Client:
    def __init__(self, path):
        self.socket = connected(path)
        self.lines = self.socket.makefile("rb")

    def write(self, line):
        self.socket.sendall(line.encode(errors="surrogateescape") + b"\n")

    def read(self):
        return self.lines.readline().decode().rstrip("\n")

    def close(self):
        self.lines.close()
        self.socket.close()

    def ask(self, line):
        self.write(line)
        return self.read()


def expect(wanted, got):
    if wanted != got:
        sys.exit(f"expected {wanted!r}, got {got!r}")


def ask(path):
    client = connected(path)
    client.sendall(sys.stdin.buffer.read())
    client.shutdown(socket.SHUT_WR)
    while data := client.recv(1 << 16):
        sys.stdout.buffer.write(data)


def clients(path):
    first, second = Client(path), Client(path)
    # Answers go to who asked, whoever came first.
    second.write("seek 7")
    first.write("state")
    expect("ok", second.read())
    json.loads(first.read())
    # A wait holds up one client, not the others; what it wrote afterwards comes afterwards.
    first.write("wait\nseek 9\nstate")
    expect("ok", second.ask("ground light"))
    expect("ok", first.read())
    expect("ok", first.read())
    expect(9, json.loads(first.read())["position"])
    # One that writes and does not read is held back by itself.
    greedy = connected(path)
    greedy.setblocking(False)
    written = 0
    try:
        while written < 1 << 26:
            written += greedy.send(b"state\n" * 1000)
    except BlockingIOError:
        pass
    else:
        sys.exit("a client that does not read can write without end")
    for i in range(20):
        expect("ok", second.ask(f"seek {i}"))
    # One that leaves in the middle of a line, or while it waits, harms nobody. Its half line is a line.
    gone = connected(path)
    gone.sendall(b"wait\nseek 12")
    gone.close()
    deadline = time.monotonic() + PATIENCE
    while json.loads(second.ask("state"))["position"] != 12:
        if time.monotonic() > deadline:
            sys.exit("the last line of a client that left is not done")
    # As many as are served, and one more.
    more = [Client(path) for _ in range(5)]
    for client in more:
        expect("ok", client.ask("seek 3"))
    expect("error: 8 clients are connected, as many as are served.", Client(path).read())
    more.pop().close()
    deadline = time.monotonic() + PATIENCE
    while True:
        client = Client(path)
        try:
            if client.ask("seek 4") == "ok":
                break
        except OSError:
            pass
        client.close()
        if time.monotonic() > deadline:
            sys.exit("the place of a client that left is not free")
        time.sleep(0.05)


def waits(path):
    def done(*lines):
        client.write("\n".join(lines))
        return [client.read() for _ in lines]

    client = Client(path)
    ok = ["ok"] * 5
    # A scene that is left while it comes in.
    expect(ok[:3], done("tour-add", "tour-close", "wait"))
    # A view that is hidden before its numbers are there; a picture is a frame in which they are asked for.
    expect(ok[:2], done("open matmul:n=100", "wait"))
    for view in ["memory", "source", "history", "cycles", "cache:0"]:
        expect(ok, done("seek 1000", "look-up B[3][0]", f"view-only {view}", "shot view.png", "view-only rings"))
        expect("ok", client.ask("wait"))
    # What is taken back at once has not begun; nor is the playhead waited for where its run is built no further.
    before = json.loads(client.ask("state"))["input"]
    expect(ok[:3], done('open "pattern:for i in 0..100000000 { read A[i] }"', "cancel", "wait"))
    expect(before, json.loads(client.ask("state"))["input"])
    expect(ok[:5], done("seek-end", "machine 1K/2/32", "shot view.png", "cancel", "wait"))
    # As many as are served leave while they wait.
    client.write("tour-open cache-basics\ntour-go 1")
    for _ in range(2):
        gone = [Client(path) for _ in range(7)]
        for other in gone:
            other.write("wait\nwait")
            other.close()
        other = Client(path)
        expect("ok", other.ask("seek 3"))
        other.close()
    expect(["ok", "ok", "ok", "ok"], [client.read(), client.read(), *done("tour-close", "wait")])


def bursts(path):
    chance = random.Random(1)
    client = Client(path)
    lines = sys.stdin.read().splitlines()
    often = ["open matmul:n=8", "open matmul:n=100", "machine paper", "machine 1K/2/32", "tour-open cache-basics",
             "tour-go 1", "tour-close", "tour-add", "cancel", "seek 50%", "view-only memory", "view-only block:0",
             "view-only cycles", "view-only rings", "shot picture.png", "play"]
    while lines:
        burst, lines = lines[:40], lines[40:]
        for _ in range(6):
            burst.insert(chance.randrange(len(burst)), chance.choice(often))
        client.write("\n".join([*burst, "wait"]))
        for line in [*burst, "wait"]:
            try:
                if not client.read():
                    sys.exit(f"the window is gone: {line}")
            except TimeoutError:
                sys.exit("not answered: " + line + "\nof\n" + "\n".join(burst))


def latency(path):
    client = Client(path)
    times = []
    for i in range(21):
        time.sleep(0.3)  # it sleeps
        begin = time.monotonic()
        expect("ok", client.ask(f"seek {i}"))
        times.append(1000 * (time.monotonic() - begin))
    print(round(sorted(times)[10]))


{"ask": ask, "clients": clients, "waits": waits, "bursts": bursts, "latency": latency}[sys.argv[2]](sys.argv[1])
