#!/usr/bin/env python3
"""scripts/compare finds each kind of difference between two replies, and generates the same requests for the same seed."""

import json
import random
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

import built_in  # noqa: E402
import mutations  # noqa: E402
from differences import differences  # noqa: E402
from servers import Reply, Request  # noqa: E402

REQUEST = Request("POST", "/api/v1/namespaces/a/pods", {"metadata": {"name": "a"}, "spec": {"x": 1}}, kind="Pod")
UIDS = ("6a1b7e5c-0d5d-4a53-9d2b-0f7ac2a9b001", "6a1b7e5c-0d5d-4a53-9d2b-0f7ac2a9b002")


def pod(uid=UIDS[0], version="1", **spec):
    return json.dumps({"kind": "Pod", "metadata": {"name": "a", "uid": uid, "resourceVersion": version}, "spec": spec})


def invalid(*messages, reason="Invalid"):
    text = messages[0] if len(messages) == 1 else "[" + ", ".join(messages) + "]"
    return json.dumps({"kind": "Status", "status": "Failure", "reason": reason, "message": f'Pod "a" is invalid: {text}'})


def check(name, real, sandbox, *expected, warnings=()):
    found = differences(REQUEST, Reply(*real), Reply(*sandbox, warnings=list(warnings)))
    shown = [(difference.kind, difference.group) for difference in found]
    if shown != list(expected):
        sys.exit(f"{name}: {shown} instead of {list(expected)}")


def check_differences():
    check("uids and versions", (201, pod()), (201, pod(uid=UIDS[1], version="7")))
    check("status code", (201, pod()), (422, invalid("spec.x: Required value")),
          ("status code", "201 an object  INSTEAD OF  422 x: Required value"))  # fmt: skip
    check("reason", (400, invalid("x")), (400, invalid("x", reason="BadRequest")), ("reason", "Invalid  INSTEAD OF  BadRequest: invalid: x"))
    check("message", (422, invalid('a.b: Invalid value: "q: r": too long', "c: Required value")), (422, invalid("c: Required value")),
          ("message", "b: Invalid value: V: too long  INSTEAD OF  nothing"))  # fmt: skip
    check("order", (422, invalid("a: Required value", "b: no")), (422, invalid("b: no", "a: Required value")), ("order of messages", "order"))
    check("default", (201, pod(x=1, y=2)), (201, pod(x=1)), ("defaults", "Pod.spec.y only there"))
    check("pruning", (201, pod()), (201, pod(x=1)), ("pruning", "Pod.spec.x only here"))
    check("value", (201, pod(x=1)), (201, pod(x="1")), ("stored fields", "Pod.spec.x other value"))
    check("warning", (201, pod()), (201, pod()), ("warnings", "nothing  INSTEAD OF  old"), warnings=['299 - "old"'])


def check_generated_names():
    request = Request("POST", "/api/v1/pods", {"metadata": {"generateName": "a-"}}, kind="Pod")
    replies = [Reply(422, json.dumps({"kind": "Status", "status": "Failure", "message": f'Pod "{name}" is invalid: b: no'}))
               for name in ("a-b4xk7", "a-9qz2p", "a-longer")]  # fmt: skip
    if differences(request, *replies[:2]) or not differences(request, replies[0], replies[2]):
        sys.exit("generated names in messages")


def document():
    """An OpenAPI document with the paths of all bodies, whose objects have only a number."""
    paths = {}
    for line in built_in.BODIES.read_text().splitlines():
        if line and not line.startswith("#"):
            gvk = {"group": "a", "version": "v1", "kind": "Thing"}
            body = {"name": "body", "schema": {"$ref": "#/definitions/Thing"}}
            paths[line.partition(" {")[0].split()[-1]] = {"post": {"x-kubernetes-group-version-kind": gvk, "parameters": [body]}}
    thing = {"type": "object", "properties": {"spec": {"type": "object", "properties": {"size": {"type": "integer", "minimum": 1}}}}}
    return {"paths": paths, "definitions": {"Thing": thing}}


def generated(seed):
    sequences = built_in.Generator(document(), seed, "compare").sequences()
    return [request for _ in range(100) for request in next(sequences)]


def check_requests():
    requests = generated(1)
    if requests != generated(1) or requests == generated(2):
        sys.exit("a seed does not select the requests")
    methods = {request.method for request in requests}
    if methods != {"POST", "PUT", "PATCH", "DELETE"}:
        sys.exit(f"the requests have only the methods {methods}")
    body = {"spec": {"size": 1, "list": [{"a": "b"}]}}
    for number in range(500):
        changed, about = mutations.mutated(random.Random(number), mutations.Schemas(), body, {})
        if not about or body != {"spec": {"size": 1, "list": [{"a": "b"}]}}:
            sys.exit(f"the mutation {about} changed the original")
        json.dumps(changed)


check_differences()
check_generated_names()
check_requests()
