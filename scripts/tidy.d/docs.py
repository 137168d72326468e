"""Documents: code blocks equal the files that a test compiles, link targets exist, and prose has at most 120 columns."""

import re
import textwrap

from tree import say

# <!-- path/of/file --> above a fenced block: the block equals that file. <!-- path/of/file#part -->: it equals the lines
# between `// [part]` and `// [end]` of the file, without the marker lines of other parts.
SHOWN = re.compile(r"<!-- (\S+) -->\n```\w*\n(.*?)```", re.S)
LINK = re.compile(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)")
# Blocks and words of code: an expression there may look like a link.
CODE = re.compile(r"^```.*?^```|`[^`\n]+`", re.S | re.M)
COLUMNS = 120
# Blocks of code and comments, tables, and links or code without a space to break at.
UNBROKEN = re.compile(r"^```.*?^```|<!--.*?-->|^ *\|.*$|^ *(?:[-*>] |\d+\. )?(?:`[^`\n]*`|\S)+$", re.S | re.M)
# Their lines are those of a generator, and of projects that are created.
GENERATED = re.compile(r"docs/reference/.*|src/scaffold/templates/.*")


def check(tree):
    findings = []
    for path in tree.paths:
        if path.endswith(".md"):
            text = (tree.root / path).read_text(encoding="utf-8")
            findings += judge(tree, path, text)
    return findings + list(check_comments(tree))


# A page that a comment names.
PAGE = re.compile(r"\bdocs/[\w/-]+\.md\b")


def check_comments(tree):
    for file in tree.files.values():
        for found in PAGE.finditer(file.text):
            if not (tree.root / found.group()).exists():
                yield say(file.path, file.line_of(found.start()), "docs", f"names {found.group()}, which does not exist")


def judge(tree, path, text):
    for found in SHOWN.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        shown = shown_text(tree, found.group(1))
        if shown is None:
            yield say(path, line, "docs", f"shows {found.group(1)}, which does not exist")
        elif shown != found.group(2):
            yield say(path, line, "docs", f"the block differs from {found.group(1)}: copy it again")
    if not GENERATED.fullmatch(path):
        yield from wide_lines(path, text)
    for found in LINK.finditer(without_code(text)):
        if not ((tree.root / path).parent / found.group(1)).exists():
            line = text.count("\n", 0, found.start()) + 1
            yield say(path, line, "docs", f"links to {found.group(1)}, which does not exist")


def wide_lines(path, text):
    for number, line in enumerate(blanked(UNBROKEN, text).split("\n"), 1):
        if len(line.rstrip()) > COLUMNS:
            yield say(path, number, "docs", f"{len(line)} columns: wrap the paragraph at {COLUMNS}")


MARKER = re.compile(r"\s*// \[([\w-]+)\]\n")


def shown_text(tree, name):
    """The text of the file or of its part; None if it does not exist."""
    file, _, part = name.partition("#")
    if not (tree.root / file).is_file():
        return None
    text = (tree.root / file).read_text(encoding="utf-8")
    if not part:
        return text
    lines, is_inside, is_found = [], False, False
    for line in text.splitlines(keepends=True):
        marker = MARKER.fullmatch(line)
        if marker and marker.group(1) == part:
            is_inside = is_found = True
        elif marker and marker.group(1) == "end":
            is_inside = False
        elif is_inside and not marker:
            lines.append(line)
    return textwrap.dedent("".join(lines)) if is_found else None


def without_code(text):
    """The text with code blanked; all other characters stay at their offsets."""
    return blanked(CODE, text)


def blanked(pattern, text):
    return pattern.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)
