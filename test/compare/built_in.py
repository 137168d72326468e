"""Requests about built-in kinds, generated from the OpenAPI document of the real server."""

import copy
import json
import random
import time
import urllib.parse
from pathlib import Path

import mutations
from servers import Request, fail

BODIES = Path(__file__).parent / "bodies.txt"
MERGE, STRATEGIC = "application/merge-patch+json", "application/strategic-merge-patch+json"
JSON_PATCH, APPLY = "application/json-patch+json", "application/apply-patch+yaml"
ONLY_CREATED = ("Review", "Binding")
OBSERVED = ("CustomResourceDefinition", "APIService", "FlowSchema", "PriorityLevelConfiguration", "ValidatingAdmissionPolicy")
SETTLED_WITHIN = 2  # seconds
REQUESTS_OF_OBJECT = 9  # from its creation to its deletion


class Kind:
    def __init__(self, path, body, is_dry, document, namespace):
        post = document["paths"][path]["post"]
        about = post["x-kubernetes-group-version-kind"]
        self.path = path.replace("{namespace}", namespace)
        self.is_dry = is_dry
        self.body = json.loads(body.replace("{namespace}", namespace))
        self.kind = about["kind"]
        self.api_version = "/".join(filter(None, [about["group"], about["version"]]))
        name = next(entry["schema"]["$ref"] for entry in post["parameters"] if entry["name"] == "body").rsplit("/", 1)[1]
        self.schema = document["definitions"][name]

    def object(self, name):
        body = json.loads(json.dumps(self.body).replace("NAME", name))
        metadata = {"name": name, **body.pop("metadata", {})}
        if self.kind.endswith("Review"):
            metadata.pop("name")
        return {"apiVersion": self.api_version, "kind": self.kind, "metadata": metadata, **body}


def kinds(document, namespace, only):
    result = []
    for line in BODIES.read_text().splitlines():
        if line and not line.startswith("#"):
            marks, _, body = line.partition(" {")
            result.append(Kind(marks.split()[-1], "{" + body, marks.startswith("dry "), document, namespace))
    result = [kind for kind in result if not only or kind.kind in only or kind.api_version in only]
    return result or fail(f"no built-in kind or API version is named {' or '.join(only)}")


class Generator:
    def __init__(self, document, seed, namespace, only=None):
        self.dice = random.Random(seed)
        self.schemas = mutations.Schemas(document["definitions"])
        self.kinds = kinds(document, namespace, only)
        self.prefix = namespace

    def sequences(self):
        """Endless: the requests about one object, from its creation to its deletion."""
        number = 0
        while True:
            for kind in self.dice.sample(self.kinds, len(self.kinds)):
                number += 1
                yield list(self.sequence(kind, f"{self.prefix}-{number:05}"))

    def sequence(self, kind, name):
        """The second request creates the valid object, so that the others have one to change."""
        valid = kind.object(name)
        name = valid["metadata"].get("name", "")
        body, about = self.perhaps_mutated(kind, valid, 0.6)
        yield self.request("POST", kind, kind.path, body, "create: " + about, True)
        if kind.kind.endswith(ONLY_CREATED):
            return
        if self.dice.random() < 0.3:
            yield self.apply(kind, valid, f"{kind.path}/{name}", False, 0)
        else:
            yield self.request("POST", kind, kind.path, valid, "create: valid", False)
        writes = [self.update, self.merge, self.strategic, self.json_patch, self.apply]
        for write in self.dice.choices(writes, k=REQUESTS_OF_OBJECT - 3):
            yield write(kind, valid, f"{kind.path}/{name}", kind.is_dry or self.dice.random() < 0.4)
        yield self.delete(kind, f"{kind.path}/{name}")

    def perhaps_mutated(self, kind, body, share):
        if self.dice.random() >= share:
            return copy.deepcopy(body), "valid"
        return mutations.mutated(self.dice, self.schemas, body, kind.schema)

    def request(self, method, kind, path, body, about, is_dry, content_type="application/json", **query):
        if is_dry:
            query["dryRun"] = "All"
        if self.dice.random() < 0.3:
            query["fieldValidation"] = self.dice.choice(["Strict", "Warn", "Ignore"])
        query.setdefault("fieldManager", "compare")
        return Request(method, f"{path}?{urllib.parse.urlencode(query)}", body, content_type, about, kind.kind)

    def update(self, kind, valid, path, is_dry):
        body, about = self.perhaps_mutated(kind, valid, 0.8)
        return self.request("PUT", kind, path, body, "update: " + about, is_dry)

    def apply(self, kind, valid, path, is_dry, share=0.6):
        body, about = self.perhaps_mutated(kind, valid, share)
        more = {"force": "true"} if self.dice.random() < 0.5 else {}
        manager = self.dice.choice(["compare-apply", "compare-apply", "other"])
        return self.request("PATCH", kind, path, body, "apply: " + about, is_dry, APPLY, fieldManager=manager, **more)

    def part(self, kind, valid):
        """The changed part of a mutated body, as a client that patches sends it."""
        body, about = self.perhaps_mutated(kind, valid, 0.9)
        if body is None or about == "valid" or body == valid:
            return {"metadata": {"labels": {"patched": self.dice.choice(["a", "b"])}}}, "label"
        return changed_part(valid, body), about

    def merge(self, kind, valid, path, is_dry):
        body, about = self.part(kind, valid)
        return self.request("PATCH", kind, path, body, "merge patch: " + about, is_dry, MERGE)

    def strategic(self, kind, valid, path, is_dry):
        body, about = self.part(kind, valid)
        return self.request("PATCH", kind, path, body, "strategic patch: " + about, is_dry, STRATEGIC)

    def json_patch(self, kind, valid, path, is_dry):
        if self.dice.random() < 0.2:
            operation = self.dice.choice(BAD_OPERATIONS)
            return self.request("PATCH", kind, path, [operation], f"json patch: {operation}", is_dry, JSON_PATCH)
        body, about = self.perhaps_mutated(kind, valid, 0.9)
        return self.request("PATCH", kind, path, operations(valid, body), "json patch: " + about, is_dry, JSON_PATCH)

    def delete(self, kind, path):
        options = self.dice.choice(DELETE_OPTIONS)
        return self.request("DELETE", kind, path, {"apiVersion": "v1", "kind": "DeleteOptions", **options} if options else None,
                            f"delete: {json.dumps(options)}", False)  # fmt: skip


