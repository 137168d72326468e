#!/usr/bin/env python3
"""Compares /statusz, as Chromium shows it, with the objects of the cluster.

usage: check_page.py OUTPUT OBJECTS: OUTPUT has dom.html and statusz.json of the page, OBJECTS has objects.json and lease.json of kubectl.
"""

import collections
import html.parser
import json
import pathlib
import sys


class Page(html.parser.HTMLParser):
    """The sections of the page by title: facts by name, and the rows of all tables as lists of texts."""

    def __init__(self):
        super().__init__()
        self.sections = {}
        self.charts = 0
        self.tags = collections.Counter()
        self.section = self.sections.setdefault("", {"facts": {}, "rows": []})
        self.text = None
        self.name = ""

    def handle_starttag(self, tag, attributes):
        self.tags[tag] += 1
        self.charts += tag == "path" and ("class", "line") in attributes
        if tag in ("h2", "dt", "dd", "td", "th"):
            self.text = ""
        if tag == "tr":
            self.section["rows"].append([])

    def handle_data(self, data):
        if self.text is not None:
            self.text += data

    def handle_endtag(self, tag):
        if tag == "h2":
            self.section = self.sections.setdefault(self.text, {"facts": {}, "rows": []})
        elif tag == "dt":
            self.name = self.text
        elif tag == "dd":
            self.section["facts"][self.name] = self.text
        elif tag in ("td", "th"):
            self.section["rows"][-1].append(self.text)
        if tag in ("h2", "dt", "dd", "td", "th"):
            self.text = None


def main():
    output, objects = (pathlib.Path(folder) for folder in sys.argv[1:])
    page = Page()
    page.feed((output / "dom.html").read_text())
    status = json.loads((output / "statusz.json").read_text())
    lease = json.loads((objects / "lease.json").read_text())
    counts = collections.Counter(item["kind"] for item in json.loads((objects / "objects.json").read_text())["items"])
    problems = []

    def check(what, found, expected):
        if found != expected:
            problems.append(f"{what}: {found!r}, expected {expected!r}")

    for kind, resource in (("Memcached", "memcacheds.memcached.cache.example.com"), ("Deployment", "deployments.apps")):
        row = next((row for row in page.sections["Informers"]["rows"] if row and row[0].split(" ")[0] == resource), None)
        check(f"objects of {resource}", row and row[1], str(counts[kind]))
        from_json = next((one["objects"] for one in status["informers"] if one["resource"] == resource), None)
        check(f"objects of {resource} in the JSON", from_json, counts[kind])
    check("holder", page.sections["Leader election"]["facts"].get("Holder"), lease["spec"]["holderIdentity"])
    check("identity", page.sections["Leader election"]["facts"].get("Identity"), lease["spec"]["holderIdentity"])
    check("state", page.sections["Leader election"]["facts"].get("State", "").split(" ")[0], "leader")
    memcached = next(row for row in page.sections["Controllers"]["rows"] if row and row[0] == "memcached")
    check("reconciles are counted", int(memcached[5]) >= counts["Memcached"], True)
    check("scripts, images and links to assets", [page.tags[tag] for tag in ("script", "img", "link", "iframe", "object")], [0] * 5)
    check("charts are drawn", page.charts >= 4, True)
    for title in ("Attention", "Controllers", "Keys", "Informers", "Leader election", "Webhooks", "Connections", "Recent errors", "Build"):
        check(f"section {title}", title in page.sections, True)
    for problem in problems:
        print(f"statusz: {problem}")
    sys.exit(1 if problems else 0)


main()
