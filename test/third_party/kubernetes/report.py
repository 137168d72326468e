#!/usr/bin/env python3
"""Selects specs of Kubernetes' end-to-end tests, and reads their report. Used by test/third_party/run.

usage: report.py listed SPECS               prints the regular expression of the names in a file such as specs.txt
       report.py candidates ALL FILTER      prints the names of `e2e.test --list-tests` that candidates.txt selects
       report.py focus                      prints the regular expression of the names in the standard input
       report.py passed REPORT              prints the names of the specs that passed, sorted
       report.py result REPORT SPECS        prints the groups, the failures that SPECS does not expect, and the sum

Exit status of `result`: 0 at least 95 % of the specs passed, 1 fewer, 2 the report is incomplete.
"""

import json
import re
import sys

ENOUGH = 95
PASSES, FAILS, HANGS = "", "!", "!!"


def main(arguments):
    command, rest = arguments[0], arguments[1:]
    if command == "listed":
        print(focus(name for name, expected in read_specs(rest[0]).items() if expected != HANGS))
    elif command == "candidates":
        for name in select_candidates(rest[0], rest[1]):
            print(name)
    elif command == "focus":
        print(focus(line.strip() for line in sys.stdin if line.strip()))
    elif command == "passed":
        for name in sorted(name for name, state in read_report(rest[0]).items() if state == "passed"):
            print(name)
    elif command == "result":
        return print_result(read_report(rest[0]), read_specs(rest[1]))
    return 0


def focus(names):
    """Ginkgo matches the name of the suite and of the spec; the anchors keep it from trying each position."""
    return "^Kubernetes e2e suite (" + "|".join(re.escape(name).replace("\\ ", " ") for name in names) + ")$"


def read_specs(path):
    """The names of a list with what each is expected to do: `!` precedes those that fail, `!!` those that also would not end."""
    specs = {}
    with open(path, encoding="utf-8") as lines:
        for line in map(str.strip, lines):
            if line and not line.startswith("#"):
                name = line.lstrip("!")
                specs[name.strip()] = line[: len(line) - len(name)]
    return specs


def select_candidates(all_specs, filters):
    """A filter is `+ EXPRESSION`, which selects, or `- EXPRESSION`, which removes what an earlier line selected."""
    with open(filters, encoding="utf-8") as lines:
        rules = [line.strip().split(" ", 1) for line in lines if line.startswith(("+", "-"))]
    rules = [(sign == "+", re.compile(expression)) for sign, expression in rules]
    with open(all_specs, encoding="utf-8") as lines:
        # `FILE:LINE: NAME`
        names = [match.group(1) for match in (re.match(r"\s*\S+:\d+: (.*\S)", line) for line in lines) if match]
    for name in sorted(set(names)):
        selected = False
        for wanted, expression in rules:
            if expression.search(name):
                selected = wanted
        if selected:
            yield name


def read_report(path):
    """The state of each spec that ran, by name."""
    with open(path, encoding="utf-8") as file:
        suites = json.load(file)
    states = {}
    for suite in suites:
        for spec in suite["SpecReports"] or []:
            if spec["LeafNodeType"] == "It" and spec["State"] not in ("skipped", "pending"):
                name = " ".join([*(spec["ContainerHierarchyTexts"] or []), spec["LeafNodeText"]])
                states[name] = spec["State"]
    return states


def print_result(states, specs):
    groups = {}
    for name in specs:
        group = name.split("]")[0].lstrip("[")
        passed, count = groups.get(group, (0, 0))
        groups[group] = (passed + (states.get(name) == "passed"), count + 1)
    for group, (passed, count) in sorted(groups.items()):
        print(f"kubernetes, {group}: {passed} of {count} specs passed")
    for name, expected in sorted(specs.items()):
        state = states.get(name, "did not run")
        if expected == PASSES and state != "passed":
            print(f"  {state}: {name}")
        if expected != PASSES and state == "passed":
            print(f"  passed, although specs.txt has it as a difference: {name}")
    passed = sum(passed for passed, _ in groups.values())
    print(f"kubernetes: {passed} of {len(specs)} specs passed")
    if not states:
        return 2
    return 0 if passed * 100 >= len(specs) * ENOUGH else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
