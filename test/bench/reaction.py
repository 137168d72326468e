#!/usr/bin/env python3
"""Measures how long the manager takes from a change of a Memcached to the change of its Deployment:
reaction.py NAMESPACE NAME ROUNDS prints p50 and p95 in milliseconds, as a client of the API server sees them, for
figures.py."""
import sys
import time

from api_server import MERGE_PATCH, ApiServer, percentile


def main():
    namespace, name, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])
    server = ApiServer()
    writer = server.connect()
    path = f"/apis/memcached.cache.example.com/v1/namespaces/{namespace}/memcacheds/{name}"
    size = writer.send("GET", path)["spec"]["size"]
    changes = server.connect().watch(f"/apis/apps/v1/namespaces/{namespace}/deployments")
    times = []
    for _ in range(rounds):
        size = 1 if size == 2 else 2
        began = time.perf_counter()
        writer.send("PATCH", path, {"spec": {"size": size}}, MERGE_PATCH)
        next(change for change in changes if is_scaled(change["object"], name, size))
        times.append((time.perf_counter() - began) * 1000)
        # The controller of Deployments and the write of our status end before the next round.
        time.sleep(0.1)
    times.sort()
    print(f"p50, ms\t{percentile(times, 0.5):.1f}\np95, ms\t{percentile(times, 0.95):.1f}")


def is_scaled(deployment, name, size):
    return deployment["metadata"]["name"] == name and deployment["spec"]["replicas"] == size


main()