BAD_OPERATIONS = [
    {"op": "remove", "path": "/spec/none"}, {"op": "test", "path": "/metadata/name", "value": "x"}, {"op": "wrong", "path": "/a"},
    {"op": "replace", "path": "/kind", "value": "Other"}, {"op": "replace", "path": "/metadata/name", "value": "other"},
    {"op": "add", "path": "metadata", "value": {}}, {"op": "move", "from": "/none", "path": "/a"}, {"op": "remove", "path": "/metadata"},
    {"op": "replace", "path": "/metadata/uid", "value": "x"}, {"op": "add", "path": "/metadata/labels/x", "value": "y"},
]  # fmt: skip
DELETE_OPTIONS = [
    None, None, {}, {"propagationPolicy": "Background"}, {"propagationPolicy": "Foreground"}, {"propagationPolicy": "Orphan"},
    {"propagationPolicy": "Wrong"}, {"gracePeriodSeconds": 0}, {"gracePeriodSeconds": 5}, {"gracePeriodSeconds": -1},
    {"preconditions": {"uid": "wrong"}}, {"preconditions": {"resourceVersion": "1"}}, {"orphanDependents": True},
    {"orphanDependents": False, "propagationPolicy": "Orphan"}, {"dryRun": ["All"]}, {"dryRun": ["x"]}, {"unknownField": 1},
]  # fmt: skip


def changed_part(before, after):
    result = {}
    for key in {**before, **after}:
        if key not in after:
            result[key] = None
        elif isinstance(before.get(key), dict) and isinstance(after[key], dict):
            below = changed_part(before[key], after[key])
            if below:
                result[key] = below
        elif before.get(key) != after[key] or key not in before:
            result[key] = after[key]
    return result


def operations(before, after, path=""):
    result = []
    for key in {**before, **after}:
        step = f"{path}/{str(key).replace('~', '~0').replace('/', '~1')}"
        if key not in after:
            result.append({"op": "remove", "path": step})
        elif isinstance(before.get(key), dict) and isinstance(after[key], dict):
            result += operations(before[key], after[key], step)
        elif key not in before or before[key] != after[key]:
            result.append({"op": "add", "path": step, "value": after[key]})
    return result


def prepare(api, namespace):
    """The namespace of the objects, and the service account that pods there use."""
    for path, name in (("/api/v1/namespaces", namespace), (f"/api/v1/namespaces/{namespace}/serviceaccounts", "default")):
        api.ask(Request("POST", path, {"metadata": {"name": name}}))


def remove(api, path):
    """Whatever finalizers and grace period it has."""
    body = {"metadata": {"finalizers": None}}
    if api.ask(Request("PATCH", path, body, MERGE)).status == 404:
        return
    options = {"apiVersion": "v1", "kind": "DeleteOptions", "gracePeriodSeconds": 0, "propagationPolicy": "Background"}
    api.ask(Request("DELETE", path, options))


def settle(api, request, path, reply):
    """Waits until the API server has set the status of an object that it observes itself."""
    until = time.monotonic() + SETTLED_WITHIN
    while request.kind in OBSERVED and reply.status == 201 and not request.changes_nothing:
        status = api.get(path).get("status") or {}
        if status.get("conditions") or time.monotonic() > until:
            return
        time.sleep(0.01)


def run(comparison, document, seed, count, namespace, only):
    servers = (comparison.real, comparison.sandbox)
    generator = Generator(document, seed, namespace, only)
    for requests in generator.sequences():
        path = urllib.parse.urlsplit(requests[-1].path).path
        is_object = requests[-1].method == "DELETE"
        for request in [None] * is_object + requests[: count - comparison.asked] + [None] * is_object:
            if request:
                real, _ = comparison.ask(request)
                settle(comparison.real, request, path, real)
            else:
                for server in servers:
                    remove(server, path)
        if comparison.asked >= count:
            return
