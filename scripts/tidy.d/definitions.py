"""The one-definition rule: a type, a function or an inline variable is defined in one file.

Two files that each define `keelson::kube::FieldChange` compile, and the linker then keeps only one of the functions that the
compiler made for both, such as those of `std::vector<FieldChange>`: the other file's objects are overwritten. Names in
anonymous namespaces and members of classes are free. `scripts/check-odr` finds what differs only after preprocessing.
"""

import re

from names import types_of
from tree import say

# A directive, with its further lines.
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.M)
ENDS = re.compile(r"[{};(]")
BRACKETS = re.compile(r"[(){}]")
NAMESPACE = re.compile(r"^(?:inline )?namespace(?: (?P<name>[\w:]+))?$")
TYPE = re.compile(r"^(?:class|struct|union|enum(?: class| struct)?) (?:(?:\[\[[^\]]*\]\]|alignas\([^)]*\)) ?)*(?P<name>[\w:]+(?: ?<.*>)?)(?: final)?(?: ?:(?!:).*)?$")
FUNCTION = re.compile(r"^(?P<before>[^(=]*?)\b(?P<name>operator ?(?:\(\)|[^\s(\w]+|\w+)|\w+) ?\((?P<parameters>[^()]*(?:\([^()]*\)[^()]*)*)\)(?P<after>[^=]*)$")
VARIABLE = re.compile(r"^inline (?:constexpr |const |constinit )*[\w:<>,&* ]+?\b(?P<name>\w+)(?:\[\w*\])?(?: ?=.*)?$")
# Each program has its own: main, and the functions that a program may replace.
FREE = re.compile(r"main|operator (?:new|delete)")


def check(tree):
    findings, library, programs = [], {}, {}
    for file in sorted(tree.files.values(), key=lambda f: (f.path.startswith("test/"), f.path)):
        program = program_of(file.path)
        if program is None:
            continue
        known = programs.setdefault(program, {}) if program else library
        for offset, name in definitions_of(file):
            first = library.get(name) or known.setdefault(name, file.path)
            if first != file.path:
                findings.append(say(file.path, file.line_of(offset), "one-definition",
                                    f"{name} is also defined in {first}: rename one, or move it to an anonymous namespace"))
    return findings


def program_of(path):
    """The folder of a test program; "" for what any program may link, None for programs of one file."""
    parts = path.split("/")
    if parts[0] != "test" or parts[1] == "support":
        return ""
    return None if parts[1] in ("install", "compile", "fuzz", "bench") else "/".join(parts[1:-1])


def definitions_of(file):
    """(offset, qualified name) of the types and functions with external linkage that a file defines."""
    # The names of the open namespaces; None for an anonymous one, and for extern "C", where programs replace functions.
    scopes = []
    for offset, head, end in statements_of(DIRECTIVE.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), file.code)):
        namespace = NAMESPACE.match(head)
        if end == "}":
            scopes = scopes[:-1]
        elif end == "{" and (namespace or head == "extern"):
            scopes.append(namespace.group("name") if namespace else None)
        elif None not in scopes and (end == "{" or "=" in head):
            name = name_of(head)
            if name:
                yield offset, "::".join(scopes + [name])


def statements_of(code):
    """(offset, text, end) of what is directly in namespaces. The end is `;`, or `{` of a block, which is skipped unless it is
    a namespace's, or `}` of a namespace."""
    at = start = 0
    while found := ENDS.search(code, at):
        at = found.end()
        if found.group() == "(":
            at = end_of(code, found.start())
            continue
        text = code[start:found.start()]
        head = re.sub(r"\s+", " ", text).strip()
        yield start + len(text) - len(text.lstrip()), head, found.group()
        if found.group() == "{" and head != "extern" and not NAMESPACE.match(head):
            at = end_of(code, found.start())
        start = at


def end_of(code, opening):
    """The place behind the bracket that closes the one at `opening`."""
    depth = 0
    for found in BRACKETS.finditer(code, opening):
        depth += 1 if found.group() in "({" else -1
        if depth == 0:
            return found.end()
    return len(code)


def name_of(head):
    """The name that a definition gives to the linker, or None. Functions with other parameters have other names."""
    template, head = without_template(head)
    found = TYPE.match(head) or VARIABLE.match(head)
    if found:
        return found.group("name")
    found = FUNCTION.match(head)
    if not found or found.group("name").isupper() or FREE.fullmatch(found.group("name")):
        return None
    # A member's name is that of its class, which is defined once.
    if re.search(r"\bstatic\b|::$", found.group("before")):
        return None
    return f"{template}{found.group('name')}({types_of(found.group('parameters'))}){found.group('after').rstrip()}"


def without_template(head):
    """(the template header and its constraint, the rest): overloads may differ in the former alone."""
    if not head.startswith("template"):
        return "", head
    depth = 0
    for place, character in enumerate(head):
        depth += {"<": 1, ">": -1}.get(character, 0)
        if character == ">" and depth == 0 and head[place - 1] != "-":
            inner, rest = without_template(head[place + 1:].strip())
            return f"{head[:place + 1]} {inner}", rest
    return "", head
