#!/usr/bin/env python3
"""Drives the program through its socket, for control_test.sh.

  control_client.py SOCKET ask        writes the lines of standard input, prints the answers
  control_client.py SOCKET clients    several clients: turns, one too many, one that does not read, one that leaves
  control_client.py SOCKET latency    prints the median time of an answer of the idle window, in milliseconds
"""
import json
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
        self.socket.sendall(line.encode() + b"\n")

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


def latency(path):
    client = Client(path)
    times = []
    for i in range(21):
        time.sleep(0.3)  # it sleeps
        begin = time.monotonic()
        expect("ok", client.ask(f"seek {i}"))
        times.append(1000 * (time.monotonic() - begin))
    print(round(sorted(times)[10]))


{"ask": ask, "clients": clients, "latency": latency}[sys.argv[2]](sys.argv[1])
