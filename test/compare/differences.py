"""What differs between two replies to one request."""

import collections
import datetime
import json
import re
from dataclasses import dataclass

UID = re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b")
TIME = re.compile(r"\b(\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d(\.\d+)?Z")
VERSION = re.compile(r'(\\*"resourceVersion\\*": ?\\*"|in record \()\d+')
SELECTED_ADDRESSES = re.compile(r'(\\"clusterIPs?\\": ?\[?\\")[0-9a-f.:]+')
TOKEN_VOLUME = re.compile(r"\bkube-api-access-[a-z0-9]{5}\b")
BUILT_IN = re.compile(
    r"|apps|autoscaling|batch|policy|"
    r"(?:admissionregistration|apiextensions|apiregistration|authentication|authorization|certificates|coordination|discovery|"
    r"events|flowcontrol\.apiserver|networking|node|rbac\.authorization|resource|scheduling|storage)\.k8s\.io"
)
ASSIGNED = {"clusterIP", "clusterIPs", "nodePort", "healthCheckNodePort"}
# Of the kinds of differences in a report.
ORDER = ["status code", "reason", "message", "details", "defaults", "pruning", "stored fields", "managed fields", "warnings",
         "order of messages"]  # fmt: skip
# Lists whose order depends on the second in which an entry was written, or on nothing.
UNORDERED = {"managedFields", "resourceRules", "nonResourceRules"}
MISSING = "(absent)"
MOST_SHOWN = 1500  # characters of a value


@dataclass
class Difference:
    kind: str  # one of ORDER
    group: str  # equal for differences of one cause
    real: object
    sandbox: object


def normalized(request, reply):
    """The text of a reply without what no two servers have in common."""
    sent = request.text() + request.path
    today = datetime.datetime.now(datetime.timezone.utc).date()
    days = {str(today + datetime.timedelta(days=shift)) for shift in (-1, 0, 1)}

    def unless_sent(mark, condition=lambda found: True):
        return lambda found: found.group() if found.group() in sent or not condition(found) else mark

    text = UID.sub(unless_sent("<uid>"), reply.text)
    text = TIME.sub(unless_sent("<time>", lambda found: found.group(1) in days), text)
    text = VERSION.sub(r"\1<version>", TOKEN_VOLUME.sub("<token-volume>", text))
    text = SELECTED_ADDRESSES.sub(r"\1<assigned>", text)
    prefix = re.search(r'"generateName": ?"([^"]+)"', text)
    if prefix and reply.status < 300:
        text = re.sub(r'"name": ?"' + re.escape(prefix.group(1)) + r'[a-z0-9]{5}"', '"name":"<generated>"', text)
    prefix = generated_prefix(request)
    if prefix and reply.status >= 300:
        text = re.sub(r'(?<=")' + re.escape(prefix) + r'[a-z0-9]{5}(?=\\?")', "<generated>", text)
    try:
        return without_assigned(json.loads(text), sent)
    except ValueError:
        return text.strip()


def generated_prefix(request):
    """Of the name that a server generates for the object of a request; None if it has a name."""
    metadata = request.body.get("metadata") if isinstance(request.body, dict) else None
    prefix = metadata.get("generateName") if isinstance(metadata, dict) and not metadata.get("name") else None
    return prefix if isinstance(prefix, str) else None


def without_assigned(value, sent):
    """Without addresses and ports that the server has selected."""
    if isinstance(value, list):
        return [without_assigned(item, sent) for item in value]
    if not isinstance(value, dict):
        return value
    result = {}
    for key, child in value.items():
        if key in ASSIGNED and not is_sent(child, sent):
            child = "<assigned>"
        result[key] = without_assigned(child, sent)
        if key in UNORDERED and isinstance(child, list):
            result[key].sort(key=json.dumps)
    return result


def is_sent(value, sent):
    texts = value if isinstance(value, list) else [value]
    return all(str(text) == "None" or str(text) in sent for text in texts)


def template(message):
    """One message without names, values and numbers, so that messages of one rule are equal."""
    message = re.sub(r"^(?:[\w.-]*\.)?([\w-]+)(?:\[[^\]]*\])*: ", r"\1: ", message)
    message = re.sub(r'(?<=Invalid value: )(?:"(?:[^"\\]|\\.)*"|[^:]*)(?=: )', "V", message, flags=re.DOTALL)
    message = re.sub(r'"(?:[^"\\]|\\.)*"|\'[^\']*\'|`[^`]*`', '"…"', message, flags=re.DOTALL)
    message = re.sub(r'(?:"…", )+"…"', '"…"', message)
    message = re.sub(r"^\S+ \"…\" is invalid: ", "invalid: ", message)
    return re.sub(r"\d+", "N", message)[:250]


def group_of(messages):
    return " | ".join(sorted({template(message) for message in messages})[:4]) or "nothing"


def is_error(body):
    return isinstance(body, dict) and body.get("kind") == "Status" and body.get("status") == "Failure"


def message_of(body):
    return body.get("message", "") if isinstance(body, dict) else str(body)


