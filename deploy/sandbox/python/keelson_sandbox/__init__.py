"""Starts keelson-sandbox, a Kubernetes API server in one binary, from Python. Documentation: docs/sandbox-in-tests.md."""

import atexit
import collections
import logging
import os
import shutil
import subprocess
import threading

__all__ = ["Sandbox", "SandboxError"]

_READY = "export KUBECONFIG="
_log = logging.getLogger("keelson_sandbox")


class SandboxError(Exception):
    """The server could not be started, or did not end properly. The text has its last lines of output."""


class Sandbox:
    """A server, usually in a `with` statement:

        with Sandbox("--no-controllers") as sandbox:
            kubernetes.config.load_kube_config(sandbox.kubeconfig)

    `arguments` are flags of keelson-sandbox. `binary` is the program; by default the variable KEELSON_SANDBOX names it, or
    it is in PATH. Timeouts are in seconds. The output of the server goes to the logger `keelson_sandbox`.
    """

    def __init__(self, *arguments, binary=None, start_timeout=20, stop_timeout=20):
        self.arguments = arguments
        self.binary = binary or os.environ.get("KEELSON_SANDBOX") or "keelson-sandbox"
        self.start_timeout = start_timeout
        self.stop_timeout = stop_timeout
        self.kubeconfig = None
        """The path of the kubeconfig of a started server."""
        self._process = None
        self._reader = None
        self._ready = threading.Event()
        # A server may log for days.
        self._output = collections.deque(maxlen=100)

    def start(self):
        """Returns this server when it is ready to answer requests."""
        if self._process is not None:
            raise SandboxError("keelson-sandbox is running: call stop() first")
        program = shutil.which(self.binary)
        if program is None:
            raise SandboxError(f"there is no program {self.binary}: download keelson-sandbox, and add its folder to PATH "
                               "or give its path in the variable KEELSON_SANDBOX")
        self._ready.clear()
        self._output.clear()
        self._process = subprocess.Popen([program, *self.arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                         stderr=subprocess.STDOUT, text=True, errors="replace")
        # An interpreter that ends without stop() leaves no server behind.
        atexit.register(self._process.kill)
        self._reader = threading.Thread(target=self._read, args=(self._process.stdout,), daemon=True)
        self._reader.start()
        self._ready.wait(self.start_timeout)
        if self.kubeconfig is None:
            is_late = self._process.poll() is None and not self._ready.is_set()
            self._end(self._process.kill)
            reason = f"was not ready after {self.start_timeout} s" if is_late else "did not start"
            raise SandboxError(f"keelson-sandbox {reason}: {self._last_lines()}")
        return self

    def stop(self):
        """Stops the server, which removes its kubeconfig. A further call has no effect."""
        if self._process is None:
            return
        code = self._end(self._process.terminate)
        if code != 0:
            raise SandboxError(f"keelson-sandbox ended with exit status {code}: {self._last_lines()}")

    def __enter__(self):
        return self.start()

    def __exit__(self, *error):
        self.stop()

    def _end(self, signal):
        process, self._process, self.kubeconfig = self._process, None, None
        signal()
        try:
            process.wait(self.stop_timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        self._reader.join()
        process.stdout.close()
        atexit.unregister(process.kill)
        return process.returncode

    def _read(self, lines):
        for line in lines:
            _, found, path = line.rstrip("\n").partition(_READY)
            if found and not self._ready.is_set():
                self.kubeconfig = path
                self._ready.set()
            else:
                self._output.append(line)
                _log.info("%s", line.rstrip("\n"))
        # The end of the output is the end of the server: start() must not wait any longer.
        self._ready.set()

    def _last_lines(self):
        return "".join(self._output).strip() or "it printed nothing"
