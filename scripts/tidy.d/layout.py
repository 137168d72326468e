"""The layout of a file: the first line of a header, the first include of a source, and the length."""

import re

from tree import is_outside, say

LONG = 400
# catch_discover_tests passes the names as CMake lists, in which these characters are special.
TEST_NAME = re.compile(r'\bTEST_CASE(?:_METHOD)?\(\s*(?:\w+,\s*)?"((?:\\.|[^"\\])*)"')


def check(tree):
    findings = []
    for file in tree.headers():
        findings += judge_header(file)
    for file in tree.sources():
        findings += judge_source(tree, file)
        # The tests on a control plane are a single ctest, so their names can contain any characters.
        if file.path.startswith("test/") and not file.path.startswith("test/cluster/"):
            findings += judge_test_names(file)
    return findings


def judge_header(file):
    first = file.lines[0]
    if not re.match(r"// \S+( \S+){2,}", first):
        yield say(file.path, 1, "first-line", "begin with a `//` sentence that describes the file")
    if not re.search(r"^#pragma once$", file.text, re.M):
        yield say(file.path, 1, "pragma-once", "add `#pragma once` below the opening comment")


def judge_test_names(file):
    for found in TEST_NAME.finditer(file.text):
        if re.search(r"[\[\];\\]", found.group(1)):
            yield say(file.path, file.line_of(found.start()), "test-name",
                      "avoid brackets, semicolons and backslashes: CMake treats them as parts of lists")
        if found.group(1).startswith("-"):
            yield say(file.path, file.line_of(found.start()), "test-name",
                      "begin with a word: Catch2 parses a name that begins with a dash as an option")


def own_header(tree, path):
    """The header with the name of the source, or None."""
    parts = path.removesuffix(".cpp").split("/")
    candidates = [f"{'/'.join(parts)}.hpp"]
    if parts[0] == "src":
        candidates += [f"include/keelson/{border}{'/'.join(parts[1:])}.hpp" for border in ("", "detail/")]
    return next((c for c in candidates if c in tree.files), None)


def judge_source(tree, file):
    own = own_header(tree, file.path)
    if not own:
        return
    includes = list(file.includes())
    folder = file.path.rpartition("/")[0]
    first = includes[0][2] if includes else ""
    # Projects of authors include by the file's own folder, or by the folder that has a folder for each kind.
    outside = (f"{folder}/{first}", f"{folder.rpartition('/')[0]}/{first}")
    if own not in (outside if is_outside(file.path) else (tree.resolve(first),)):
        line = includes[0][0] if includes else 1
        yield say(file.path, line, "own-header-first", f'include "{own.removeprefix("include/")}" before all others')


def advise(tree):
    for file in sorted(tree.files.values(), key=lambda f: f.path):
        if len(file.lines) > LONG:
            yield say(file.path, len(file.lines), "advice", f"more than {LONG} lines: split it by reason to change")
