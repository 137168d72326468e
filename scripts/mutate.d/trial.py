"""Compiles one mutated source, links it before the archives of a test binary, and runs the tests."""

import json
import os
import re
import resource
import shlex
import shutil
import signal
import subprocess
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from tree import CannotRun

ROOT = Path(__file__).resolve().parents[2]

# The test binaries of a room next to its own, cheapest first: some behavior only shows one level up. Tests of test_sim are
# selected by the name of their file, without those that crash a manager at every write: one takes as long as all others.
ALSO = {
    "schema": ["test_kube"],
    "kubeconfig": ["test_loopback"],
    "kube": ["test_loopback"],
    "tls": ["test_net"],
    "cache": ["test_loopback", "test_controller"],
    "queue": ["test_controller"],
    "leader": ["test_sim [#leader_test],[#takeover_test]"],
    "webhook": ["test_loopback"],
    "controller": ["test_memcached", "test_cronjob", "test_bluegreen", "test_sim [#memcached_test]~*crash*~*seed*"],
    "sandbox": ["test_loopback", "test_controller", "test_sim [#memcached_test]~*crash*~*seed*,[#cronjob_test]~*crash*"],
}

# Tests of test_sim that run every controller.
OF_ALL_CONTROLLERS = ["promises_test", "tenant_test"]

# A mutant in an endless loop may also allocate or print without end.
MEMORY = 3 << 30
OUTPUT = 64 << 20
# A test may take this many times its usual duration, because other programs may use the machine too.
PATIENCE = 6
LEAST_SECONDS = 20


@dataclass
class Verdict:
    outcome: str  # caught, survived, uncompiled
    by: str = ""


class Bench:
    """The test binaries of build/dev: their link commands, and how long they take; they must pass without a mutant."""

    def __init__(self, root, scratch):
        self.root = root
        self.build = root / "build/dev"
        self.scratch = scratch
        self.commands = {}
        self.links = {}
        self.usual = {}
        self.measuring = {}

    def prepare(self, rooms):
        """Builds the tests of these rooms, because mutants are linked with their objects."""
        targets = sorted({binary.split()[0] for room in rooms for binary in binaries(room)})
        self._must(["scripts/build", "dev", *targets], "cannot build the tests")
        for entry in json.loads((self.build / "compile_commands.json").read_text(encoding="utf-8")):
            path = os.path.relpath(entry["file"], self.root)
            # Only sources in an archive; the tests and the programs are not in one.
            if " -o CMakeFiles/keelson_" in entry["command"]:
                self.commands[path] = entry["command"]
        printed = self._must(["ninja", "-C", str(self.build), "-t", "commands", *targets], "cannot link the tests")
        for line in printed.splitlines():
            named = re.search(r" -o \S*/(test_\w+) ", line)
            if named and named.group(1) in targets:
                self.links[named.group(1)] = shlex.split(line.removeprefix(": && ").removesuffix(" && :"))
        compiler = self.links[targets[0]][0]
        # lld is several times as fast as GNU ld, and linking is half of the time.
        probe = subprocess.run([compiler, "-fuse-ld=lld", "-Wl,--version"], capture_output=True)
        self.linker = ["-fuse-ld=lld"] if probe.returncode == 0 else []

    def _must(self, command, failure):
        done = subprocess.run(command, cwd=self.root, capture_output=True, text=True)
        if done.returncode != 0:
            raise CannotRun(f"{failure}: {(done.stdout + done.stderr)[-2000:]}")
        return done.stdout

    def try_mutant(self, place, room, text, number):
        folder = self.scratch / str(number)
        folder.mkdir(parents=True)
        try:
            unit = self._compile(place, text, folder)
            if unit is None:
                return Verdict("uncompiled")
            for binary in binaries(room):
                verdict = self._run_with(unit, binary, folder)
                if verdict.outcome != "survived":
                    return verdict
            return Verdict("survived")
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _compile(self, place, text, folder):
        source = folder / os.path.basename(place.path)
        source.write_text(place.apply(text), encoding="utf-8")
        command = shlex.split(self.commands[place.path])
        unit = folder / "mutant.o"
        command[command.index("-o") + 1] = str(unit)
        command[command.index("-c") + 1] = str(source)
        done = subprocess.run([*command, "-w", "-g0"], cwd=self.build, capture_output=True)
        return unit if done.returncode == 0 else None

    def _run_with(self, unit, binary, folder):
        target, *chosen = binary.split()
        limit = self._time_limit(binary)
        command = list(self.links[target])
        program = folder / target
        command[command.index("-o") + 1] = str(program)
        # Before the archives, so that the linker does not take the archive's own member.
        command.insert(1, str(unit))
        linked = subprocess.run([*command, *self.linker, "-Wl,--strip-debug"], cwd=self.build, capture_output=True, text=True)
        if linked.returncode != 0:
            return Verdict("uncompiled", linked.stderr[-300:])
        ended, output = run_tests(program, chosen, limit, folder)
        if ended is None:
            return Verdict("caught", f"{target}: not done in {limit:.0f} s (usually {self.usual[binary]:.1f} s)")
        return Verdict("survived") if ended == 0 else Verdict("caught", f"{target}: {failed_test(output)}")

    def _time_limit(self, binary):
        with self.measuring.setdefault(binary, threading.Lock()):
            if binary not in self.usual:
                self.usual[binary] = self._measure(binary)
        return max(LEAST_SECONDS, PATIENCE * self.usual[binary])

    def _measure(self, binary):
        target, *chosen = binary.split()
        folder = self.scratch / f"usual-{target}-{threading.get_ident()}"
        folder.mkdir(parents=True)
        started = time.monotonic()
        ended, output = run_tests(self._program(target), chosen, 600, folder)
        shutil.rmtree(folder, ignore_errors=True)
        if ended != 0:
            raise CannotRun(f"{binary} fails without a mutant: {failed_test(output)}")
        return time.monotonic() - started

    def _program(self, target):
        command = self.links[target]
        return self.build / command[command.index("-o") + 1]


def binaries(room):
    return [f"test_{room}", *ALSO.get(room, []), *simulations(room)]


def simulations(kind):
    """The simulations of a controller: test/sim/<kind>_*test.cpp, and those of all controllers."""
    if not (ROOT / "src/kinds" / kind).is_dir():
        return []
    own = sorted(path.stem for path in (ROOT / "test/sim").glob(f"{kind}_*test.cpp"))
    files = [stem for stem in own if not re.search(r"crash|month", stem)] + OF_ALL_CONTROLLERS
    return ["test_sim " + ",".join(f"[#{stem}]~*crash*~*seed*" for stem in files)]


def run_tests(program, chosen, limit, folder):
    """(exit status, output) of a test binary up to its first failure; the status is None after a timeout."""
    def confine():
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_FSIZE, (OUTPUT, OUTPUT))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    log = folder / "output"
    with open(log, "wb") as output:
        child = subprocess.Popen([str(program), "--abort", "-#", *chosen], cwd=folder, stdin=subprocess.DEVNULL, stdout=output,
                                 stderr=subprocess.STDOUT, start_new_session=True, preexec_fn=confine)
        try:
            ended = child.wait(timeout=limit)
        except subprocess.TimeoutExpired:
            ended = None
        # The whole group, because some tests start processes.
        try:
            os.killpg(child.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        child.wait()
    with open(log, "rb") as output:
        return ended, output.read(4 << 20).decode(errors="replace")


def failed_test(output):
    named = re.search(r"^-{70,}\n(.+)\n", output, re.M)
    return f'"{named.group(1).strip()}"' if named else output.strip()[-120:].replace("\n", " ")
