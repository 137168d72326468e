"""Changes of JSON bodies, guided by their schema where it says something: the same for the same random numbers."""

import copy

LONG = "a" * 300
TEXTS = ["", "UPPER_case!", "a b", "-a", "a/b", LONG, "1", "true", "ünï", "a.b.c"]
NUMBERS = [-1, 0, 1, 65536, 2**31, 2**53 + 1, 1.5, 1e20]
QUANTITIES = ["1000m", "1024Mi", "0.5", "1e3", "1.0", "-1", "1 Gi", "abc", 1, "0"]
QUANTITY = "io.k8s.apimachinery.pkg.api.resource.Quantity"
INT_OR_STRING = "io.k8s.apimachinery.pkg.util.intstr.IntOrString"
# Texts that are likely to be valid for a field of this name.
HINTS = {
    "apiGroup": "apps", "apiVersion": "v1", "cidr": "10.0.0.0/8", "clusterIP": "None", "cpu": "100m", "host": "a.example.com",
    "hostIP": "127.0.0.1", "hostname": "h", "image": "nginx:1", "ip": "1.2.3.4", "key": "example.com/key", "kind": "Pod",
    "mountPath": "/mnt", "name": "a", "namespace": "default", "nodeName": "a", "operator": "In", "path": "/a",
    "schedule": "*/5 * * * *", "serviceAccountName": "default", "timeZone": "Etc/UTC", "topologyKey": "zone", "type": "a",
    "url": "https://example.com", "expression": "true", "driver": "csi.example.com", "request": "YQ==",
}  # fmt: skip


class Schemas:
    """Looks up references to the definitions of an OpenAPI v2 document."""

    def __init__(self, definitions=None):
        self.definitions = definitions or {}

    def resolve(self, schema):
        for _ in range(10):
            schema = schema or {}
            if "$ref" in schema:
                name = schema["$ref"].rsplit("/", 1)[1]
                schema = {**self.definitions.get(name, {}), "definition": name}
            elif len(schema.get("allOf", [])) == 1:
                schema = {**schema["allOf"][0], **{key: value for key, value in schema.items() if key != "allOf"}}
            else:
                break
        return schema

    def below(self, schema, key):
        schema = self.resolve(schema)
        if isinstance(key, int):
            return self.resolve(schema.get("items"))
        if key in schema.get("properties", {}):
            return self.resolve(schema["properties"][key])
        more = schema.get("additionalProperties")
        return self.resolve(more if isinstance(more, dict) else {})


def example(dice, schemas, schema, name, depth=0):
    """A value that the schema allows; whether the server does is another question."""
    schema = schemas.resolve(schema)
    if schema.get("enum"):
        return dice.choice(schema["enum"])
    if schema.get("definition") == QUANTITY:
        return dice.choice(QUANTITIES[:5])
    if schema.get("definition") == INT_OR_STRING or schema.get("x-kubernetes-int-or-string"):
        return dice.choice([1, "50%", "http"])
    kind = schema.get("type")
    if kind == "array":
        return [] if depth > 4 else [example(dice, schemas, schema.get("items"), name.rstrip("s"), depth + 1)]
    if kind == "object" or "properties" in schema:
        return example_object(dice, schemas, schema, depth)
    if kind == "boolean":
        return dice.random() < 0.5
    if kind in ("integer", "number"):
        low, high = schema.get("minimum", 1), schema.get("maximum", 100)
        return int(min(max(dice.choice([1, 2, 5, 10]), low), high))
    if schema.get("format") == "date-time":
        return dice.choice(["2026-01-01T00:00:00Z", "2026-01-01T02:00:00+02:00"])
    if schema.get("format") == "byte":
        return "YQ=="
    return HINTS.get(name, dice.choice(["a", "a.example.com", "example.com/a"]))


def example_object(dice, schemas, schema, depth):
    properties = schema.get("properties", {})
    if not properties:
        more = schema.get("additionalProperties")
        return {"a": example(dice, schemas, more, "value", depth + 1)} if isinstance(more, dict) else {}
    required = schema.get("required", [])
    optional = [key for key in sorted(properties) if key not in required]
    chosen = list(required) + (dice.sample(optional, min(len(optional), dice.choice([0, 1, 1, 2]))) if depth < 4 else [])
    return {key: example(dice, schemas, properties.get(key), key, depth + 1) for key in chosen}


def places(dice, schemas, body, schema, stop=0.2):
    """Descends at random: (container, key, schema of the value, path)."""
    container, path = body, []
    while True:
        keys = list(container) if isinstance(container, dict) else list(range(len(container)))
        if not path:
            keys = [key for key in keys if key not in ("apiVersion", "kind", "metadata", "status")] or ["metadata"]
        key = dice.choice(keys)
        value, below = container[key], schemas.below(schema, key)
        path.append(key)
        if not isinstance(value, (dict, list)) or not value or dice.random() < stop:
            return container, key, below, path
        container, schema = value, below


def drop(dice, schemas, container, key, schema):
    del container[key]


def set_wrong_type(dice, schemas, container, key, schema):
    others = [value for value in ("text", 7, True, {"a": 1}, ["a"], 1.5) if type(value) is not type(container[key])]
    container[key] = dice.choice(others)


def set_null(dice, schemas, container, key, schema):
    container[key] = None


