#!/usr/bin/env python3
"""Looks at pages in headless Chromium at the widths of a laptop and of a phone: nothing may be cut or scroll to the side.

usage: browser.py BROWSER OUTPUT URL...

Writes a screenshot of each page at each width to OUTPUT and prints what is wrong. It talks to Chromium by its pipe for debuggers, because the pages
allow no scripts, and because windows of headless Chromium are at least 500 pixels wide.
"""

import base64
import json
import os
import pathlib
import subprocess
import sys
import tempfile

WIDTHS = {"laptop": 1366, "phone": 390}

# The page must not scroll to the side, and each cell must show its text: not wider than the cell, within the window, and not broken into
# columns of a few letters.
MEASURE = """(() => {
  const problems = [], width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > width) problems.push(`the page is ${document.documentElement.scrollWidth} pixels wide`);
  for (const cell of document.querySelectorAll('td')) {
    if (!cell.textContent) continue;
    const text = cell.textContent.slice(0, 40), box = cell.getBoundingClientRect();
    const range = document.createRange();
    range.selectNodeContents(cell);
    const lines = new Set([...range.getClientRects()].map(line => Math.round(line.top))).size;
    if (cell.scrollWidth > Math.ceil(box.width)) problems.push(`"${text}" is wider than its cell`);
    if (box.right > width + 1 && !cell.closest('.scroll')) problems.push(`"${text}" is outside of the window`);
    if (width < 640 && box.right > width + 1) problems.push(`"${text}" is outside of the window`);
    if (width < 640 && lines > 3 && cell.textContent.length / lines < 12) problems.push(`"${text}" is cut into ${lines} lines`);
    if (width < 640 && !getComputedStyle(cell, '::before').content.includes(cell.dataset.c || '-')) problems.push(`"${text}" has no name`);
  }
  return {problems, cells: document.querySelectorAll('td').length, width};
})()"""


class Browser:
    """A Chromium that reads commands from its file 3 and writes replies to its file 4, each ended by a NUL."""

    def __init__(self, program, profile):
        to_read, self.to = os.pipe()
        self.replies, from_write = os.pipe()
        # The child gets them as 3 and 4.
        shell = f'exec 3<&{to_read} 4>&{from_write}; exec "$@"'
        flags = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update",
                 "--disable-sync", "--hide-scrollbars", "--remote-debugging-pipe", f"--user-data-dir={profile}"]
        self.process = subprocess.Popen(["bash", "-c", shell, "bash", program, *flags], pass_fds=(to_read, from_write), stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(from_write)
        self.buffer = b""
        self.last = 0
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Page.enable")

    def message(self):
        while b"\0" not in self.buffer:
            piece = os.read(self.replies, 65536)
            if not piece:
                raise SystemExit("browser: chromium ended")
            self.buffer += piece
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **parameters):
        self.last += 1
        command = {"id": self.last, "method": method, "params": parameters}
        if hasattr(self, "session"):
            command["sessionId"] = self.session
        os.write(self.to, json.dumps(command).encode() + b"\0")
        while True:
            reply = self.message()
            if reply.get("id") == self.last:
                if "error" in reply:
                    raise SystemExit(f"browser: {method}: {reply['error']}")
                return reply["result"]

    def open(self, url, width):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=width < 640)
        self.call("Page.navigate", url=url)
        while self.message().get("method") != "Page.loadEventFired":
            pass

    def evaluate(self, script):
        return self.call("Runtime.evaluate", expression=script, returnByValue=True)["result"]["value"]

    def screenshot(self, path):
        image = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True)["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(image))

    def close(self):
        self.process.kill()
        self.process.wait()


def main():
    program, output, *urls = sys.argv[1:]
    problems = 0
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = Browser(program, profile)
        for url in urls:
            for name, width in WIDTHS.items():
                browser.open(url, width)
                found = browser.evaluate(MEASURE)
                page = url.rstrip("/").rsplit("/", 1)[-1].split("?")[0]
                browser.screenshot(pathlib.Path(output) / f"{page}-{name}.png")
                if found["width"] != width or found["cells"] == 0:
                    found["problems"].append(f"it has {found['cells']} cells at a width of {found['width']}")
                for problem in found["problems"][:20]:
                    print(f"statusz: {url} at {width} pixels: {problem}")
                problems += len(found["problems"])
        browser.close()
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
