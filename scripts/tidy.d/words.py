"""Words that break a rule, each with its replacement."""

import re

from tree import say

# Word, rule, what to do, and the files in which it is allowed.
WORDS = [
    (r"\bdetached\b", "detached", "no task group would join this coroutine: spawn it in an async::TaskGroup", None),
    (r"\bthis_thread\b", "sleep", "blocks the event loop: co_await async::sleep_for(clock, …)", None),
    (r"\bstd::(thread|jthread|mutex|recursive_mutex|shared_mutex|condition_variable|atomic)\b", "threads",
     "the program has one loop and one thread: use async::TaskGroup, async::Notify", r"test/(bench|loopback|cluster)/.*"),
    (r"\b(run|poll)_one(_for|_until)?\s*\(", "run-one", "returns at once, for ever, when the loop has had no work: call async::run_until()",
     r"src/async/run_until\.cpp|src/sandbox/loop/.*"),
    (r"\b(system|steady|high_resolution)_clock::now\b", "clock", "take an async::Clock& in the constructor",
     # Room base is below the clock; a benchmark measures real time.
     r"src/(async|app|sandbox/loop)/.*|src/base/log\.cpp|test/(bench|support)/.*|test/unit/(base|async)/.*"),
    (r"\b(std::)?s?rand\s*\(|\bstd::random_device\b", "random", "take a seeded base::Random& in the constructor",
     r"src/base/random\.cpp"),
    (r"\bunordered_(flat_|node_)?(multi)?(map|set)<\s*std::string(_view)?\b|\bhash<\s*std::string(_view)?\s*>", "text-hash",
     "clients can choose texts of one hash, because its seed is known: use base::TextMap, TextSet or TextHash",
     r"(test|tools)/.*"),
    (r"\busing\s+namespace\s+std\s*;", "using-namespace", "write std:: at each use", None),
    (r"\bdynamic_pointer_cast\b|\bdynamic_cast\b", "dynamic-cast", "call a virtual function, or store the type", r"test/.*"),
]
# Markers of unfinished work, in comments too.
UNFINISHED = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X)\b")
TEXT_FILES = re.compile(r".*\.(cpp|hpp|cmake|sh|py|yaml)|(.*/)?(CMakeLists\.txt|Makefile|Dockerfile)|scripts/\w+|\.ci/.*")

LAMBDA = re.compile(r"\[([^\[\]]+)\]\s*(?:\([^()]*(?:\([^()]*\)[^()]*)*\))?\s*(?:mutable|noexcept|\s)*->[^{};]*\bawaitable<[^{};]*\{")


def check(tree):
    findings = []
    for file in tree.files.values():
        findings += banned(file)
        findings += capturing_coroutines(file)
    for path in tree.paths:
        if TEXT_FILES.fullmatch(path):
            findings += unfinished(tree, path)
    return findings


def banned(file):
    for pattern, rule, what, allowed in WORDS:
        if allowed and re.fullmatch(allowed, file.path):
            continue
        for found in re.finditer(pattern, file.code):
            yield say(file.path, file.line_of(found.start()), rule, f"{found.group().strip(' (')}: {what}")


def unfinished(tree, path):
    text = (tree.root / path).read_text(encoding="utf-8", errors="replace")
    for number, line in enumerate(text.splitlines(), 1):
        found = UNFINISHED.search(line)
        if found:
            yield say(path, number, "unfinished", f"{found.group()}: finish it, or leave it out")


def capturing_coroutines(file):
    """The captures of a lambda are destroyed with the lambda, which is often before its coroutine ends.

    In a test the lambda is a local of the test case, or a handler that its server stores, and outlives loop.run(); only a
    lambda that is called immediately ends too early. with_task_group stores its body in its own frame.
    """
    bodies = set(re.findall(r"\bwith_task_group\((?:std::move\()?(\w+)\)", file.code))
    for found in LAMBDA.finditer(file.code):
        body = block(file.code, found.end() - 1)
        if not re.search(r"\bco_(await|return|yield)\b", body):
            continue
        called_at_once = file.code[found.end() + len(body):].lstrip()[:1] == "("
        named = re.search(r"\bauto\s+(\w+)\s*=\s*$", file.code[: found.start()])
        if not called_at_once and (file.path.startswith("test/") or (named and named.group(1) in bodies)):
            continue
        yield say(file.path, file.line_of(found.start()), "capturing-coroutine",
                  f"[{found.group(1).strip()}]: the frame outlives the captures: pass them as parameters")


def block(code, opening):
    depth = 0
    for position in range(opening, len(code)):
        if code[position] == "{":
            depth += 1
        elif code[position] == "}":
            depth -= 1
            if depth == 0:
                return code[opening:position]
    return code[opening:]
