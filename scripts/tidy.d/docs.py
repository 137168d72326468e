"""Code and links in the documents: what is shown is a file that a test compiles, and what is linked is there."""

import re

from tree import say

# <!-- path/of/file --> above a fenced block: the block is that file, word for word.
SHOWN = re.compile(r"<!-- (\S+) -->\n```\w*\n(.*?)```", re.S)
LINK = re.compile(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)")
# Blocks and words of code: an expression there may look like a link.
CODE = re.compile(r"^```.*?^```|`[^`\n]+`", re.S | re.M)


def check(tree):
    findings = []
    for path in tree.paths:
        if path.endswith(".md"):
            text = (tree.root / path).read_text(encoding="utf-8")
            findings += judge(tree, path, text)
    return findings


def judge(tree, path, text):
    for found in SHOWN.finditer(text):
        shown = tree.root / found.group(1)
        line = text.count("\n", 0, found.start()) + 1
        if not shown.is_file():
            yield say(path, line, "docs", f"shows {found.group(1)}, which is not there")
        elif shown.read_text(encoding="utf-8") != found.group(2):
            yield say(path, line, "docs", f"the block differs from {found.group(1)}: copy it again")
    for found in LINK.finditer(without_code(text)):
        if not ((tree.root / path).parent / found.group(1)).exists():
            line = text.count("\n", 0, found.start()) + 1
            yield say(path, line, "docs", f"links to {found.group(1)}, which is not there")


def without_code(text):
    """The same text with code blanked, every character in its old place."""
    return CODE.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)
