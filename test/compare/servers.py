"""A real API server and a keelson-sandbox, and what they answer."""

import base64
import http.client
import json
import os
import re
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.parse
from dataclasses import dataclass, field

READY_WITHIN = 60  # seconds


def fail(message):
    print(f"compare: error: {message}", file=sys.stderr)
    sys.exit(2)


@dataclass
class Request:
    method: str
    path: str
    body: object = None
    content_type: str = "application/json"
    about: str = ""  # what was changed, for the report
    kind: str = ""

    @property
    def changes_nothing(self):
        return "dryRun=All" in self.path or self.kind.endswith("Review")

    def text(self):
        """As kubectl and Go's clients write JSON: without blanks, which the real server retains in raw fields."""
        return "" if self.body is None else self.body if isinstance(self.body, str) else json.dumps(self.body, separators=(",", ":"))


@dataclass
class Reply:
    status: int
    text: str
    warnings: list = field(default_factory=list)

    def json(self):
        try:
            return json.loads(self.text)
        except ValueError:
            return self.text


class Api:
    """One connection to the server of a kubeconfig, as the user of its current context."""

    def __init__(self, kubeconfig, kubectl="kubectl"):
        command = [kubectl, "config", "view", "--raw", "--minify", "--flatten", "-o", "json"]
        view = json.loads(subprocess.check_output([*command, "--kubeconfig", kubeconfig], text=True))
        cluster, user = view["clusters"][0]["cluster"], (view.get("users") or [{}])[0].get("user", {})
        self.url = urllib.parse.urlsplit(cluster["server"])
        # The users of two kubeconfigs have different names, which are in some replies.
        self.headers = {"Accept": "application/json", "Impersonate-User": "compare", "Impersonate-Group": "system:masters"}
        if "token" in user:
            self.headers["Authorization"] = "Bearer " + user["token"]
        self.tls = ssl.create_default_context(cadata=decoded(cluster, "certificate-authority-data"))
        if "client-certificate-data" in user:
            with tempfile.NamedTemporaryFile("w") as pair:
                pair.write(decoded(user, "client-certificate-data") + "\n" + decoded(user, "client-key-data"))
                pair.flush()
                self.tls.load_cert_chain(pair.name)
        self.connection = None

    def ask(self, request):
        for attempt in range(3):
            self.connection = self.connection or self.connect()
            headers = {**self.headers, "Content-Type": request.content_type}
            try:
                self.connection.request(request.method, request.path, request.text().encode() or None, headers)
                reply = self.connection.getresponse()
                text = reply.read().decode(errors="replace")
            except (http.client.HTTPException, OSError) as error:
                self.connection.close()
                self.connection = None
                if attempt == 2:
                    return Reply(0, f"no reply: {type(error).__name__}")
                continue
            return Reply(reply.status, text, reply.headers.get_all("Warning") or [])

    def connect(self):
        host, port = self.url.hostname, self.url.port or 443
        return http.client.HTTPSConnection(host, port, context=self.tls, timeout=READY_WITHIN)

    def get(self, path):
        reply = self.ask(Request("GET", path))
        if reply.status != 200:
            fail(f"GET {path}: {reply.status} {reply.text[:300]}")
        return reply.json()


def decoded(values, key):
    return base64.b64decode(values[key]).decode() if key in values else None


class Sandbox:
    """A keelson-sandbox without controllers; the end of the `with` block kills it."""

    def __init__(self, program):
        self.folder = tempfile.TemporaryDirectory()
        self.kubeconfig = os.path.join(self.folder.name, "kubeconfig")
        self.log = os.path.join(self.folder.name, "log")
        command = [program, "--kubeconfig-out", self.kubeconfig, "--no-controllers", "--authorization", "rbac"]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=open(self.log, "w"))
        began = time.monotonic()
        while not (os.path.exists(self.kubeconfig) and re.search("token: .", open(self.kubeconfig).read())):
            if self.process.poll() is not None or time.monotonic() - began > READY_WITHIN:
                self.process.kill()
                fail(f"{program} is not ready:\n{open(self.log).read()}")
            time.sleep(0.01)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.folder.cleanup()
