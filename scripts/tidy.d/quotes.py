"""Log lines, errors and reasons that the documents quote occur in the sources, so that a reader who searches finds both."""

import re

from tree import say

# The first column of a table with one of these headings, and the message of a log line in a block.
HEADINGS = ("log line", "reason", "in `error`", "response")
SPAN = re.compile(r"`([^`]+)`")
# In prose, what reads like a log line: three words of which the first alone has a capital.
SENTENCE = re.compile(r"[A-Z][a-z]+ [a-z]+ [a-z]+")
LOG_LINE = re.compile(r"^(?:ERROR|INFO|WARN|DEBUG)\s+(.+?)(?:\s{2,}\{|$)")
# String literals next to each other are one text.
LITERALS = re.compile(r'"((?:\\.|[^"\\\n])*)"(?:\s*(?=")|)')
# Texts of the kernel, of Go's programs and of the API server that no source of ours contains.
OTHERS = ("exec format error", "bind: address already in use", "exceeded quota", "no endpoints available for service",
          "context deadline exceeded", "i/o timeout", "Authentication failed", "is forbidden: User", "cannot create resource",
          "Client sent an HTTP request to an HTTPS server")


def check(tree):
    pages = [path for path in tree.paths if re.fullmatch(r"(?:(?:docs|kustomize|test)/)?[\w-]+\.md", path) and path != "CHANGELOG.md"]
    texts = None
    findings = []
    for path in pages:
        for line, quote in quotes((tree.root / path).read_text(encoding="utf-8")):
            texts = texts or literals(tree)
            for piece in pieces(quote):
                if piece not in texts:
                    findings.append(say(path, line, "quote", f"no source has the text `{piece}`: quote it as it is logged"))
    return findings


def quotes(text):
    """(line number, quoted text)"""
    heading = ""
    for number, line in enumerate(text.splitlines(), 1):
        if not line.startswith("|"):
            heading = ""
            found = LOG_LINE.match(line)
            if found:
                yield number, found.group(1)
            for found in SPAN.finditer(line):
                if SENTENCE.match(found.group(1)):
                    yield number, found.group(1)
            continue
        first = line.strip("|").split(" | ")[0].strip()
        if not heading:
            heading = first
        elif heading in HEADINGS:
            for found in SPAN.finditer(first):
                yield number, found.group(1)


def pieces(quote):
    """The fixed parts of a quote: `…` and what is in angle brackets stand for anything."""
    for piece in re.split(r"…|<[^>]*>|\(user=|: -x", quote):
        piece = piece.strip(" :.,()")
        if (" " in piece or re.fullmatch(r"([A-Z][a-z]+){2,}", piece)) and not any(other in piece for other in OTHERS):
            yield piece


def literals(tree):
    """All string literals of the sources, one a line."""
    texts = []
    for file in tree.files.values():
        if not file.path.startswith(("src/", "include/")):
            continue
        joined = ""
        for found in LITERALS.finditer(re.sub(r"(?m)^\s*//.*$", "", file.text)):
            joined += found.group(1)
            if not found.group(0).endswith('"') or file.text[found.end():found.end() + 1] != '"':
                texts.append(joined)
                joined = ""
    return "\n".join(texts)
