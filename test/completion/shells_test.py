#!/usr/bin/env python3
"""Types command lines into bash, zsh and fish, each in a pseudo-terminal, and completes them with the scripts of the programs.

usage: shells_test.py KEELSON MANAGER

A shell that is not installed is skipped.
"""

import os
import pathlib
import pty
import re
import select
import shutil
import sys
import tempfile
import time
import unittest

PROGRAMS = [pathlib.Path(argument).resolve() for argument in sys.argv[1:]]
SECONDS = 60
TAB, LINE_START = "\t", "\x01"
# Colors, cursor movements, titles of windows and other escapes.
ESCAPES = re.compile(r"\x1b(\[[0-9;?<>=]*[A-Za-z]|\][^\x07\x1b]*(\x07|\x1b\\)|[()][A-Z0-9]|[=>a-zA-Z])")

SHELLS = {
    "bash": (["--norc", "--noprofile", "-i"], "source <({program} completion bash)"),
    "zsh": (["-f", "-i"], "autoload -Uz compinit; compinit -u -D; source <({program} completion zsh)"),
    "fish": (["--no-config", "-i"], "{program} completion fish | source"),
}


class Terminal:
    def __init__(self, shell, folder):
        arguments, self.load = SHELLS[shell]
        self.pid, self.descriptor = pty.fork()
        if self.pid == 0:
            folders = [str(program.parent) for program in PROGRAMS] + ["/usr/local/bin", "/usr/bin", "/bin"]
            os.chdir(folder)
            os.execve(shutil.which(shell), [shell, *arguments],
                      {"HOME": folder, "TERM": "xterm", "PATH": ":".join(folders), "LC_ALL": "C.UTF-8"})
        self.output = ""

    def close(self):
        os.close(self.descriptor)
        os.waitpid(self.pid, 0)

    def write(self, text):
        os.write(self.descriptor, text.encode())

    def read_until(self, pattern):
        """Reads until the output has the pattern, and returns the match."""
        deadline = time.monotonic() + SECONDS
        while time.monotonic() < deadline:
            found = re.search(pattern, self.output)
            if found:
                return found
            if select.select([self.descriptor], [], [], 1)[0]:
                self.output += os.read(self.descriptor, 65536).decode(errors="replace")
                # Programs ask a terminal for its attributes, and wait for the answer.
                if "\x1b[c" in self.output or "\x1b[0c" in self.output:
                    self.write("\x1b[?62c")
                self.output = ESCAPES.sub("", self.output).replace("\r", "\n")
        raise AssertionError(f"no {pattern!r} within {SECONDS} s in: {self.output[-2000:]}")

    def run(self, line, pattern):
        self.output = ""
        self.write(line + "\n")
        return self.read_until(pattern)


class Completion(unittest.TestCase):
    def shells(self):
        """A terminal of each installed shell, in which the scripts of both programs are loaded."""
        for shell in SHELLS:
            if not shutil.which(shell):
                print(f"{shell} is not installed", file=sys.stderr)
                continue
            with self.subTest(shell), tempfile.TemporaryDirectory() as folder:
                terminal = Terminal(shell, folder)
                try:
                    for program in PROGRAMS:
                        terminal.run(terminal.load.format(program=program.name), ".")
                    # The text is not that of the command line, which the terminal echoes.
                    terminal.run("printf 'rea%s\\n' dy", r"(?m)^ready")
                    yield terminal
                finally:
                    terminal.close()

    def completed(self, terminal, typed):
        """The command line after TAB: it is printed by the shell itself."""
        terminal.write(typed + TAB)
        time.sleep(0.5)
        return terminal.run(LINE_START + "printf 'line: %s\\n' '" + "\x05'", r"(?m)^line: (.*)").group(1).rstrip()

    def test_commands_flags_and_values(self):
        for terminal in self.shells():
            for typed, expected in (("keelson ini", "keelson init"),
                                    ("keelson create w", "keelson create webhook"),
                                    ("keelson create api --nam", "keelson create api --namespaced"),
                                    ("manager doc", "manager doctor"),
                                    ("manager doctor --output j", "manager doctor --output json"),
                                    ("manager --leader-elect --metrics-s", "manager --leader-elect --metrics-secure")):
                with self.subTest(typed):
                    self.assertEqual(self.completed(terminal, typed), expected)

    def test_several_words_are_listed(self):
        for terminal in self.shells():
            terminal.output = ""
            terminal.write("keelson create " + TAB + TAB)
            terminal.read_until(r"(?s)api.*webhook")

    def test_names_of_files_complete_other_values(self):
        for terminal in self.shells():
            terminal.run("touch values-of-flags.yaml; printf 'touc%s\\n' hed", r"(?m)^touched")
            self.assertEqual(self.completed(terminal, "manager --config values-o"), "manager --config values-of-flags.yaml")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
