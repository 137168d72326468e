#!/usr/bin/env python3
"""Annotates Deployments as another user would: events.py NAMESPACE UPDATES. Every Deployment of the namespace in turn,
with four connections, each time with a new value."""
import sys
import threading

from api_server import MERGE_PATCH, ApiServer

CONNECTIONS = 4


def main():
    namespace, updates = sys.argv[1], int(sys.argv[2])
    server = ApiServer()
    path = f"/apis/apps/v1/namespaces/{namespace}/deployments"
    names = [item["metadata"]["name"] for item in server.connect().send("GET", path)["items"]]
    failures = []

    def annotate(part):
        connection = server.connect()
        try:
            for number in range(part, updates, CONNECTIONS):
                body = {"metadata": {"annotations": {"bench.example.com/note": str(number)}}}
                connection.send("PATCH", f"{path}/{names[number % len(names)]}", body, MERGE_PATCH)
        except (OSError, RuntimeError) as error:
            failures.append(error)

    threads = [threading.Thread(target=annotate, args=(part,)) for part in range(CONNECTIONS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        sys.exit(f"events.py: {failures[0]}")


main()
