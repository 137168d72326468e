"""Public headers are the manual: their examples are code that a test compiles."""

import re

from docs import shown_text
from tree import say

EXAMPLE = re.compile(r"^( *)//\s+Example \((\S+#[\w-]+)\):\n(?=((?: *//.*\n)*))", re.M)
# The text of a comment line, and a line that begins an item of a list, whose further lines are indented too.
TEXT = re.compile(r"^ *//(.*)$")
ITEM = re.compile(r"^ +(?:-|\d+\.) ")
# The end of a line of code, which no further line of a list has.
CODE_END = re.compile(r"[{}](?:;|\s*//.*)?$")


def check(tree):
    findings = []
    for file in tree.headers():
        if file.path.startswith("include/"):
            findings += examples(tree, file)
            findings += unmarked(tree, file)
    return findings


def examples(tree, file):
    for found in EXAMPLE.finditer(file.text):
        name = found.group(2)
        shown = lines_of(tree, name)
        line = file.line_of(found.start())
        if shown is None:
            yield say(file.path, line, "headers", f"shows {name}, which is not there")
            continue
        # The example ends with its last line; the comment may go on after it.
        wanted = [found.group(1) + text for text in shown]
        if found.group(3).split("\n")[: len(wanted)] != wanted:
            yield say(file.path, line, "headers", f"the example differs from {name}: copy it again")


def lines_of(tree, name):
    """The comment lines that show this example, without their indentation; None if it does not exist."""
    expected = shown_text(tree, name)
    if expected is None:
        return None
    return ["//" if not text else f"//   {text}" for text in expected.rstrip("\n").split("\n")]


def unmarked(tree, file):
    """Indented lines of comments are items of lists or marked examples. All others would be code that no test compiles."""
    end_of_example = 0
    is_in_list = is_in_block = False
    for number, line in enumerate(file.lines, 1):
        if number <= end_of_example:
            continue
        marker = EXAMPLE.match(line + "\n")
        if marker:
            end_of_example = number + len(lines_of(tree, marker.group(2)) or [])
            is_in_list = is_in_block = False
            continue
        comment = TEXT.match(line)
        text = comment.group(1) if comment else ""
        if ITEM.match(text):
            is_in_list, is_in_block = True, False
        elif not text.startswith("  "):
            is_in_list = is_in_block = False
        elif not is_in_block and (not is_in_list or CODE_END.search(text)):
            is_in_block = True
            yield say(file.path, number, "headers",
                      "an indented block is a list or an example: mark it `Example (test/examples/FILE.cpp#PART):`")