def set_empty(dice, schemas, container, key, schema):
    value = container[key]
    container[key] = {} if isinstance(value, dict) else [] if isinstance(value, list) else "" if isinstance(value, str) else 0


def add_unknown(dice, schemas, container, key, schema):
    where = container[key] if isinstance(container[key], dict) else container
    if isinstance(where, list):
        where.append({"unknownField": 1})
    else:
        where["unknownField"] = dice.choice(["text", 1, None, {"a": []}])


def add_duplicate(dice, schemas, container, key, schema):
    where = container[key] if isinstance(container[key], list) and container[key] else container
    if isinstance(where, list):
        where.append(copy.deepcopy(dice.choice(where)))
    else:
        container[key] = [container[key], container[key]]


def set_out_of_range(dice, schemas, container, key, schema):
    value = container[key]
    if isinstance(value, bool) or isinstance(value, (dict, list)):
        return set_size_out_of_range(container, key, schema)
    if isinstance(value, (int, float)):
        limits = [schema[name] + step for name, step in (("minimum", -1), ("maximum", 1)) if name in schema]
        container[key] = dice.choice(limits * 4 + NUMBERS)
    else:
        sizes = ["x" * (schema["maxLength"] + 1)] if schema.get("maxLength", 10**6) < 5000 else []
        container[key] = dice.choice(sizes * 4 + TEXTS)
    return None


def set_size_out_of_range(container, key, schema):
    value = container[key]
    most = schema.get("maxItems", schema.get("maxProperties", 3))
    if isinstance(value, list) and value and most < 200:
        container[key] = [copy.deepcopy(value[index % len(value)]) for index in range(most + 1)]
    elif isinstance(value, dict) and value and most < 200 and "properties" not in schema:
        container[key] = {f"{next(iter(value))}{index}": next(iter(value.values())) for index in range(most + 1)}
    else:
        container[key] = type(value)()


def set_wrong_enum(dice, schemas, container, key, schema):
    container[key] = "NotOneOfThem" if isinstance(container[key], str) else "NotAnObject"


def set_quantity(dice, schemas, container, key, schema):
    container[key] = dice.choice(QUANTITIES)


def add_optional(dice, schemas, container, key, schema):
    where, about = container[key], schema
    properties = about.get("properties", {})
    if not isinstance(where, dict) or not properties:
        container[key] = example(dice, schemas, schema, str(key))
        return
    absent = [name for name in sorted(properties) if name not in where]
    if absent:
        name = dice.choice(absent)
        where[name] = example(dice, schemas, properties[name], name)


METADATA = [
    {"labels": {"a": "b c"}}, {"labels": {"-a": "b"}}, {"labels": {"a": LONG}}, {"labels": {"a": 1}}, {"labels": {"a": None}},
    {"annotations": {"UPPER/a b": "1"}}, {"annotations": {"a": ""}}, {"annotations": {}}, {"labels": {}}, {"finalizers": []},
    {"finalizers": ["example.com/a"]}, {"finalizers": ["bad finalizer"]}, {"finalizers": ["nodomain"]},
    {"ownerReferences": [{"apiVersion": "v1", "kind": "ConfigMap", "name": "o"}]},
    {"ownerReferences": [{"apiVersion": "v1", "kind": "ConfigMap", "name": "o", "uid": "u"}]},
    {"ownerReferences": [{"apiVersion": "v1", "kind": "Event", "name": "o", "uid": "u"}]},
    {"ownerReferences": [{"apiVersion": "v1", "kind": "A", "name": n, "uid": n, "controller": True} for n in ("a", "b")]},
    {"ownerReferences": []}, {"generation": 7}, {"uid": "mine"}, {"resourceVersion": "1"}, {"creationTimestamp": "2020-01-01T00:00:00Z"},
    {"selfLink": "/x"}, {"unknownField": 1}, {"managedFields": []}, {"namespace": "other"}, {"deletionTimestamp": "2020-01-01T00:00:00Z"},
    {"generateName": "UPPER"}, {"deletionGracePeriodSeconds": 3}, {"creationTimestamp": "no time"}, {"creationTimestamp": None},
]  # fmt: skip


def change_metadata(dice, schemas, container, key, schema):
    metadata = dice.choice(METADATA)
    container["metadata"] = {**(container.get("metadata") or {}), **copy.deepcopy(metadata)}


VALUES = [drop, set_wrong_type, set_null, set_empty, add_unknown, add_duplicate, set_out_of_range, set_wrong_enum]
WEIGHTED = VALUES + [set_out_of_range, set_null, drop, add_optional, add_optional, add_optional, add_optional]


def mutated(dice, schemas, body, schema, stop=0.2):
    """A copy of the body with one change, and what the change was."""
    result = copy.deepcopy(body)
    if dice.random() < 0.07:
        change_metadata(dice, schemas, result, None, schema)
        return result, "metadata " + ", ".join(set(map(str, result["metadata"])) - {"name"})
    container, key, below, path = places(dice, schemas, result, schema, stop)
    change = set_quantity if below.get("definition") == QUANTITY and dice.random() < 0.6 else dice.choice(WEIGHTED)
    change(dice, schemas, container, key, below)
    return result, change.__name__.replace("_", " ") + " " + ".".join(map(str, path))
