#!/usr/bin/env python3
"""Measures the start of the manager on a warm API server: start.py NAMESPACE NAME ROUNDS PROGRAM [FLAG...] prints the
median time from the start of the process to the creation of the Deployment of a Memcached that waits for it, for
figures.py."""
import subprocess
import sys
import time

from api_server import ApiServer, percentile


def main():
    namespace, name, rounds, command = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4:]
    server = ApiServer()
    path = f"/apis/apps/v1/namespaces/{namespace}/deployments"
    changes = server.connect().watch(path)
    times = []
    for number in range(rounds):
        began = time.perf_counter()
        with subprocess.Popen(command, stderr=subprocess.DEVNULL) as manager:
            next(change for change in changes if change["type"] == "ADDED" and change["object"]["metadata"]["name"] == name)
            times.append((time.perf_counter() - began) * 1000)
            # Its first status is written before it stops.
            time.sleep(0.3)
            manager.terminate()
        server.connect().send("DELETE", f"{path}/{name}")
        next(change for change in changes if change["type"] == "DELETED" and change["object"]["metadata"]["name"] == name)
    times.sort()
    print(f"median, ms\t{percentile(times, 0.5):.1f}\nfastest, ms\t{times[0]:.1f}")


main()
