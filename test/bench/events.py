#!/usr/bin/env python3
"""Annotates Deployments as another user would: events.py NAMESPACE UPDATES. Every Deployment of the namespace in turn,
with four connections, each time with a new value."""
import sys

from api_server import MERGE_PATCH, ApiServer


def main():
    namespace, updates = sys.argv[1], int(sys.argv[2])
    server = ApiServer()
    path = f"/apis/apps/v1/namespaces/{namespace}/deployments"
    names = [item["metadata"]["name"] for item in server.connect().send("GET", path)["items"]]

    def annotate(connection, number):
        body = {"metadata": {"annotations": {"bench.example.com/note": str(number)}}}
        connection.send("PATCH", f"{path}/{names[number % len(names)]}", body, MERGE_PATCH)

    server.in_parallel(annotate, updates)


main()
