"""Log lines, errors and reasons that the documents quote occur in the sources, so that a reader who searches finds both."""

import re

from tree import NOT_CODE, say

# Quoted: all spans in a column of a table with one of these headings, and the message of a log line in a block.
HEADINGS = ("log line", "line", "reason", "in `error`", "response", "message")
SPAN = re.compile(r"`([^`]+)`")
# In prose, what reads like a log line: words of which the first alone has a capital.
SENTENCE = re.compile(r"[A-Z][a-z]+ [a-z]+\b")
LOG_LINE = re.compile(r"^(?:ERROR|INFO|WARN|DEBUG)\s+(.+?)(?:\s{2,}\{|$)")
# The `error` of a log line in a block, up to the first quotation mark in it.
ERROR = re.compile(r'"error": ?"([^"\\]*)')
# Reasons and messages that a sentence names: reason `NotOwned`, Events `ScalingUp` and `ScalingDown`.
NAMED = re.compile(r"\b(?:reasons?|messages?|logs?|log lines?|Events?|warnings?|logged as|reported as|rejected:)"
                   r" \(?((?:`[^`]+`(?:, | and | or |, and |, or )?)+)")
# Texts of the kernel, of Go's programs, of the API server and of the original operators that no source of ours contains.
OTHERS = ("Failed to get", "Failed to list pods", "Failed to create new", "exec format error", "bind: address already in use",
          "exceeded quota", "no endpoints available for service",
          "context deadline exceeded", "i/o timeout", "Authentication failed", "is forbidden: User", "cannot create resource",
          "Client sent an HTTP request to an HTTPS server")


def check(tree):
    # The changelog quotes former versions.
    pages = [path for path in tree.paths if path.endswith(".md") and path != "CHANGELOG.md"]
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
    heading = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.startswith("|"):
            heading = []
            found = LOG_LINE.match(line)
            if found:
                yield number, found.group(1)
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] if line.startswith("|") else []
        if cells and not heading:
            heading = cells
            continue
        for column, cell in zip(heading, cells):
            if column in HEADINGS:
                yield from ((number, quote) for quote in SPAN.findall(cell))
        yield from ((number, quote) for quote in SPAN.findall(line) if SENTENCE.match(quote))
        yield from ((number, quote) for names in NAMED.findall(line) for quote in SPAN.findall(names))
        yield from ((number, quote) for quote in ERROR.findall(line))


def pieces(quote):
    """The fixed parts of a quote: `…`, what is in angle brackets, numbers and names of objects stand for anything."""
    for piece in re.split(r"…|<[^>]*>|\b\d+\b|\w\S*[./]\w\S*|\(user=|: -x", quote):
        piece = piece.strip(" :.,()")
        if (" " in piece or re.fullmatch(r"([A-Z][a-z]+){2,}", piece)) and not any(other in piece for other in OTHERS):
            yield piece


def literals(tree):
    """All string literals of the sources, one a line. Literals with only white space and comments between them are one text."""
    texts = []
    for file in tree.files.values():
        if file.path.startswith(("src/", "include/", "tools/")):
            texts += joined_literals(file.text)
    return "\n".join(texts)


def joined_literals(text):
    texts, end = [], None
    for found in NOT_CODE.finditer(text):
        part = found.group()
        if part.startswith(("//", "/*")):
            is_blank = end is not None and not text[end:found.start()].strip()
            end = found.end() if is_blank else None
        elif part.startswith("'"):
            end = None
        else:
            raw = re.fullmatch(r'R"(\w*)\((.*)\)\1"', part, re.S)
            content = raw.group(2) if raw else part[1:-1]
            if end is not None and not text[end:found.start()].strip():
                texts[-1] += content
            else:
                texts.append(content)
            end = found.end()
    return texts
