#!/usr/bin/env python3
"""Damages the data file of a keelson-sandbox: damage.py PROGRAM [KILLS] [SEED]

Kills the server KILLS times (default: 200) under four writers, and starts it twice as often on a copy of its files in
which one bit has changed: half of the copies were made after a proper end, the others after SIGKILL. Fails if an
acknowledged write is lost or changed and the server is ready nevertheless.
"""
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import threading
import time

from sandbox import CONFIG_MAPS, Server

WRITERS = 4
NAMES = 15  # of each writer
FILES = ["data", "data-wal", "data-wal", "data-total"]


class Writer(threading.Thread):
    """Creates, changes and deletes ConfigMaps until the server does not answer any more."""

    def __init__(self, number, server, known, seed):
        super().__init__()
        self.number, self.server, self.known = number, server, known
        self.random = random.Random(seed)
        self.in_flight = None  # the name and value of a write without a reply
        self.failure = None  # an exit of a thread does not end the program

    def run(self):
        connection = self.server.connect()
        try:
            while True:
                self.write(connection)
        except OSError:
            pass
        except Exception as error:  # http.client's errors about a reply that breaks off
            if "HTTPException" not in str(type(error).__mro__):
                raise

    def write(self, connection):
        name = f"w{self.number}-{self.random.randrange(NAMES)}"
        exists = self.known.get(name) is not None
        value = self.random.choice("abcdef") * self.random.choice([10, 300, 3000, 20000]) + str(self.random.random())
        if exists and self.random.random() < 0.2:
            value = None
        self.in_flight = (name, value)
        body = json.dumps({"metadata": {"name": name}, "data": {"text": value}}) if value else None
        verb = "DELETE" if value is None else "PUT" if exists else "POST"
        status, reply = self.server.ask(verb, CONFIG_MAPS + (f"/{name}" if exists else ""), body, connection)
        if status not in (200, 201):
            self.failure = f"{verb} {name}: {status} {reply[:500]}"
            raise OSError(self.failure)
        self.known[name] = value
        self.in_flight = None


def stored(server):
    items = json.loads(server.ask("GET", CONFIG_MAPS)[1])["items"]
    return {item["metadata"]["name"]: item["data"]["text"] for item in items}


def difference(found, known, in_flight):
    """The first object that is neither as it was acknowledged nor as a write without a reply made it."""
    for name in sorted({*found, *known}):
        value = found.get(name)
        if value != known.get(name) and (name, value) not in in_flight:
            return f"{name}: {str(value)[-30:]} instead of {str(known.get(name))[-30:]}"
    return None


def has_content(path):
    return os.path.exists(path) and os.path.getsize(path) > 0


def start(program, folder):
    return Server(program, folder, "--data=" + os.path.join(folder, "data"))


def try_damaged(program, folder, token, known, in_flight, dice):
    """Returns "rejected" or "complete"; ends the program if writes are missing."""
    with tempfile.TemporaryDirectory() as copy:
        for file in os.listdir(folder):
            if file in FILES:
                shutil.copy(os.path.join(folder, file), copy)
        # Half of the changes after SIGKILL are in the WAL, which is empty if there was no write yet.
        file = dice.choice([file for file in FILES if has_content(os.path.join(copy, file))])
        path = os.path.join(copy, file)
        content = bytearray(open(path, "rb").read())
        # The frames of a WAL are written from the beginning, so its end is often from before the last checkpoint.
        at = dice.randrange(dice.choice([len(content), min(len(content), 200_000)]))
        content[at] ^= 1 << dice.randrange(8)
        open(path, "wb").write(content)
        try:
            with start(program, copy) as server:
                wrong = difference(stored(server), known, in_flight)
                if server.token != token:
                    wrong = "the token has changed"
        except SystemExit as rejected:
            if os.path.join(copy, "data") not in str(rejected):
                sys.exit(f"{file}, byte {at}: the error does not name the file: {rejected}")
            return "rejected"
        if wrong:
            sys.exit(f"{file}, byte {at}: {wrong}")
        return "complete"


def write_and_end(program, folder, known, in_flight, number, dice):
    """Checks what is stored, and writes until the server is killed, or stops properly. Returns the token."""
    with start(program, folder) as server:
        found = stored(server)
        wrong = difference(found, known, in_flight)
        if wrong:
            sys.exit(f"life {number}: {wrong}")
        known.clear()
        known.update(found)
        writers = [Writer(writer, server, known, dice.random()) for writer in range(WRITERS)]
        for writer in writers:
            writer.start()
        time.sleep(dice.uniform(0.01, 0.25))
        end = signal.SIGTERM if number % 2 else signal.SIGKILL
        server.process.send_signal(end)
        for writer in writers:
            writer.join()
        code = server.process.wait()
        failures = [writer.failure for writer in writers if writer.failure]
        if failures or code != (0 if end == signal.SIGTERM else -signal.SIGKILL):
            sys.exit(f"life {number}: exit code {code}; {failures}")
        in_flight[:] = [writer.in_flight for writer in writers if writer.in_flight]
        return server.token


def main():
    program = sys.argv[1]
    kills = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    dice = random.Random(seed)
    known, in_flight = {}, []
    counts = {"after SIGKILL": [0, 0], "after SIGTERM": [0, 0]}
    with tempfile.TemporaryDirectory() as folder:
        for number in range(2 * kills):
            token = write_and_end(program, folder, known, in_flight, number, dice)
            result = try_damaged(program, folder, token, known, in_flight, dice)
            counts["after SIGTERM" if number % 2 else "after SIGKILL"][result == "rejected"] += 1
    print(f"{kills} kills (seed {seed}): every acknowledged write was there at the next start")
    for moment, (complete, rejected) in counts.items():
        print(f"a changed bit in files {moment}: {rejected} times rejected, {complete} times harmless")


if __name__ == "__main__":
    main()
