#!/usr/bin/env python3
"""scripts/mutate finds each place of a small source that it must know, and none outside of code."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.dont_write_bytecode = True
sys.path[:0] = [str(ROOT / "scripts/mutate.d"), str(ROOT / "scripts/tidy.d")]

import places  # noqa: E402
import tree  # noqa: E402

SOURCE = r'''
#include <vector>  // 1 < 2
#if 1 < 2
#endif
std::vector<int> all(const Text& text, int&& limit) {
  // if (a < b) return 1;
  if (text == "a < 1") return {};
  if (auto found = find(text)) use(*found);
  if (auto size = text.size(); size > limit && is_open()) break;
  wait(100ms, seconds(3));
  pass.log.info("2 < 3", {{"more", limit > 2}}, 2);
  KEELSON_ASSERT(limit != 7 && fits(8));
  (a ? b : c).d = x - y;
  co_await stream.write(first, [] { tell(); });
}
'''

EXPECTED = '''
7 comparison `==` -> `!=`
7 condition `text == "a < 1"` -> `!(text == "a < 1")`
7 exit removed `return {};`
8 call removed `use(*found);`
9 condition `size > limit && is_open()` -> `!(size > limit && is_open())`
9 comparison `>` -> `>=`
9 logic `&&` -> `||`
9 exit removed `break;`
10 call removed `wait(100ms, seconds(3));`
10 duration `100` -> `0`
10 duration `100` -> `200`
10 duration `3` -> `0`
10 duration `3` -> `6`
13 arithmetic `-` -> `+`
14 call removed `co_await stream.write(first, [] { tell(); });`
14 call removed `tell();`
'''


class Sample(tree.File):
    def __init__(self, text):
        self.path, self.text, self.lines, self._code = "sample.cpp", text, text.split("\n"), None


def main():
    found = places.find(Sample(SOURCE))
    lines = [f"{place.line} {place.kind} {place.change}" for place in found]
    expected = EXPECTED.strip().split("\n")
    for line in sorted(set(lines) ^ set(expected)):
        print(f"{'missing' if line in expected else 'unexpected'}: {line}")
    # An edit above a listed mutant must not change its digest, and two equal lines are two places.
    moved = places.find(Sample("\n\n" + SOURCE))
    doubled = places.find(Sample(SOURCE + SOURCE))
    keeps = [p.digest for p in moved] == [p.digest for p in found]
    differ = len({p.digest for p in doubled}) == len(doubled) == 2 * len(found)
    if not keeps or not differ:
        print(f"digests: stay when lines move: {keeps}; are different for equal lines: {differ}")
    return 0 if sorted(lines) == sorted(expected) and keeps and differ else 1


if __name__ == "__main__":
    sys.exit(main())
