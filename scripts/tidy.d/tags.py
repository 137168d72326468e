"""Tags of the specification (M15, C24) in test names and comments: each has an entry, and each entry's test files name its tag."""

import re

from layout import TEST_NAME
from tree import NOT_CODE, say

PAGE = "docs/specification.md"
ENTRY = re.compile(r'<a id="([a-z]\d{1,2})"></a>')
TEST_FILE = re.compile(r"`(test/[^`\s]+)`")
# "B10, B13: …": any letter is a tag in front of the colon, so that a new letter needs a section, too.
LEADING_TAGS = re.compile(r"[A-Z]\d{1,2}(?:(?:, | and | to )[A-Z]\d{1,2})*(?=:)")
# In a comment only the letters of the page are tags: "M3.5.0" is a rule of a time zone, and "E3" an exponent.
RANGE = re.compile(r"\b([A-Z])(\d{1,2}) to \1(\d{1,2})\b")
TAG = re.compile(r"(?<![\w.+-])[A-Z]\d{1,2}(?!\w|[.-]\w)")


def check(tree):
    entries, findings = read_page(tree)
    for file in tree.files.values():
        findings += judge_names(file, entries)
        findings += judge_comments(file, entries)
    return findings


def read_page(tree):
    """The tags that have an entry, and what is wrong with the page itself."""
    if not (tree.root / PAGE).is_file():
        return set(), []
    entries, findings = set(), []
    for number, line in enumerate((tree.root / PAGE).read_text(encoding="utf-8").splitlines(), 1):
        tags = [tag.upper() for tag in ENTRY.findall(line)]
        for tag in tags:
            if tag in entries:
                findings.append(say(PAGE, number, "tag", f"{tag} has an entry already: use another number"))
            entries.add(tag)
        for path in TEST_FILE.findall(line):
            if not (tree.root / path).is_file():
                findings.append(say(PAGE, number, "tag", f"{path} does not exist: name the file with the test"))
                continue
            named = tags_in((tree.root / path).read_text(encoding="utf-8"))
            findings += [say(PAGE, number, "tag", f"{path} does not name {tag}: begin the name of its test with the tag")
                         for tag in tags if tag not in named]
    return entries, findings


def tags_in(text):
    """The tags that a test file names, with those inside of ranges ("C3 to C6")."""
    named = set(TAG.findall(text))
    for letter, first, last in RANGE.findall(text):
        named |= {f"{letter}{number}" for number in range(int(first), int(last) + 1)}
    return named


def judge_names(file, entries):
    for name in TEST_NAME.finditer(file.text):
        leading = LEADING_TAGS.match(name.group(1))
        for tag in TAG.findall(leading.group()) if leading else []:
            if tag not in entries:
                yield missing(file, name.start(), tag)


def judge_comments(file, entries):
    letters = {tag[0] for tag in entries}
    for comment in NOT_CODE.finditer(file.text):
        if not comment.group().startswith(("//", "/*")):
            continue
        for found in TAG.finditer(comment.group()):
            if found.group()[0] in letters and found.group() not in entries:
                yield missing(file, comment.start() + found.start(), found.group())


def missing(file, offset, tag):
    return say(file.path, file.line_of(offset), "tag", f"{tag} has no entry in {PAGE}: add one, or name the behavior")
