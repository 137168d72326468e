"""Finds the places of a source that can be mutated: each with the text before and after, and the kind of change."""

import bisect
import hashlib
import re
from dataclasses import dataclass

# clang-format puts spaces around binary operators and none inside of template brackets, so the spaces distinguish them.
COMPARISON = re.compile(r"(?<=\s)(<=|>=|==|!=|<|>)(?=\s)")
SWAPPED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
LOGIC = re.compile(r"(?<=\s)(&&|\|\|)(?=\s)")
ARITHMETIC = re.compile(r"(?<=\s)([+-]=?)(?=\s)")
BOOLEAN = re.compile(r"\b(true|false)\b")
INTEGER = re.compile(r"(?<![\w.'<])(\d[\d']*)(?:U|u|L|UL|ULL)?(?![\w.'>])")
DURATION = re.compile(r"(?<![\w.'])(\d[\d']*)(?=(?:ms|us|ns|s|min|h)\b)"
                      r"|(?<=seconds\()(\d[\d']*)(?=\))|(?<=seconds\{)(\d[\d']*)(?=\})"
                      r"|(?<=minutes\()(\d[\d']*)(?=\))|(?<=minutes\{)(\d[\d']*)(?=\})"
                      r"|(?<=hours\()(\d[\d']*)(?=\))|(?<=hours\{)(\d[\d']*)(?=\})")
IF = re.compile(r"\bif \(")
EXIT = re.compile(r"(?:co_return|return|continue|break)\b")
STATEMENT = re.compile(r"(?<=[;{})])\s+((?:\(void\)|co_await )?[A-Za-z_][\w:.]*(?:(?:->|\.|\(\)|\[\w*\])[\w:.]*)*\()")
# A correct program behaves the same without assertions and reserved capacity; log lines are skipped, as other tools do.
LEFT_ALONE = re.compile(r"(?<![\w.])(?:KEELSON_\w+|static_assert|[\w.]*\blog_?(?:\.|->)\w+|[\w.>-]*[.>](?:reserve|shrink_to_fit))\(")
KEYWORD = re.compile(r"^(?:if|for|while|switch|return|co_return|sizeof|catch)\b")


@dataclass(frozen=True)
class Place:
    path: str
    line: int
    column: int
    kind: str
    start: int
    end: int
    before: str
    after: str
    digest: str

    @property
    def where(self):
        return f"{self.path}:{self.line}:{self.column}"

    @property
    def change(self):
        return f"removed {short(self.before)}" if self.after == ";" else f"{short(self.before)} -> {short(self.after)}"

    def apply(self, text):
        return text[:self.start] + self.after + text[self.end:]


def short(text):
    text = " ".join(text.split())
    return f"`{text}`" if len(text) <= 70 else f"`{text[:67]}...`"


def find(source):
    """All places of a source, in the order of the text."""
    code = mutable(source.code)
    starts = [0] + [m.end() for m in re.finditer("\n", source.text)]
    seen = {}
    found = []
    for kind, start, end, after in sorted(set(all_changes(source.text, code)), key=lambda c: (c[1], c[2], c[0], c[3])):
        found.append(place(source, starts, seen, kind, start, end, after))
    return found


def place(source, starts, seen, kind, start, end, after):
    line = bisect.bisect_right(starts, start)
    text = source.lines[line - 1]
    column = start - starts[line - 1] - (len(text) - len(text.lstrip()))
    before = source.text[start:end]
    # Without the line number, so that the digest stays valid after an edit elsewhere in the file; equal lines are counted.
    identity = (source.path, text.strip(), str(column), before, after)
    seen[identity] = seen.get(identity, 0) + 1
    digest = hashlib.sha256("\0".join((*identity, str(seen[identity]))).encode()).hexdigest()[:12]
    return Place(source.path, line, start - starts[line - 1] + 1, kind, start, end, before, after, digest)


def mutable(code):
    """The code with skipped parts blanked; all other characters stay at their offsets."""
    def blank(text):
        return re.sub(r"[^\n]", " ", text)

    code = re.sub(r"^[ \t]*#[^\n]*", lambda m: blank(m.group()), code, flags=re.M)
    for m in LEFT_ALONE.finditer(code):
        end = closing(code, m.end() - 1)
        if end is not None:
            code = code[:m.start()] + blank(code[m.start():end + 1]) + code[end + 1:]
    return code


def all_changes(text, code):
    for m in COMPARISON.finditer(code):
        yield "comparison", m.start(1), m.end(1), SWAPPED[m.group(1)]
    for m in LOGIC.finditer(code):
        yield "logic", m.start(1), m.end(1), "||" if m.group(1) == "&&" else "&&"
    for m in ARITHMETIC.finditer(code):
        # A + next to a string literal is a concatenation, which has no -.
        if '"' not in text[m.start(1) - 2:m.end(1) + 2]:
            sign = m.group(1)
            yield "arithmetic", m.start(1), m.end(1), sign.translate(str.maketrans("+-", "-+"))
    for m in BOOLEAN.finditer(code):
        yield "boolean", m.start(), m.end(), "false" if m.group() == "true" else "true"
    durations = list(DURATION.finditer(code))
    for m in durations:
        yield from numbers("duration", m, m.lastindex, lambda n: 2 * n)
    taken = {m.start() for m in durations}
    for m in INTEGER.finditer(code):
        if m.start() not in taken:
            yield from numbers("integer", m, 1, lambda n: n + 1)
    yield from conditions(text, code)
    yield from exits(code)
    yield from calls(code)


def numbers(kind, m, group, grow):
    value = int(m.group(group).replace("'", ""))
    yield kind, m.start(group), m.end(group), str(grow(value) or 1)
    if value > 1:
        yield kind, m.start(group), m.end(group), "0"


def conditions(text, code):
    """if (x) -> if (!(x)); a condition that is a declaration cannot be negated."""
    for m in IF.finditer(code):
        end = closing(code, m.end() - 1)
        if end is None:
            continue
        start = code.rfind(";", m.end(), end) + 1 or m.end()
        condition = code[start:end]
        if re.match(r"\s*(?:const )?[\w:<>]+[&*]* [*&]?\w+ ?[={(]", condition):
            continue
        start += len(condition) - len(condition.lstrip())
        yield "condition", start, end, f"!({text[start:end]})"


def exits(code):
    """if (x) return y; -> if (x) ;"""
    for m in IF.finditer(code):
        end = closing(code, m.end() - 1)
        if end is None:
            continue
        leave = EXIT.match(code, re.compile(r"\s*").match(code, end + 1).end())
        stop = code.find(";", leave.end()) if leave else -1
        if leave and "{" not in code[leave.start():stop].replace("{}", ""):
            yield "exit", leave.start(), stop + 1, ";"


def calls(code):
    """Removes statements that consist of a call."""
    for m in STATEMENT.finditer(code):
        if KEYWORD.match(m.group(1)):
            continue
        end = closing(code, m.end(1) - 1)
        # f(x).g(y);
        while end is not None and (more := re.compile(r"\s*(?:\.|->)\w+\(").match(code, end + 1)):
            end = closing(code, more.end() - 1)
        if end is not None and code[end + 1:end + 2] == ";":
            yield "call", m.start(1), end + 2, ";"


def closing(code, opening):
    """The offset of the bracket that closes the one at `opening`; None if there is none."""
    depth = 0
    for m in re.compile(r"[(){}\[\]]").finditer(code, opening):
        depth += 1 if m.group() in "({[" else -1
        if depth == 0:
            return m.start()
    return None
