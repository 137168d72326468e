"""Sends requests to both servers, counts equal answers, and writes the differences by kind and group."""

import collections
import time

from differences import ORDER, differences, short

REPEATS = 4
MOST_EXAMPLES = 2


class Comparison:
    def __init__(self, real, sandbox):
        self.real, self.sandbox = real, sandbox
        self.asked = self.equal = 0
        self.unanswered = 0  # by the real server
        self.otherwise_equal = 0  # only managed fields differ
        self.codes = collections.Counter()
        self.of_kinds = collections.defaultdict(lambda: [0, 0])  # equal and all answers
        self.groups = {}  # (kind, group): [(request, difference)]
        self.counts = collections.Counter()
        self.began = time.monotonic()

    def ask(self, request):
        real, sandbox = self.real.ask(request), self.sandbox.ask(request)
        # A request that crashes the real server's handler has no answer to compare with.
        if real.status == 0:
            self.unanswered += 1
            return real, sandbox
        found = differences(request, real, sandbox)
        # An answer whose order changes from reply to reply is equal to any of them.
        for _ in range(REPEATS if found and request.changes_nothing else 0):
            found = found and differences(request, self.real.ask(request), sandbox)
        self.asked += 1
        self.equal += not found
        self.otherwise_equal += bool(found) and all(difference.kind == "managed fields" for difference in found)
        self.codes[real.status] += 1
        self.of_kinds[request.kind][0] += not found
        self.of_kinds[request.kind][1] += 1
        for key in {(difference.kind, difference.group): difference for difference in found}.items():
            (kind, group), difference = key
            self.counts[kind, group] += 1
            self.groups.setdefault((kind, group), [])
            examples = self.groups[kind, group]
            examples.append((request, difference))
            examples.sort(key=lambda example: len(example[0].text()))
            del examples[MOST_EXAMPLES:]
        return real, sandbox

    def rate(self):
        return 100 * self.equal / max(self.asked, 1)

    def summary(self):
        codes = ", ".join(f"{code}: {count}" for code, count in sorted(self.codes.items()))
        kinds = collections.Counter()
        for (kind, _), count in self.counts.items():
            kinds[kind] += count
        lines = [f"{self.equal} of {self.asked} answers are equal: {self.rate():.2f} % ({time.monotonic() - self.began:.0f} s)",
                 f"in {self.otherwise_equal} others, only the managed fields differ",
                 f"{self.unanswered} further requests got no answer from the real server",
                 f"status codes of the real server: {codes}"]  # fmt: skip
        return lines + [f"  {kind:20}{count:6} requests" for kind, count in kinds.most_common()]

    def write(self, path, title):
        with open(path, "a") as file:
            print(f"# {title}\n", file=file)
            print(*self.summary(), sep="\n\n", file=file)
            print("\n`there` is the real server, `here` is the sandbox.\n", file=file)
            worst = sorted(self.of_kinds.items(), key=lambda entry: entry[1][0] - entry[1][1])
            print("Equal answers: " + ", ".join(f"{kind} {few}/{all}" for kind, (few, all) in worst) + "\n", file=file)
            groups = sorted(self.counts.items(), key=lambda entry: (ORDER.index(entry[0][0]), -entry[1]))
            for number, ((kind, group), count) in enumerate(groups, 1):
                print(f"{number}. {kind}, {count}: {group}", file=file)
            for number, ((kind, group), count) in enumerate(groups, 1):
                self.write_group(file, f"{number}. {kind}, {count}: {group}", self.groups[kind, group])

    @staticmethod
    def write_group(file, title, examples):
        print(f"\n## {title}", file=file)
        for request, difference in examples:
            print(f"\n`{request.method} {request.path}` ({request.content_type}; {request.about})", file=file)
            print("\n```json\n" + short(request.text()) + "\n```\n", file=file)
            print("```text\nthere: " + short(difference.real) + "\nhere:  " + short(difference.sandbox) + "\n```", file=file)
