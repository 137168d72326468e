#!/usr/bin/env python3
"""An API server with a property that a healthy one does not have: altering_proxy.py PORT ALTERATION

Forwards the requests of clients without credentials to the server of $KUBECONFIG, as its user, and alters the replies:

  old-version        /version is that of Kubernetes 1.20
  other-clock        the header Date is an hour ahead
  no-streamed-lists  a watch with sendInitialEvents is rejected, as by a server without WatchList
  no-bookmarks       watches have no bookmarks
  not-established    no CustomResourceDefinition is established
  stale-cache        the /statusz of each pod has a watch that fails, and an item of Attention
  hang               the first replies arrive; later ones, also those of watches, never end
"""
import base64
import datetime
import email.utils
import http.client
import http.server
import json
import pathlib
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.parse

ALTERATIONS = ("old-version", "other-clock", "no-streamed-lists", "no-bookmarks", "not-established", "stale-cache", "hang")
HOUR = datetime.timedelta(hours=1)
OLD_VERSION = {"major": "1", "minor": "20", "gitVersion": "v1.20.0"}
REJECTION = {"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "Invalid", "code": 422,
             "message": "sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch"}
STATUSZ = {"kind": "Statusz", "attention": [{"what": "Keys of memcached fail", "details": "2 keys are retried with backoff"}],
           "informers": [{"resource": "deployments.apps", "problem": "forbidden", "failingSeconds": 75.5}]}
HOP_BY_HOP = {"connection", "content-length", "transfer-encoding", "host", "authorization", "accept-encoding"}


class ApiServer:
    """The server and the user of the current context."""

    def __init__(self):
        text = subprocess.run(["kubectl", "config", "view", "--raw", "--minify", "-o", "json"], check=True, capture_output=True).stdout
        config = json.loads(text)
        cluster, user = config["clusters"][0]["cluster"], config["users"][0]["user"]
        self.url = urllib.parse.urlparse(cluster["server"])
        self.headers = {"Authorization": "Bearer " + user["token"]} if "token" in user else {}
        self.tls = ssl.create_default_context(cadata=pem_of(cluster, "certificate-authority"))
        certificate = pem_of(user, "client-certificate")
        if certificate:
            with tempfile.NamedTemporaryFile("w", suffix=".pem") as pair:
                pair.write(certificate + "\n" + pem_of(user, "client-key"))
                pair.flush()
                self.tls.load_cert_chain(pair.name)

    def request(self, method, path, body, headers):
        connection = http.client.HTTPSConnection(self.url.hostname, self.url.port, context=self.tls)
        connection.request(method, path, body, {**headers, **self.headers})
        return connection.getresponse()


def pem_of(entry, name):
    if name + "-data" in entry:
        return base64.b64decode(entry[name + "-data"]).decode()
    return pathlib.Path(entry[name]).read_text() if name in entry else None


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_of_cluster = None
    alteration = ""

    def forward(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        headers = {name: value for name, value in self.headers.items() if name.lower() not in HOP_BY_HOP}
        if self.alteration == "no-streamed-lists" and "sendInitialEvents" in self.path:
            return self.reply_with(422, json.dumps(REJECTION).encode(), [("Content-Type", "application/json")])
        if self.alteration == "stale-cache" and self.path.endswith("/proxy/statusz"):
            return self.reply_with(200, json.dumps(STATUSZ).encode(), [("Content-Type", "application/json")])
        if self.alteration == "hang" and self.path != "/version":
            self.start(200, [("Content-Type", "application/json")])
            self.end_headers()
            self.wfile.flush()
            return time.sleep(120)
        reply = self.server_of_cluster.request(self.command, self.path, body, headers)
        if "watch=true" in self.path:
            return self.stream(reply)
        self.reply_with(reply.status, self.altered(reply.read()), reply.getheaders())

    do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = forward

    def altered(self, body):
        if self.alteration == "old-version" and self.path == "/version":
            return json.dumps(OLD_VERSION).encode()
        if self.alteration == "not-established" and "/customresourcedefinitions/" in self.path:
            definition = json.loads(body)
            for condition in definition.get("status", {}).get("conditions", []):
                if condition["type"] == "Established":
                    condition["status"] = "False"
            return json.dumps(definition).encode()
        return body

    def start(self, status, headers):
        self.send_response_only(status)
        for name, value in headers:
            if name.lower() == "date" and self.alteration == "other-clock":
                value = email.utils.format_datetime(email.utils.parsedate_to_datetime(value) + HOUR, usegmt=True)
            if name.lower() not in HOP_BY_HOP:
                self.send_header(name, value)
        self.send_header("Connection", "close")

    def reply_with(self, status, body, headers):
        self.start(status, headers)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def stream(self, reply):
        self.start(reply.status, reply.getheaders())
        self.end_headers()
        for line in iter(reply.readline, b""):
            if self.alteration == "no-bookmarks" and b'"type":"BOOKMARK"' in line:
                continue
            self.wfile.write(line)
            self.wfile.flush()

    def log_message(self, *_):
        pass


def main():
    port, Handler.alteration = int(sys.argv[1]), sys.argv[2]
    if Handler.alteration not in ALTERATIONS:
        sys.exit(__doc__)
    Handler.server_of_cluster = ApiServer()
    http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()


main()
