"""Requests about the custom resource definitions and samples of public projects, as published and with one change each."""

import copy
import random
import sys
import time
import urllib.parse

import mutations
from servers import Request

DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
DEFINITION_SCHEMA = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition"
SERVED_WITHIN = 30  # seconds
SHARE_OF_DEFINITIONS = 0.25
# What is merged into a schema at a random place of a definition.
SCHEMA_CHANGES = [
    {"type": None}, {"type": "strin"}, {"type": "array"}, {"type": ""}, {"nullable": True}, {"default": 1}, {"default": {"a": 1}},
    {"default": None}, {"minimum": 5, "maximum": 1}, {"minLength": -1}, {"pattern": "["}, {"pattern": "(?=a)"}, {"format": "wrong"},
    {"enum": []}, {"enum": ["a", "a"]}, {"enum": [1, "a"]}, {"uniqueItems": True}, {"additionalProperties": False},
    {"additionalProperties": True}, {"additionalProperties": {"type": "string"}}, {"$ref": "#/a"}, {"items": {}}, {"oneOf": [{"type": "string"}]},
    {"anyOf": [{"required": ["a"]}, {"required": ["b"]}]}, {"not": {"required": ["a"]}}, {"allOf": [{"default": 1}]},
    {"x-kubernetes-int-or-string": True}, {"x-kubernetes-preserve-unknown-fields": True}, {"x-kubernetes-preserve-unknown-fields": False},
    {"x-kubernetes-embedded-resource": True}, {"x-kubernetes-list-type": "map"}, {"x-kubernetes-list-type": "set"},
    {"x-kubernetes-list-type": "wrong"}, {"x-kubernetes-list-map-keys": ["a"]}, {"x-kubernetes-map-type": "atomic"},
    {"x-kubernetes-validations": [{"rule": "true"}]}, {"x-kubernetes-validations": [{"rule": "self.none == 1"}]},
    {"x-kubernetes-validations": [{"rule": "self"}]}, {"x-kubernetes-validations": [{"rule": ""}]}, {"x-kubernetes-validations": [{"rule": "self =="}]},
    {"x-kubernetes-validations": [{"rule": "self == oldSelf", "message": "m"}]},
    {"x-kubernetes-validations": [{"rule": "true", "messageExpression": "1"}]},
    {"x-kubernetes-validations": [{"rule": "true", "reason": "Wrong"}]}, {"x-kubernetes-validations": [{"rule": "true", "fieldPath": ".none"}]},
    {"x-kubernetes-validations": [{"rule": "true", "message": "a\nb"}]}, {"x-kubernetes-validations": [{"rule": "oldSelf.hasValue()", "optionalOldSelf": True}]},
    {"maxItems": 3}, {"maxProperties": -1}, {"multipleOf": 0}, {"title": 1}, {"example": {"a": 1}}, {"externalDocs": {"url": "a"}},
    {"required": ["none"]}, {"required": []}, {"properties": {"a": {}}}, {"properties": {"a b": {"type": "string"}}}, {"description": 1},
]  # fmt: skip
# What is merged into the spec of a definition, or into its first version.
SPEC_CHANGES = [
    {"scope": "Wrong"}, {"scope": None}, {"group": "Wrong_"}, {"group": None}, {"preserveUnknownFields": True}, {"versions": []}, {"versions": None},
    {"names": None}, {"names": {"kind": "lower", "plural": "UPPER"}}, {"conversion": {"strategy": "Webhook"}}, {"conversion": {"strategy": "Wrong"}},
    {"conversion": {}}, {"conversion": {"strategy": "Webhook", "webhook": {"conversionReviewVersions": ["v1"]}}}, {"unknownField": 1},
    {"conversion": {"strategy": "Webhook", "webhook": {"conversionReviewVersions": ["v1"], "clientConfig": {"service": {"namespace": "a", "name": "b"}}}}},
    {"conversion": {"strategy": "Webhook", "webhook": {"conversionReviewVersions": ["v0"], "clientConfig": {"url": "http://a"}}}},
]  # fmt: skip
VERSION_CHANGES = [
    {"name": "V1!"}, {"name": None}, {"served": None}, {"served": False}, {"storage": False}, {"storage": None}, {"schema": None}, {"schema": {}},
    {"subresources": {"status": {}}}, {"subresources": {"scale": {"specReplicasPath": "spec.a", "statusReplicasPath": ".a"}}},
    {"subresources": {"scale": {"specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas"}}}, {"deprecated": True},
    {"deprecationWarning": "old"}, {"deprecated": True, "deprecationWarning": "old"}, {"additionalPrinterColumns": [{"name": "A", "type": "wrong", "jsonPath": ".a"}]},
    {"additionalPrinterColumns": [{"name": "A", "type": "string", "jsonPath": "a["}]}, {"additionalPrinterColumns": []},
    {"additionalPrinterColumns": [{"name": "", "type": "date", "jsonPath": ".a", "format": "wrong"}]}, {"selectableFields": [{"jsonPath": ".spec.none"}]},
    {"selectableFields": [{"jsonPath": "spec"}]}, {"selectableFields": []},
]  # fmt: skip


def merged(target, change):
    for key, value in copy.deepcopy(change).items():
        if value is None and key != "default":
            target.pop(key, None)
        else:
            target[key] = value


def schema_places(schema, places):
    """Every schema below this one."""
    if not isinstance(schema, dict):
        return places
    places.append(schema)
    for below in schema.get("properties", {}).values():
        schema_places(below, places)
    schema_places(schema.get("items"), places)
    schema_places(schema.get("additionalProperties"), places)
    return places


