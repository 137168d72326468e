"""Public headers are the manual: a third of each room's lines is comment, and their examples are code that compiles."""

import re

from docs import shown_text
from tree import room_of, say

# In every hundred lines that are not blank.
SHARE = 33
EXAMPLE = re.compile(r"^//\s+Example \((\S+#[\w-]+)\):\n(?=((?://.*\n)*))", re.M)
COMMENT = re.compile(r"^\s*//|\S.*\s// ")


def check(tree):
    findings = []
    rooms = {}
    for file in tree.headers():
        if file.path.startswith("include/"):
            rooms.setdefault(room_of(file.path), []).append(file)
            findings += examples(tree, file)
    for room, files in rooms.items():
        if room:
            findings += share(room, files)
    return findings


def share(room, files):
    lines = [line for file in files for line in file.lines if line.strip()]
    comments = sum(1 for line in lines if COMMENT.search(line))
    if 100 * comments < SHARE * len(lines):
        yield say(f"include/keelson/{room}", 1, "headers",
                  f"{100 * comments // len(lines)} % of the lines are comments, a third is needed: say what an author must know")


def examples(tree, file):
    for found in EXAMPLE.finditer(file.text):
        expected = shown_text(tree, found.group(1))
        line = file.line_of(found.start())
        if expected is None:
            yield say(file.path, line, "headers", f"shows {found.group(1)}, which is not there")
            continue
        # The example ends with its last line; the comment may go on after it.
        wanted = ["//" if not text else f"//   {text}" for text in expected.rstrip("\n").split("\n")]
        if found.group(2).split("\n")[: len(wanted)] != wanted:
            yield say(file.path, line, "headers", f"the example differs from {found.group(1)}: copy it again")
