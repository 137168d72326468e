#!/usr/bin/env python3
"""Measures the forms of a write at the API server: writes.py NAMESPACE ROUNDS prints the median of each in milliseconds,
for figures.py. The forms take turns, so that other load on the machine affects all of them."""
import sys
import time

from api_server import MERGE_PATCH, ApiServer, percentile

JSON_PATCH = {"Content-Type": "application/json-patch+json"}
APPLY = {"Content-Type": "application/apply-patch+yaml"}
PAUSE = 0.03  # seconds, in which the controllers of the server react to the previous write
MANAGER = "fieldManager=bench&force=true"


def deployment(name):
    labels = {"app": name}
    container = {"name": "memcached", "image": "memcached:1.6-alpine", "ports": [{"containerPort": 11211}]}
    template = {"metadata": {"labels": labels}, "spec": {"containers": [container]}}
    spec = {"replicas": 0, "selector": {"matchLabels": labels}, "template": template}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": name}, "spec": spec}


def service(name):
    spec = {"selector": {"app": name}, "ports": [{"port": 11211, "protocol": "TCP"}]}
    return {"apiVersion": "v1", "kind": "Service", "metadata": {"name": name}, "spec": spec}


def main():
    namespace, rounds = sys.argv[1], int(sys.argv[2])
    connection = ApiServer().connect()
    paths = {"Deployment": f"/apis/apps/v1/namespaces/{namespace}/deployments", "Service": f"/api/v1/namespaces/{namespace}/services"}
    times = {}

    def measure(label, *request):
        began = time.perf_counter()
        connection.send(*request)
        times.setdefault(label, []).append((time.perf_counter() - began) * 1000)

    for number in range(rounds):
        for body in (deployment(f"posted-{number}"), service(f"posted-{number}")):
            time.sleep(PAUSE)
            measure(f"create a {body['kind']} by POST, ms", "POST", paths[body["kind"]], body)
        for body in (deployment(f"applied-{number}"), service(f"applied-{number}")):
            time.sleep(PAUSE)
            target = f"{paths[body['kind']]}/applied-{number}"
            measure(f"create a {body['kind']} by apply, ms", "PATCH", f"{target}?{MANAGER}", body, APPLY)
        change(measure, connection, f"{paths['Deployment']}/applied-{number}", deployment(f"applied-{number}"))
    for label, values in times.items():
        print(f"{label}\t{percentile(sorted(values), 0.5):.2f}")


def change(measure, connection, path, desired):
    """Each form sets revisionHistoryLimit to another value, and all but apply require the version that was read."""

    def by_apply(_):
        desired["spec"]["revisionHistoryLimit"] = 2
        measure("change a Deployment by apply, ms", "PATCH", f"{path}?{MANAGER}", desired, APPLY)

    def by_merge_patch(current):
        body = {"metadata": {"resourceVersion": current["metadata"]["resourceVersion"]}, "spec": {"revisionHistoryLimit": 3}}
        measure("change a Deployment by merge patch, ms", "PATCH", path, body, MERGE_PATCH)

    def by_json_patch(current):
        test = {"op": "test", "path": "/metadata/resourceVersion", "value": current["metadata"]["resourceVersion"]}
        patch = [test, {"op": "replace", "path": "/spec/revisionHistoryLimit", "value": 4}]
        measure("change a Deployment by JSON patch, ms", "PATCH", path, patch, JSON_PATCH)

    def by_update(current):
        current["spec"]["revisionHistoryLimit"] = 5
        measure("change a Deployment by update, ms", "PUT", path, current)

    for write in (by_apply, by_merge_patch, by_json_patch, by_update):
        write_current(write, connection, path)


def write_current(write, connection, path):
    """Reads again after a conflict: the Deployment controller may have written the status since."""
    for _ in range(50):
        time.sleep(PAUSE)
        try:
            write(connection.send("GET", path))
            return
        except RuntimeError as error:
            if ": 409 " not in str(error) and ": 422 " not in str(error):
                raise
    sys.exit("writes.py: 50 conflicts in a row")


main()