def changed_definition(dice, schemas, definition):
    where = dice.choice(["schema", "schema", "schema", "spec", "version", "any"])
    if where == "any":
        return mutations.mutated(dice, schemas, definition, {"$ref": "#/definitions/" + DEFINITION_SCHEMA}, 0.1)
    result = copy.deepcopy(definition)
    version = dice.choice(result["spec"]["versions"])
    if where == "schema":
        change = dice.choice(SCHEMA_CHANGES)
        places = schema_places(version.get("schema", {}).get("openAPIV3Schema", {}), [])
        # Half of the changes are near the root: there is little of what a definition says.
        merged(dice.choice(places[: dice.choice([3, 10, len(places)])] or [version]), change)
    else:
        change = dice.choice(SPEC_CHANGES if where == "spec" else VERSION_CHANGES)
        merged(result["spec"] if where == "spec" else version, change)
    return result, f"{where} {change}"


class Project:
    """The requests about one project, on both servers of two comparisons: as published, and changed."""

    def __init__(self, name, definitions, samples, published, changed, dice, schemas, namespace):
        self.name, self.published, self.changed = name, published, changed
        self.dice, self.schemas, self.namespace = dice, schemas, namespace
        self.definitions = {item["metadata"]["name"]: without_webhook(item) for item in definitions}
        self.samples = [sample for sample in map(self.prepared, samples) if sample]
        self.servers = (published.real, published.sandbox)

    def prepared(self, sample):
        """(path, body, schema) of a sample whose kind and version are defined."""
        group, _, version = str(sample.get("apiVersion", "")).partition("/")
        for definition in self.definitions.values():
            spec = definition["spec"]
            found = [entry for entry in spec["versions"] if entry["name"] == version and entry.get("served")]
            if spec["group"] == group and spec["names"]["kind"] == sample.get("kind") and found:
                scope = f"/namespaces/{self.namespace}" if spec["scope"] == "Namespaced" else ""
                body = {**sample, "metadata": dict(sample.get("metadata") or {})}
                body["metadata"].pop("namespace", None)
                schema = found[0].get("schema", {}).get("openAPIV3Schema", {})
                return f"/apis/{group}/{version}{scope}/{spec['names']['plural']}", body, schema
        return None

    def run(self, count):
        of_definitions = round(count * (SHARE_OF_DEFINITIONS if self.samples else 1))
        for definition in self.definitions.values():
            self.published.ask(self.create(DEFINITIONS, definition, "published definition", dry_run=True))
        definitions = list(self.definitions.values())
        for _ in range(of_definitions):
            body, about = changed_definition(self.dice, self.schemas, self.dice.choice(definitions))
            self.changed.ask(self.create(DEFINITIONS, body, about, dry_run=True))
        if not self.samples:
            return
        try:
            for definition in self.definitions.values():
                self.published.ask(self.create(DEFINITIONS, definition, "installed definition", dry_run=False))
            self.wait_until_served()
            for path, body, _ in self.samples:
                self.published.ask(self.create(path, body, "published sample", dry_run=True))
            for _ in range(count - of_definitions):
                path, body, schema = self.dice.choice(self.samples)
                body, about = mutations.mutated(self.dice, mutations.Schemas(), body, schema)
                self.changed.ask(self.create(path, body, about, dry_run=True))
        finally:
            for server in self.servers:
                for name in self.definitions:
                    server.ask(Request("DELETE", f"{DEFINITIONS}/{name}"))

    def create(self, path, body, about, dry_run):
        query = {"fieldManager": "compare"}
        if dry_run:
            query["dryRun"] = "All"
        validation = self.dice.choice([None, None, None, "Strict", "Ignore"])
        if validation and dry_run:
            query["fieldValidation"] = validation
        about = f"{self.name}: {about}"
        return Request("POST", f"{path}?{urllib.parse.urlencode(query)}", body, "application/json", about, str(body.get("kind")))

    def wait_until_served(self):
        """Until both servers answer for the kinds of the samples that they accepted."""
        for path in sorted({path for path, _, _ in self.samples}):
            for server in self.servers:
                name = path.split("/")[-1] + "." + path.split("/")[2]
                if server.ask(Request("GET", f"{DEFINITIONS}/{name}")).status != 200:
                    continue
                until = time.monotonic() + SERVED_WITHIN
                while server.ask(Request("GET", path)).status != 200:
                    if time.monotonic() > until:
                        print(f"compare: {path} is not served by {server.url.netloc}", file=sys.stderr)
                        break
                    time.sleep(0.05)


def without_webhook(definition):
    """There is no webhook to convert objects."""
    result = copy.deepcopy(definition)
    result.pop("status", None)
    if result["spec"].get("conversion", {}).get("strategy") == "Webhook":
        del result["spec"]["conversion"]
    return result


def run(projects, published, changed, document, seed, count, namespace, after_each):
    schemas = mutations.Schemas(document["definitions"])
    for number, (name, definitions, samples) in enumerate(projects):
        share = count * (number + 1) // len(projects) - count * number // len(projects)
        dice = random.Random(f"{seed} {name}")
        Project(name, definitions, samples, published, changed, dice, schemas, namespace).run(share)
        print(f"  {name}: {len(definitions)} definitions, {len(samples)} samples; equal until now: "
              f"{published.rate():.2f} % as published, {changed.rate():.2f} % changed", flush=True)  # fmt: skip
        after_each()
