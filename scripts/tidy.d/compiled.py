"""Checks that need a tool: format, headers that compile alone, clang-tidy. Results are cached by content."""

import concurrent.futures
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from layout import own_header
from tree import CannotRun, say

OF_A_PROJECTS_TESTS = re.compile(r"^test/install/projects/[^/]+/test/")
DIAGNOSTIC = re.compile(r"^([^\s:][^:]*):(\d+):\d+: (?:error|warning|fatal error): (.*)$")


def check_format(tree):
    # Versions format differently, and .clang-format is tuned for this one.
    tool = shutil.which("clang-format-16")
    if not tool:
        print("tidy: the format is not checked, because clang-format-16 is not on PATH", file=sys.stderr)
        return []
    paths = sorted(tree.files)
    chunks = [paths[i::4] for i in range(4)]
    findings = []
    for output in parallel([lambda c=c: run(tree, [tool, "--dry-run", "-Werror", *c]) for c in chunks if c]):
        for path, line, _ in diagnostics(tree, output):
            findings.append(say(path, line, "format", f"run clang-format-16 -i {path}"))
    # One finding per file is enough, because the command fixes the whole file.
    first = {}
    for finding in findings:
        first.setdefault(finding.split(":")[0], finding)
    return list(first.values())


def check_headers(tree):
    """The build checks headers that their own source includes first; the others are compiled here. Headers of a project's
    tests include files that `keelson` generates: test/install/projects_test.sh compiles them."""
    commands = Commands(tree)
    proven = {own_header(tree, f.path) for f in tree.sources()}
    jobs = []
    for header in tree.headers():
        if header.path not in proven and not OF_A_PROJECTS_TESTS.match(header.path):
            flags = commands.flags_for(header.path)
            # As an include, because `#pragma once` gives a warning in the main file.
            command = [*flags, "-fsyntax-only", "-x", "c++", "-include", header.path, "/dev/null"]
            jobs.append((header.path, command))
    return cached_jobs(tree, "header", jobs, lambda text: f"does not compile alone: {text}")


def check_clang_tidy(tree, everything):
    tool = next((t for t in ("clang-tidy-16", "clang-tidy-18", "clang-tidy-19", "clang-tidy") if shutil.which(t)), None)
    if not tool:
        raise CannotRun("clang-tidy is not on PATH: run scripts/setup")
    commands = Commands(tree)
    changed = None if everything else tree.changed(os.environ.get("KEELSON_TIDY_BASE"))
    config = "".join((tree.root / p).read_text(encoding="utf-8") for p in tree.paths if p.endswith(".clang-tidy"))
    jobs = []
    for source in tree.sources():
        # Findings in tests are less important: --all includes them.
        if changed is None or everything or (source.path in changed and source.path.startswith("src/")):
            flags = commands.flags_for(source.path)[1:]
            command = [tool, "--quiet", source.path, "--", *flags, "-Wno-error", "-Wno-unknown-warning-option"]
            jobs.append((source.path, command))
    return cached_jobs(tree, "clang-tidy", jobs, str, config)


def cached_jobs(tree, rule, jobs, phrase, *depends):
    cache = Path(os.environ.get("KEELSON_TIDY_CACHE") or tree.root / "build/tidy")
    cache.mkdir(parents=True, exist_ok=True)

    def judge(path, command):
        digest = tree.digest(path, rule, version_of(command[0]), *relative(tree, command), *depends)
        verdict = cache / digest[:40]
        if verdict.exists():
            output = verdict.read_text(encoding="utf-8")
        else:
            output = run(tree, command)
            partial = verdict.with_suffix(f".{os.getpid()}")
            partial.write_text(output, encoding="utf-8")
            partial.rename(verdict)
        return [say(p, line, rule, phrase(text)) for p, line, text in diagnostics(tree, output)]

    return [f for found in parallel([lambda j=j: judge(*j) for j in jobs]) for f in found]


def relative(tree, command):
    """The command without the folder of the checkout, which does not affect the result."""
    return [word.replace(str(tree.root), ".") for word in command]


versions = {}


def version_of(tool):
    if tool not in versions:
        versions[tool] = subprocess.run([tool, "--version"], capture_output=True, text=True).stdout
    return versions[tool]


def diagnostics(tree, output):
    for line in output.splitlines():
        found = DIAGNOSTIC.match(line.replace(f"{tree.root}/", ""))
        # A finding inside a system header is caused by our code, and another finding names that place.
        if found and not found.group(1).startswith("/"):
            yield found.group(1), int(found.group(2)), found.group(3).removesuffix(",-warnings-as-errors]") + (
                "]" if found.group(3).endswith(",-warnings-as-errors]") else "")


def run(tree, command):
    done = subprocess.run(command, cwd=tree.root, capture_output=True, text=True)
    output = done.stdout + done.stderr
    if done.returncode != 0 and not any(True for _ in diagnostics(tree, output)):
        raise CannotRun(f"{shlex.join(command[:3])} … failed without a finding:\n{output[-2000:]}")
    return output


def parallel(jobs):
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        return [future.result() for future in [pool.submit(job) for job in jobs]]


class Commands:
    """The compiler flags of each file, from the compile_commands.json of preset dev."""

    def __init__(self, tree):
        database = tree.root / "build/dev/compile_commands.json"
        if not database.exists():
            self._configure(tree)
        self._by_folder, self._by_file = {}, {}
        for entry in json.loads(database.read_text(encoding="utf-8")):
            path = os.path.relpath(entry["file"], tree.root)
            flags = self._essential(shlex.split(entry["command"]))
            self._by_file[path] = flags
            self._by_folder.setdefault(os.path.dirname(path), flags)

    def flags_for(self, path):
        """The flags of the file itself, or else of another file in its folder: a folder is one target."""
        folder = os.path.dirname(path)
        if folder.startswith("include/keelson"):
            folder = re.sub("^include/keelson(/detail)?", "src", folder)
        found = self._by_file.get(path) or self._by_folder.get(folder) or self._by_folder.get("src/net")
        return found or next(iter(self._by_folder.values()))

    @staticmethod
    def _configure(tree):
        compiler = os.environ.get("CXX") or next((c for c in ("clang++-16", "clang++-18", "clang++-19", "clang++")
                                                  if shutil.which(c)), None)
        if not compiler:
            raise CannotRun("clang++ is not on PATH: run scripts/setup")
        done = subprocess.run(["cmake", "--preset", "dev", f"-DCMAKE_CXX_COMPILER={compiler}"], cwd=tree.root,
                              capture_output=True, text=True)
        if done.returncode != 0:
            raise CannotRun(f"cmake could not configure preset dev (scripts/setup?):\n{done.stderr[-2000:]}")

    @staticmethod
    def _essential(words):
        """The compiler and the flags that affect the meaning of the source, without input and output files."""
        kept, skip = [], False
        for word in words:
            if skip:
                skip = False
            # Precompiled headers (-Xclang -include-pch …) do not change the meaning.
            elif word in ("-o", "-c", "-MF", "-MT", "-MD", "-MQ", "-Xclang", "-Winvalid-pch"):
                skip = word not in ("-c", "-MD", "-Winvalid-pch")
            elif word.endswith("ccache") or word.endswith(".cpp") or word.endswith(".cc"):
                continue
            else:
                kept.append(word)
        # System folders are found without flags; paths in the home folder would prevent a shared cache.
        return kept
