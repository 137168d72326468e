"""Words that documents, comments and texts do not use, each with the standard term instead (docs/glossary.md)."""

import re

from docs import without_code
from tree import say

WORDS = [
    (r"nobody|whoever|whom|somebody|strangers?", "name the component, or write \"you\""),
    (r"mend(s|ed|ing)?", "repair, correct (drift), fix"),
    (r"anew", "again; relist"),
    (r"wish(es)?", "desired (state)"),
    (r"heed(s|ed)?", "apply, follow"),
    (r"hindrances?|troubles?", "error, problem"),
    (r"told|tells", "logged, recorded, reported"),
    (r"beside|but for", "next to, except"),
    (r"surroundings", "environment"),
    (r"behaviours?|colours?|cancelling|neighbours?|recogni[s]e[sd]?|authori[s]e[sd]?", "American spelling, as in Kubernetes"),
    (r"is no error|are no errors", "say what it is"),
    (r"also (?:if|when|by)", "even if, even when"),
    (r"once in an?", "once per, or a"),
    (r"ha(?:s|ve|d) (?:(?:about|at most|less than|only|over|under) )?[\d.,]+ ?(?:[KMG]i?B|bytes)", "is"),
    (r"the cluster around \w+", "in-cluster, environment"),
]
# Generated pages, and a page that quotes former versions.
EXEMPT = re.compile(r"docs/reference/.*|CHANGELOG\.md")


def check(tree):
    findings = []
    for path in tree.paths:
        if path.endswith(".md") and not EXEMPT.fullmatch(path):
            text = without_code((tree.root / path).read_text(encoding="utf-8"))
            findings += judge(path, text)
    for file in tree.files.values():
        if file.path.startswith(("include/", "src/", "tools/")):
            findings += judge(file.path, only_text(file))
    return findings


def only_text(file):
    """Comments and strings alone, every character in its old place: File.code turned inside out."""
    return "".join(" " if kept == was and was != "\n" else was for kept, was in zip(file.code, file.text))


def judge(path, text):
    for pattern, what in WORDS:
        for found in re.finditer(rf"\b({pattern})\b", text, re.I):
            yield say(path, text.count("\n", 0, found.start()) + 1, "english", f"{found.group()}: {what}")
