#!/usr/bin/env python3
"""Attacks a keelson-sandbox: sandbox_attacks.py PROGRAM

Another client reads a namespace all the time. Prints its slowest answer and the server's largest resident memory for each
attack, and fails if an answer takes longer than a second or the memory exceeds the sum of what docs/sandbox.md allows:

  names      ConfigMaps of 2.9 MB whose 75,625 keys have one value of libstdc++'s std::hash
  watches    300 watches that read nothing, while an object of 0.9 MB is changed 150 times
  history    one object of 0.9 MB is changed 1,500 times, and deleted
"""
import json
import multiprocessing
import os
import resource
import socket
import sys
import tempfile
import time

from sandbox import CONFIG_MAPS, TLS, Server

SLOWEST = 1.0  # seconds
MIB = 2**20
# The program with the objects of an attack, and what docs/sandbox.md, "Limits", allows in addition: the history; for watches
# also unsent replies and unread events.
OWN, HISTORY, REPLIES, EVENTS = 128 * MIB, 256 * MIB, 512 * MIB, 256 * MIB
PROCESSES = multiprocessing.get_context("fork")


def pairs_of_blocks(state, count):
    """Different texts of 16 bytes after which the state of libstdc++'s MurmurHash64A, which is `state` before, is zero.
    The second block of eight bytes is computed from the first, because each step of the hash can be inverted."""
    mask = 2**64 - 1
    factor, inverse = 0xC6A4A7935BD1E995, 0x5F7A0EA7E59B19BD

    def shifted(value):
        return value ^ (value >> 47)

    texts, number = [], 0
    while len(texts) < count:
        first = bytes(ord("a") + (number >> (4 * i) & 15) for i in range(8))
        number += 1
        after = (state ^ (shifted(int.from_bytes(first, "little") * factor & mask) * factor & mask)) * factor & mask
        second = (shifted(after * inverse & mask) * inverse & mask).to_bytes(8, "little")
        if all(0x20 < byte < 0x7F and byte not in b'"\\' for byte in second):
            texts.append((first + second).decode())
    return texts


def names_of_one_hash(root):
    """root * root texts of 32 bytes for which std::hash of libstdc++ returns the same."""
    seed, factor = 0xC70F6907, 0xC6A4A7935BD1E995
    ends = pairs_of_blocks(0, root)
    return [begin + end for begin in pairs_of_blocks(seed ^ (32 * factor % 2**64), root) for end in ends]


def read_all_the_time(server, is_over, answers, slowest):
    connection = server.connect()
    while not is_over.is_set():
        began = time.perf_counter()
        status, reply = server.ask("GET", "/api/v1/namespaces/default", connection=connection)
        slowest.value = max(slowest.value, time.perf_counter() - began)
        if status != 200:
            sys.exit(f"GET: {status} {reply[:500]}")
        answers.value += 1
        time.sleep(0.01)


def write(server, connection, method, path, body, *expected):
    status, reply = server.ask(method, path, body, connection)
    if status not in expected:
        sys.exit(f"{method} {path}: {status} {reply[:500]}")


def large(generation):
    return json.dumps({"metadata": {"name": "large"}, "data": {"text": f"{generation:04}" + "x" * 900_000}})


def attack_by_names(server):
    members = ",".join(f'"{name}":"b"' for name in names_of_one_hash(275))
    connection = server.connect()
    for place in ("data", "unknown"):
        body = '{"metadata":{"name":"names"},"' + place + '":{' + members + "}}"
        for _ in range(3):
            write(server, connection, "POST", CONFIG_MAPS, body, 201, 409, 422)
        write(server, connection, "DELETE", CONFIG_MAPS + "/names", None, 200, 404)


def attack_by_watches(server):
    request = (
        f"GET {CONFIG_MAPS}?watch=true HTTP/1.1\r\nHost: sandbox\r\nAuthorization: Bearer {server.token}\r\n\r\n"
    ).encode()
    watches = []
    for _ in range(300):
        plain = socket.socket()
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        plain.connect((server.host, server.port))
        watches.append(TLS.wrap_socket(plain))
        watches[-1].sendall(request)
    change_large_object(server, 150)


def attack_by_history(server):
    change_large_object(server, 1500)


def change_large_object(server, times):
    connection = server.connect()
    write(server, connection, "POST", CONFIG_MAPS, large(0), 201)
    for generation in range(times):
        write(server, connection, "PUT", CONFIG_MAPS + "/large", large(generation + 1), 200)
    write(server, connection, "DELETE", CONFIG_MAPS + "/large", None, 200)


def largest_memory(server):
    """VmHWM in bytes."""
    with open(f"/proc/{server.process.pid}/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM"))


def measure(program, name, attack, most_memory):
    """Whether the server kept its limits."""
    with tempfile.TemporaryDirectory() as folder, Server(program, folder) as server:
        is_over, answers, slowest = PROCESSES.Event(), PROCESSES.Value("i", 0), PROCESSES.Value("d", 0.0)
        reader = PROCESSES.Process(target=read_all_the_time, args=(server, is_over, answers, slowest))
        reader.start()
        began = time.perf_counter()
        try:
            attack(server)
        finally:
            is_over.set()
            reader.join()
        memory = largest_memory(server)
        print(
            f"{name:<8} {time.perf_counter() - began:6.1f} s   slowest of {answers.value} answers "
            f"{slowest.value * 1000:5.0f} ms   memory at most {memory / MIB:5.0f} MiB"
        )
        if reader.exitcode != 0 or answers.value == 0:
            sys.exit("the reader failed")
        return slowest.value <= SLOWEST and memory <= most_memory


def main():
    hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard_limit, hard_limit))
    kept = [
        measure(sys.argv[1], "names", attack_by_names, OWN),
        measure(sys.argv[1], "watches", attack_by_watches, OWN + HISTORY + REPLIES + EVENTS),
        measure(sys.argv[1], "history", attack_by_history, OWN + HISTORY),
    ]
    if not all(kept):
        sys.exit(f"a limit was exceeded: {SLOWEST:.0f} s for an answer, or the memory")


if __name__ == "__main__":
    main()
