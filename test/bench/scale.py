#!/usr/bin/env python3
"""Measures how the cost of a manager grows with the number of its objects, on a keelson-sandbox:
scale.py MANAGER SANDBOX SVG COUNT... prints a row for each number of Memcacheds and draws the curves.

  create    from nothing to Ready, per object
  list      a start with all objects: until its caches are complete and every object was reconciled once, per object
  storm     5,000 annotations of Deployments by another user, per annotation
  reaction  from a change of size to the change of the Deployment, of 200 changes
  turns     of the event loop in all of these phases: 999 of 1,000 took at most the p99.9
Below each row are its ratios to the reference run (figures.py).
"""
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

from api_server import MERGE_PATCH, ApiServer, percentile
from figures import ratio, reference_of, store

MEMCACHEDS = "/apis/memcached.cache.example.com/v1/namespaces/default/memcacheds"
DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments"
STORM = 5000
ROUNDS = 200
LIMIT = 3600  # seconds that a phase may take


class Manager:
    """A manager in the background; the end of the `with` block stops it."""

    def __init__(self, program, log):
        self.metrics_address = f"127.0.0.1:{free_port()}"
        command = [program, "--zap-devel=false", "--controllers=memcached", "--max-concurrent-reconciles=8"]
        addresses = [f"--metrics-bind-address={self.metrics_address}", "--health-probe-bind-address=0", "--webhook-port=0"]
        self.process = subprocess.Popen(command + addresses, stderr=open(log, "w"))
        self.lags = []
        self.series = {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()

    def cpu(self):
        fields = open(f"/proc/{self.process.pid}/stat").read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def resident_mb(self):
        return int(re.search(r"VmRSS:\s+(\d+)", open(f"/proc/{self.process.pid}/status").read()).group(1)) / 1024

    def metrics(self):
        """The values of all series by name with labels; also notes the loop lag since the last call."""
        try:
            text = urllib.request.urlopen(f"http://{self.metrics_address}/metrics", timeout=60).read().decode()
        except OSError:
            return {}
        self.series = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
        self.lags.append(float(self.series.get("keelson_loop_lag_seconds", 0)) * 1000)
        return self.series

    def turns(self):
        """At the last call of metrics(): the number of turns up to each duration in ms."""
        pattern = re.compile(r'keelson_loop_turn_seconds_bucket\{le="(.+)"\}')
        found = ((pattern.fullmatch(name), count) for name, count in self.series.items())
        return {float(match.group(1)) * 1000: float(count) for match, count in found if match}

    def wait(self, what, holds):
        began = time.monotonic()
        while not holds(self.metrics()):
            if time.monotonic() - began > LIMIT or self.process.poll() is not None:
                sys.exit(f"scale.py: {what} did not happen")
            time.sleep(0.25)


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def create(connection, number):
    body = {"apiVersion": "memcached.cache.example.com/v1", "kind": "Memcached", "metadata": {"name": f"many-{number}"}, "spec": {"size": 1}}
    connection.send("POST", MEMCACHEDS, body)


def are_ready(count):
    ready = 'keelson_objects{condition="Ready",group="memcached.cache.example.com",kind="Memcached",status="True"}'
    return lambda series: float(series.get(ready, 0)) >= count


def reconciled(count):
    done = 'controller_runtime_reconcile_total{controller="memcached",result="success"}'
    return lambda series: float(series.get(done, 0)) >= count


def reaction(server):
    writer = server.connect()
    changes = server.connect().watch(DEPLOYMENTS)
    times, size = [], 1
    for _ in range(ROUNDS):
        size = 3 - size
        began = time.perf_counter()
        writer.send("PATCH", f"{MEMCACHEDS}/many-0", {"spec": {"size": size}}, MERGE_PATCH)
        next(change["object"] for change in changes if is_scaled(change["object"], size))
        times.append((time.perf_counter() - began) * 1000)
        time.sleep(0.02)
    return percentile(sorted(times), 0.5), percentile(sorted(times), 0.95)


def is_scaled(deployment, size):
    return deployment["metadata"]["name"] == "many-0" and deployment["spec"]["replicas"] == size


def quantile(turns, fraction):
    """As histogram_quantile() of Prometheus: the bucket that has it is linear."""
    wanted, lower, below = fraction * turns[float("inf")], 0, 0
    for bound, count in sorted(turns.items()):
        if count >= wanted:
            return lower if bound == float("inf") else lower + (bound - lower) * (wanted - below) / (count - below)
        lower, below = bound, count
    return lower


def measure(program, count, folder):
    server = ApiServer()
    log = os.path.join(folder, "manager.log")
    figures = {"objects": count}
    with Manager(program, log) as manager:
        manager.wait("the start", bool)
        server.in_parallel(create, count)
        manager.wait(f"that {count} are Ready", are_ready(count))
        figures["create us"] = manager.cpu() / count * 1e6
        lags, turns = manager.lags[1:], manager.turns()
    with Manager(program, log) as manager:
        manager.wait(f"that {count} are reconciled", reconciled(count))
        figures["list us"] = manager.cpu() / count * 1e6
        time.sleep(6)  # memory is released when the manager is idle
        figures["RSS MB"] = manager.resident_mb()
        before = manager.cpu()

        def annotate(connection, number):
            body = {"metadata": {"annotations": {"bench.example.com/note": str(number)}}}
            connection.send("PATCH", f"{DEPLOYMENTS}/many-{number % min(count, 500)}", body, MERGE_PATCH)
            if number % 500 == 0:
                manager.metrics()

        server.in_parallel(annotate, STORM)
        time.sleep(2)
        figures["storm us"] = (manager.cpu() - before) / STORM * 1e6
        figures["p50 ms"], figures["p95 ms"] = reaction(server)
        manager.metrics()
        lags += manager.lags[1:]
        turns = {bound: count + turns[bound] for bound, count in manager.turns().items()}
    figures["p99.9 ms"] = quantile(turns, 0.999)
    figures["longest ms"] = max(lags)
    return figures


CURVES = [("create us", "CPU from nothing to Ready, µs per object"), ("list us", "CPU of a start, µs per object"),
          ("storm us", "CPU of an annotation by another user, µs"), ("RSS MB", "resident memory, MB"),
          ("p95 ms", "reaction to a change, p95 in ms"), ("p99.9 ms", "turns of the event loop, p99.9 in ms")]
WIDTH, HEIGHT, PER_ROW = 280, 190, 3


def draw(rows, path):
    """A small chart for each figure; the number of objects is on a logarithmic axis."""
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH * PER_ROW} {HEIGHT * 2}" font-family="sans-serif" font-size="11">',
             f'<rect width="{WIDTH * PER_ROW}" height="{HEIGHT * 2}" fill="white"/>']
    for place, (name, title) in enumerate(CURVES):
        left, top = place % PER_ROW * WIDTH + 30, place // PER_ROW * HEIGHT + 35
        width, height = WIDTH - 60, HEIGHT - 75
        most = max(row[name] for row in rows) * 1.1 or 1
        step = width / max(1, len(rows) - 1)
        points = [(left + step * index, top + height - row[name] / most * height) for index, row in enumerate(rows)]
        lines.append(f'<text x="{left}" y="{top - 17}">{title}</text>')
        lines.append(f'<path d="M{left} {top}V{top + height}H{left + width}" fill="none" stroke="#999"/>')
        lines.append(f'<polyline points="{" ".join(f"{x:.0f},{y:.0f}" for x, y in points)}" fill="none" stroke="#1f6feb" stroke-width="2"/>')
        for (x, y), row in zip(points, rows):
            lines.append(f'<circle cx="{x:.0f}" cy="{y:.0f}" r="3" fill="#1f6feb"/>')
            lines.append(f'<text x="{x:.0f}" y="{y - 7:.0f}" text-anchor="middle">{row[name]:.{0 if row[name] >= 100 else 1}f}</text>')
            lines.append(f'<text x="{x:.0f}" y="{top + height + 15}" text-anchor="middle" fill="#555">{row["objects"]:,}</text>')
    lines.append("</svg>\n")
    with open(path, "w") as file:
        file.write("\n".join(lines))


def main():
    program, sandbox, path, counts = sys.argv[1], sys.argv[2], sys.argv[3], [int(text) for text in sys.argv[4:]]
    rows = []
    for count in counts:
        with tempfile.TemporaryDirectory() as folder:
            kubeconfig = os.path.join(folder, "kubeconfig")
            server = subprocess.Popen([sandbox, "--kubeconfig-out", kubeconfig], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                while not os.path.exists(kubeconfig):
                    time.sleep(0.05)
                os.environ["KUBECONFIG"] = kubeconfig
                subprocess.run([program, "install"], check=True, stdout=subprocess.DEVNULL)
                rows.append(measure(program, count, folder))
            finally:
                server.kill()
                server.wait()
        if len(rows) == 1:
            print("".join(f"{name:>11}" for name in rows[0]))
        row = {name: value for name, value in rows[-1].items() if name != "objects"}
        reference = reference_of(f"scale {count}")
        print(f"{count:11}" + "".join(f"{value:11.1f}" for value in row.values()))
        print(f"{'ratio':>11}" + "".join(f"{ratio(value, reference.get(name)):>11}" for name, value in row.items()), flush=True)
        store(f"scale {count}", row)
    draw(rows, path)


main()
