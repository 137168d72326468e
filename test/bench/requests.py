#!/usr/bin/env python3
"""Counts one client's requests in an audit log: requests.py LOG USER_AGENT OFFSET prints verb, resource, code, count."""
import collections
import json
import sys


def summary(event):
    stage = "ResponseStarted" if event["verb"] == "watch" else "ResponseComplete"
    if event["stage"] != stage:
        return None
    about = event.get("objectRef", {})
    resource = about.get("resource", "?")
    if "subresource" in about:
        resource += "/" + about["subresource"]
    return event["verb"], resource, event.get("responseStatus", {}).get("code", 0)


def main():
    log, agent, offset = sys.argv[1], sys.argv[2], int(sys.argv[3])
    counts = collections.Counter()
    with open(log, "rb") as lines:
        lines.seek(offset)
        for line in lines:
            # The last line may be incomplete.
            if agent.encode() not in line or not line.endswith(b"\n"):
                continue
            event = json.loads(line)
            if event.get("userAgent", "").startswith(agent + "/"):
                counts[summary(event)] += 1
    del counts[None]
    for (verb, resource, code), count in sorted(counts.items()):
        print(f"  {verb:8}{resource:24}{code:4}{count:8}")
    print(f"  all but watches{sum(n for key, n in counts.items() if key[0] != 'watch'):25}")


main()