def differences(request, real, sandbox):
    """All of them; empty if the replies are equal."""
    expected, found = normalized(request, real), normalized(request, sandbox)
    if real.status != sandbox.status:
        said = [f"{reply.status} {group_of(parts(body)) if is_error(body) else 'an object'}"
                for reply, body in ((real, expected), (sandbox, found))]
        return [Difference("status code", f"{said[0]}  INSTEAD OF  {said[1]}",
                           shown(real, expected), shown(sandbox, found))]
    result = []
    if is_error(expected) and is_error(found):
        result += differences_of_errors(expected, found)
    elif isinstance(expected, dict) and isinstance(found, dict):
        result += differences_of_objects(request, expected, found)
    elif expected != found:
        result.append(Difference("stored fields", "another type of reply", expected, found))
    warned = [sorted(warning_text(line) for line in reply.warnings) for reply in (real, sandbox)]
    if warned[0] != warned[1]:
        result.append(Difference("warnings", f"{group_of(warned[0])}  INSTEAD OF  {group_of(warned[1])}", *warned))
    return result


def shown(reply, body):
    return f"{reply.status} {message_of(body)}" if is_error(body) else f"{reply.status} {json.dumps(body)}"


def warning_text(line):
    return re.sub(r'^299 - "|"$', "", line)


def differences_of_errors(expected, found):
    if expected.get("reason") != found.get("reason"):
        group = f"{expected.get('reason')}  INSTEAD OF  {found.get('reason')}: {template(message_of(expected))}"
        return [Difference("reason", group, expected, found)]
    if message_of(expected) != message_of(found):
        kind = "order of messages" if sorted(parts(expected)) == sorted(parts(found)) else "message"
        missing = list((collections.Counter(parts(expected)) - collections.Counter(parts(found))).elements())
        extra = list((collections.Counter(parts(found)) - collections.Counter(parts(expected))).elements())
        group = "order" if kind != "message" else f"{group_of(missing)}  INSTEAD OF  {group_of(extra)}"
        return [Difference(kind, group, message_of(expected), message_of(found))]
    if expected != found:
        keys = [key for key in sorted({*expected, *found}) if expected.get(key) != found.get(key)]
        return [Difference("details", f"{', '.join(keys)} of: {template(message_of(expected))}", expected, found)]
    return []


def parts(body):
    """The single messages of an aggregated one."""
    message = message_of(body)
    message = re.sub(r"^\S+ \"[^\"]*\" is invalid: ", "", message)
    listed = re.fullmatch(r"\[(.*)\]", message, re.DOTALL)
    return re.split(r", (?=[\w.\[\]\"()<>-]+: )", listed.group(1)) if listed else [message]


def differences_of_objects(request, expected, found):
    result = []
    sent = request.body if isinstance(request.body, dict) else {}
    expected, found = dict(expected), dict(found)
    for body in (expected, found):
        body["metadata"] = dict(body.get("metadata") or {})
    managed = [body["metadata"].pop("managedFields", None) for body in (expected, found)]
    name = "custom" if is_custom(expected) else expected.get("kind")
    walk(name, [], expected, found, sent, result)
    if managed[0] != managed[1]:
        only = [sorted(owned(side) - owned(other)) for side, other in (managed, managed[::-1])]
        named = [", ".join(dict.fromkeys(generalized(path, name) for path in side)) or "nothing" for side in only]
        group = f"only there: {named[0]}  ONLY HERE: {named[1]}" if only[0] or only[1] else "order or form"
        result.append(Difference("managed fields", f"{name}: {group}"[:300],
                                 *(only if only[0] or only[1] else managed)))
    return result


def is_custom(body):
    return not BUILT_IN.fullmatch(str(body.get("apiVersion", "")).rpartition("/")[0])


def generalized(path, name):
    """A path of managed fields without keys of list items; of a custom object, only its last step."""
    path = re.sub(r"k:\{[^}]*\}|v:[^/]*", "*", path)
    return path if name != "custom" else "a container" if path.endswith("/.") else "a field" if "/" in path else path


def owned(managed):
    paths = set()

    def collect(entry, prefix, fields):
        for key, child in fields.items():
            paths.add(f"{entry}{prefix}/{key}")
            collect(entry, f"{prefix}/{key}", child)

    for item in managed or []:
        name = f"{item.get('manager')} {item.get('operation')} {item.get('subresource', '')}"
        paths.add(name)
        collect(name + " ", "", item.get("fieldsV1", {}))
    return paths


def walk(name, path, expected, found, sent, result):
    if expected == found:
        return
    if isinstance(expected, dict) and isinstance(found, dict):
        for key in {**expected, **found}:
            step = sent.get(key, MISSING) if isinstance(sent, dict) else MISSING
            walk(name, [*path, key], expected.get(key, MISSING), found.get(key, MISSING), step, result)
        return
    if isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        for index, pair in enumerate(zip(expected, found)):
            step = sent[index] if isinstance(sent, list) and index < len(sent) else MISSING
            walk(name, [*path, index], *pair, step, result)
        return
    steps = path if name != "custom" else path[:1] + path[1:2] * (path[0] == "metadata")
    where = "".join("[]" if isinstance(step, int) else "." + step for step in steps)
    if MISSING in (expected, found):
        kind = "defaults" if sent == MISSING else "pruning"
        side = "only there" if found == MISSING else "only here"
    else:
        kind, side = "stored fields", "other value"
    result.append(Difference(kind, f"{name}{where} {side}", expected, found))


def short(value):
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= MOST_SHOWN else text[:MOST_SHOWN] + "…"
