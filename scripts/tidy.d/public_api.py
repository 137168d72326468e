"""The public API: how large it is, which changes CHANGELOG.md names, and that programs of authors include nothing else.

docs/api-stability.md promises these things to authors of operators.
"""

import hashlib
import re

from tree import NOT_CODE, say

OPERATOR = "include/keelson/operator.hpp"
# The headers that authors may include, and those that operator.hpp includes, directly or indirectly: each one more is
# read, documented and kept by someone.
PUBLIC_HEADERS = 90
OPERATOR_PULLS = 45

# `DIGEST PATH` of each public header as CHANGELOG.md last announced it; `scripts/tidy --record-api` writes it.
RECORD = "scripts/tidy.d/public_api.txt"
CHANGES = "CHANGELOG.md"
UNRELEASED = re.compile(r"^## [^\n]*\bunreleased\b[^\n]*\n(.*?)(?=^## |\Z)", re.S | re.M | re.I)

# Projects of authors, templates of such projects, and code in documents.
AUTHORS = re.compile(r"test/install/.*|src/scaffold/templates/.*|.*\.md")
DETAIL = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"](keelson/detail/[^>"]+)', re.M)


def check(tree):
    return [*check_size(tree), *check_changes(tree), *check_authors(tree)]


def public_headers(tree):
    """Path -> file of each public header. Room `api` is generated, and public too."""
    return {f.path: f for f in tree.headers()
            if f.path.startswith("include/keelson/") and not f.path.startswith("include/keelson/detail/")}


def check_size(tree):
    count = len(public_headers(tree))
    if count > PUBLIC_HEADERS:
        yield say("include/keelson", 1, "public-api", f"{count} public headers, at most {PUBLIC_HEADERS}: move one to detail/")
    pulled = len(tree.closure(OPERATOR)) - 1 if OPERATOR in tree.files else 0
    if pulled > OPERATOR_PULLS:
        yield say(OPERATOR, 1, "public-api",
                  f"includes {pulled} headers, at most {OPERATOR_PULLS}: declare a type instead of including its header")


def digest_of(file):
    """The digest of what the compiler sees: comments and white space may change at any time."""
    code = NOT_CODE.sub(lambda found: "" if found.group().startswith(("//", "/*")) else found.group(), file.text)
    return hashlib.sha256("".join(code.split()).encode()).hexdigest()[:16]


def record(tree):
    """Writes RECORD for the present headers, if CHANGELOG.md names those that differ. Returns the findings."""
    findings = [finding for finding, is_named in changes(tree) if not is_named]
    if not findings:
        lines = [f"{digest_of(file)} {path}\n" for path, file in sorted(public_headers(tree).items())]
        (tree.root / RECORD).write_text("".join(lines), encoding="utf-8")
    return findings


def check_changes(tree):
    return [finding for finding, _ in changes(tree)]


def changes(tree):
    """Pairs of a finding about a header that differs from RECORD, and whether the unreleased section names it."""
    path = tree.root / RECORD
    recorded = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    before = {line.split()[1]: (number, line.split()[0]) for number, line in enumerate(recorded, 1)}
    named = unreleased_text(tree)
    now = public_headers(tree)
    for header in sorted(before.keys() | now.keys()):
        name = header.removeprefix("include/keelson/")
        # Room `api` is generated, so that one line is about all of it.
        names = [name, f"keelson/{name}"] + (["api/"] if name.startswith("api/") else [])
        is_named = any(f"`{one}`" in named for one in names)
        if header in before and header in now and digest_of(now[header]) == before[header][1]:
            continue
        place = (header, 1) if header in now else (RECORD, before[header][0])
        what = "is new" if header not in before else "has changed" if header in now else "is gone"
        remedy = "" if is_named else f"name `{name}` in the unreleased section of {CHANGES}, and "
        yield say(*place, "public-api",
                  f"{name} {what} since {RECORD} was written: {remedy}run scripts/tidy --record-api"), is_named


def unreleased_text(tree):
    path = tree.root / CHANGES
    found = UNRELEASED.search(path.read_text(encoding="utf-8")) if path.exists() else None
    return found.group(1) if found else ""


def check_authors(tree):
    for path in tree.paths:
        if not AUTHORS.fullmatch(path):
            continue
        text = (tree.root / path).read_text(encoding="utf-8", errors="replace")
        for found in DETAIL.finditer(text):
            yield say(path, text.count("\n", 0, found.start()) + 1, "public-api",
                      f"{found.group(1)} is not for programs of authors: use a public header (docs/api-stability.md)")
