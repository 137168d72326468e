#!/usr/bin/env python3
"""Figures next to those of the reference run in reference.json: figures.py BENCHMARK prints each line LABEL<tab>VALUE
of its input as a row, with the ratio to the reference. With STORE_REFERENCE=1 the values become the reference."""
import json
import os
import sys

REFERENCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "reference.json")


def reference_of(benchmark):
    """The values of the reference run by label; none for a benchmark that was never stored."""
    with open(REFERENCE) as file:
        return json.load(file).get(benchmark, {})


def store(benchmark, values):
    """Replaces these values of the reference run, if the user asks for it."""
    if os.environ.get("STORE_REFERENCE") != "1":
        return
    with open(REFERENCE) as file:
        reference = json.load(file)
    reference.setdefault(benchmark, {}).update(values)
    with open(REFERENCE, "w") as file:
        json.dump(reference, file, indent=1, sort_keys=True)
        file.write("\n")


def ratio(value, reference):
    """As text: "1.04"; "-" if there is no reference, or it is zero."""
    return f"{value / reference:.2f}" if reference else "-"


def main():
    benchmark, values = sys.argv[1], {}
    reference = reference_of(benchmark)
    for line in sys.stdin:
        label, text = line.rstrip("\n").split("\t")
        value = float(text)
        values[label] = value
        print(f"{label:44}{value:14,.6g}  {ratio(value, reference.get(label)):>6} of the reference", flush=True)
    store(benchmark, values)


if __name__ == "__main__":
    main()
