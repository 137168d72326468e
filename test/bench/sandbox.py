#!/usr/bin/env python3
"""Measures a keelson-sandbox: sandbox.py PROGRAM [OBJECTS]

Prints the time to a ready server, the memory of OBJECTS ConfigMaps (default: 100,000) in relation to their JSON, the
longest turn of the loop while all of them are listed with 1,000 watches open (as root, with perf), and the time to open a
data file after ten times as many writes and kill -9.
"""
import http.client
import json
import multiprocessing
import os
import re
import resource
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import time

WATCHES = 1000
CLIENTS = 4
READY_WITHIN = 60  # seconds
TLS = ssl._create_unverified_context()  # the server is our own child, on the loopback interface
PROCESSES = multiprocessing.get_context("fork")
CONFIG_MAPS = "/api/v1/namespaces/default/configmaps"


class Server:
    """A keelson-sandbox in a folder of its own; the end of the `with` block kills it."""

    def __init__(self, program, folder, *flags):
        kubeconfig = os.path.join(folder, "kubeconfig")
        if os.path.exists(kubeconfig):
            os.remove(kubeconfig)
        began = time.perf_counter()
        self.process = subprocess.Popen(
            [program, "--kubeconfig-out", kubeconfig, "--no-controllers", *flags],
            stdout=subprocess.DEVNULL,
            stderr=open(os.path.join(folder, "log"), "a"),
        )
        while True:
            if self.process.poll() is not None or time.perf_counter() - began > READY_WITHIN:
                self.process.kill()
                sys.exit(f"{program} is not ready:\n" + open(os.path.join(folder, "log")).read())
            try:
                text = open(kubeconfig).read()
                self.host, port = re.search(r"server: https://([^:\s]+):(\d+)", text).groups()
                self.port = int(port)
                self.token = re.search(r"token: \"?([^\s\"]+)", text).group(1)
                if self.ask("GET", "/readyz")[0] == 200:
                    break
            except (OSError, AttributeError):
                pass
            time.sleep(0.001)
        self.ready_after = time.perf_counter() - began

    def headers(self):
        return {"Authorization": "Bearer " + self.token, "Content-Type": "application/json"}

    def connect(self):
        return http.client.HTTPSConnection(self.host, self.port, context=TLS, timeout=READY_WITHIN)

    def ask(self, method, path, body=None, connection=None):
        connection = connection or self.connect()
        connection.request(method, path, body, self.headers())
        reply = connection.getresponse()
        return reply.status, reply.read()

    def memory(self):
        """VmRSS in bytes."""
        with open(f"/proc/{self.process.pid}/status") as status:
            return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmRSS"))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


def config_map(number, generation):
    body = {"metadata": {"name": f"object-{number:06}"}, "data": {"text": "x" * 800, "generation": str(generation)}}
    return json.dumps(body)


def in_parallel(work, *arguments):
    """Runs work(client, *arguments) in a process for each client."""
    clients = [PROCESSES.Process(target=work, args=(number, *arguments)) for number in range(CLIENTS)]
    for client in clients:
        client.start()
    for client in clients:
        client.join()
        if client.exitcode != 0:
            sys.exit("a client failed")


def write(client, server, objects, generation):
    connection = server.connect()
    for number in range(client, objects, CLIENTS):
        path = CONFIG_MAPS if generation == 0 else f"{CONFIG_MAPS}/object-{number:06}"
        verb, code = ("POST", 201) if generation == 0 else ("PUT", 200)
        status, reply = server.ask(verb, path, config_map(number, generation), connection)
        if status != code:
            sys.exit(f"{verb} {path}: {status} {reply[:500]}")


