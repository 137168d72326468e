"""Names in anonymous namespaces: unique within a room, because a release compiles a room's files together."""

import re

from tree import room_of, say

ANONYMOUS = re.compile(r"^namespace \{$(.*?)^\}  // namespace$", re.S | re.M)
TYPE = re.compile(r"^(?:class|struct|enum class|enum)\s+(\w+)\b")
ALIAS = re.compile(r"^(?:using|namespace)\s+(\w+) = (.*)")
CONSTANT = re.compile(r"^(?:static |inline |constexpr |const )+[^\n(=;{]*?\b(\w+)(?:\[\w*\])?(?: = |\{|;|\()")
FUNCTION = re.compile(r"^(?=\w)(?!class |struct |enum |using |template|namespace |constexpr auto k|return )[\w:<>,&*\[\] ]+?\b(\w+)\(([^()]*(?:\([^()]*\)[^()]*)*)\)")


def check(tree):
    seen, aliases = {}, {}
    findings = []
    for file in sorted(tree.files.values(), key=lambda f: f.path):
        room = room_of(file.path)
        if room is None or not file.path.startswith("src/") or not file.path.endswith(".cpp"):
            continue
        for line, name, shown, meaning in names_of(file):
            # A repeated alias with the same meaning is allowed.
            if meaning and aliases.setdefault((room, name), meaning) == meaning:
                continue
            first = seen.setdefault((room, name), file.path)
            if first != file.path:
                findings.append(say(file.path, line, "name",
                                    f"{shown} is also in {first}, and a release compiles a room's files together: "
                                    "move it to a header of the room, or rename this one"))
    return findings


def names_of(file):
    """(line, key, name, meaning of an alias) of the definitions at the outermost level of a file's anonymous namespaces."""
    for block in ANONYMOUS.finditer(file.text):
        offset = block.start(1)
        for text in file.code[offset:block.end(1)].split("\n"):
            alias = ALIAS.match(text)
            key = alias.group(1) if alias else key_of(text)
            if key:
                yield file.line_of(offset), key, key.split("(")[0], alias.group(2) if alias else None
            offset += len(text) + 1


def key_of(text):
    for pattern in (TYPE, CONSTANT):
        found = pattern.match(text)
        if found:
            return found.group(1)
    found = FUNCTION.match(text)
    # Functions with different parameters may have the same name.
    return f"{found.group(1)}({types_of(found.group(2))})" if found else None


def types_of(parameters):
    return ",".join(re.sub(r"\s*\b\w+$", "", p.strip()) if re.search(r"[\w>&*] \w+$|[&*]\w+$", p.strip()) else p.strip()
                    for p in parameters.split(","))
