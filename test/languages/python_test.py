"""Tests deploy/sandbox/python with the standard library alone: usage: python_test.py KEELSON-SANDBOX"""

import os
import ssl
import stat
import subprocess
import sys
import tempfile
import textwrap
import unittest
import urllib.request
from pathlib import Path

sys.dont_write_bytecode = True
PACKAGE = Path(__file__).resolve().parents[2] / "deploy/sandbox/python"
sys.path.insert(0, str(PACKAGE))

from keelson_sandbox import Sandbox, SandboxError  # noqa: E402


def program(folder, text):
    """A program in place of keelson-sandbox."""
    path = Path(folder) / "program"
    path.write_text("#!/bin/sh\n" + text)
    path.chmod(0o700)
    return str(path)


class Server(unittest.TestCase):
    def test_a_started_server_answers_and_its_kubeconfig_is_private(self):
        with Sandbox() as sandbox:
            path = Path(sandbox.kubeconfig)
            self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600)
            text = path.read_text()
            address = next(line.split()[-1].strip('"') for line in text.splitlines() if "server:" in line)
            with urllib.request.urlopen(address + "/readyz", context=ssl._create_unverified_context()) as reply:
                self.assertEqual(reply.read(), b"ok")
        self.assertFalse(path.exists())
        self.assertIsNone(sandbox.kubeconfig)

    def test_a_server_can_be_started_again_and_stopped_twice(self):
        sandbox = Sandbox()
        for _ in range(2):
            self.assertTrue(Path(sandbox.start().kubeconfig).exists())
            with self.assertRaisesRegex(SandboxError, "call stop"):
                sandbox.start()
            sandbox.stop()
            sandbox.stop()

    def test_a_rejected_flag_is_an_error_with_the_reason(self):
        with self.assertRaisesRegex(SandboxError, 'invalid value "x" for flag -port'):
            Sandbox("--port=x").start()

    def test_a_missing_program_is_an_error_that_names_the_variable(self):
        with self.assertRaisesRegex(SandboxError, "KEELSON_SANDBOX"):
            Sandbox(binary="/missing/keelson-sandbox").start()

    def test_a_server_that_does_not_become_ready_is_killed(self):
        with tempfile.TemporaryDirectory() as folder:
            sandbox = Sandbox(binary=program(folder, "echo loading\nexec sleep 1000\n"), start_timeout=0.2)
            with self.assertRaisesRegex(SandboxError, "was not ready after 0.2 s"):
                sandbox.start()

    def test_a_server_that_ignores_sigterm_is_killed_and_that_is_an_error(self):
        with tempfile.TemporaryDirectory() as folder:
            text = "trap '' TERM\necho ready: export KUBECONFIG=/none\nexec sleep 1000\n"
            sandbox = Sandbox(binary=program(folder, text), stop_timeout=0.2).start()
            with self.assertRaisesRegex(SandboxError, "exit status -9"):
                sandbox.stop()

    def test_an_interpreter_that_ends_without_stop_leaves_no_server(self):
        text = "from keelson_sandbox import Sandbox; s = Sandbox(); s.start(); print(s._process.pid)"
        done = subprocess.run([sys.executable, "-c", text], env={**os.environ, "PYTHONPATH": str(PACKAGE)},
                              capture_output=True, text=True, check=True)
        self.assertFalse(is_running(int(done.stdout)))


def is_running(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().split(")")[1].split()[0] != "Z"
    except OSError:
        return False


try:
    import pytest
except ImportError:
    pytest = None


@unittest.skipIf(pytest is None, "pytest is not installed")
class Plugin(unittest.TestCase):
    def test_fixtures_give_servers_for_the_session_and_for_a_test(self):
        self.run_pytest("""
            import pathlib
            def test_first(keelson_sandbox, new_keelson_sandbox):
                assert pathlib.Path(keelson_sandbox.kubeconfig).exists()
                assert keelson_sandbox.kubeconfig != new_keelson_sandbox.kubeconfig
                pathlib.Path("seen").write_text(keelson_sandbox.kubeconfig + " " + new_keelson_sandbox.kubeconfig)
            def test_second(keelson_sandbox, new_keelson_sandbox):
                session, single = pathlib.Path("seen").read_text().split()
                assert keelson_sandbox.kubeconfig == session
                assert not pathlib.Path(single).exists()
        """, "2 passed")

    def test_conftest_changes_the_flags(self):
        self.run_pytest("""
            import pytest
            @pytest.fixture(scope="session")
            def keelson_sandbox_arguments():
                return ["--port=x"]
            def test_start(keelson_sandbox):
                pass
        """, "for flag -port")

    def test_an_option_names_the_program(self):
        self.run_pytest("def test_start(keelson_sandbox): pass", "/missing/program", "--keelson-sandbox=/missing/program")

    def run_pytest(self, text, expected, *options):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "server_test.py").write_text(textwrap.dedent(text))
            environment = {**os.environ, "PYTHONPATH": str(PACKAGE), "PYTHONDONTWRITEBYTECODE": "1"}
            done = subprocess.run([sys.executable, "-m", "pytest", "-p", "keelson_sandbox.pytest_plugin", *options,
                                   "server_test.py"], cwd=folder, env=environment, capture_output=True, text=True)
        self.assertIn(expected, done.stdout + done.stderr)


if __name__ == "__main__":
    os.environ["KEELSON_SANDBOX"] = sys.argv.pop()
    unittest.main()