def open_watches(server):
    """Watches of a kind that has no objects; each is read to the end of its headers."""
    sockets = []
    request = (
        "GET /api/v1/secrets?watch=true HTTP/1.1\r\nHost: sandbox\r\n" f"Authorization: Bearer {server.token}\r\n\r\n"
    )
    for _ in range(WATCHES):
        connection = TLS.wrap_socket(socket.create_connection((server.host, server.port)))
        connection.sendall(request.encode())
        sockets.append(connection)
    for connection in sockets:
        reply = connection.recv(65536)
        if b" 200 " not in reply.split(b"\r\n")[0]:
            sys.exit(f"a watch was rejected: {reply[:500]}")
    return sockets


def longest_turn(pid, work):
    """Runs work(). Returns the longest time in milliseconds from the end of an epoll_wait to the start of the next, or
    None if perf records none."""
    if not shutil.which("perf") or os.geteuid() != 0:
        work()
        return None
    with tempfile.NamedTemporaryFile() as data:
        events = "syscalls:sys_enter_epoll_wait,syscalls:sys_exit_epoll_wait"
        tracer = subprocess.Popen(
            ["perf", "record", "-q", "-p", str(pid), "-e", events, "-o", data.name], stderr=subprocess.DEVNULL
        )
        time.sleep(1)
        work()
        time.sleep(0.2)
        tracer.send_signal(signal.SIGINT)
        tracer.wait()
        lines = subprocess.run(
            ["perf", "script", "-i", data.name, "-F", "tid,time,event"], capture_output=True, text=True
        ).stdout
    turns, left = [], {}
    for thread, moment, event in re.findall(r"(\d+)\s+([\d.]+):\s+(\S+)", lines):
        if "exit" in event:
            left[thread] = float(moment)
        elif thread in left:
            turns.append(float(moment) - left[thread])
    return max(turns) * 1000 if turns else None


def measure_lists(program, folder, objects):
    with Server(program, folder) as server:
        idle = server.memory()
        print(f"ready after {server.ready_after * 1000:.0f} ms, {idle / 2**20:.1f} MiB")
        began = time.perf_counter()
        in_parallel(write, server, objects, 0)
        print(f"{objects} ConfigMaps created by {CLIENTS} clients in {time.perf_counter() - began:.1f} s")
        used = server.memory() - idle
        watches = open_watches(server)
        sizes, times = [], []

        def list_thrice():
            for _ in range(3):
                began = time.perf_counter()
                sizes.append(len(server.ask("GET", CONFIG_MAPS)[1]))
                times.append(time.perf_counter() - began)

        turn = longest_turn(server.process.pid, list_thrice)
        size = sizes[0]
        print(f"memory of the objects: {used / 2**20:.0f} MiB, {used / size:.2f} times their JSON")
        print(f"a list of all, {len(watches)} watches open: {min(times):.2f} to {max(times):.2f} s")
        print("longest turn of the loop meanwhile: " + (f"{turn:.1f} ms" if turn else "unknown: needs root and perf"))


def measure_data_file(program, folder, objects):
    flag = "--data=" + os.path.join(folder, "data")
    with Server(program, folder, flag) as server:
        began = time.perf_counter()
        for generation in range(10):
            in_parallel(write, server, objects, generation)
        seconds = time.perf_counter() - began
        print(f"{objects * 10} writes with --data in {seconds:.0f} s, {objects * 10 / seconds:.0f} a second")
    with Server(program, folder, flag) as server:
        page = json.loads(server.ask("GET", CONFIG_MAPS + "?limit=1")[1])
        found = len(page["items"]) + page["metadata"].get("remainingItemCount", 0)
        if found != objects:
            sys.exit(f"after kill -9 there are {found} objects instead of {objects}")
        print(f"after kill -9: ready after {server.ready_after:.2f} s")


def main():
    program = sys.argv[1]
    objects = int(sys.argv[2]) if len(sys.argv) > 2 else 100000
    hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard_limit, hard_limit))
    with tempfile.TemporaryDirectory() as folder:
        measure_lists(program, folder, objects)
    with tempfile.TemporaryDirectory() as folder:
        measure_data_file(program, folder, objects)


if __name__ == "__main__":
    main()
