"""A connection to the API server of $KUBECONFIG for the measurements: requests and watches, with the time of each."""
import base64
import http.client
import json
import os
import ssl
import subprocess
import tempfile
import threading
import urllib.parse

CONNECTIONS = 4
MERGE_PATCH = {"Content-Type": "application/merge-patch+json"}


class ApiServer:
    """The server and user of the current context of kubectl; every connection is a new one over TLS."""

    def __init__(self):
        text = subprocess.run(["kubectl", "config", "view", "--raw", "--minify", "-o", "json"], check=True, capture_output=True).stdout
        config = json.loads(text)
        cluster, user = config["clusters"][0]["cluster"], config["users"][0]["user"]
        self.address = urllib.parse.urlparse(cluster["server"])
        self.headers = {"Authorization": "Bearer " + user["token"]} if "token" in user else {}
        self.tls = ssl.create_default_context(cafile=cluster.get("certificate-authority"), cadata=decoded(cluster.get("certificate-authority-data")))
        if "client-certificate-data" in user:
            with tempfile.NamedTemporaryFile("w", suffix=".pem") as pair:
                pair.write(decoded(user["client-certificate-data"]) + "\n" + decoded(user["client-key-data"]))
                pair.flush()
                self.tls.load_cert_chain(pair.name)
        elif "client-certificate" in user:
            self.tls.load_cert_chain(user["client-certificate"], user["client-key"])

    def connect(self):
        return Connection(self)

    def in_parallel(self, work, count):
        """Calls work(connection, number) for each number, on a few connections; raises the first failure."""
        failures = []

        def run(part):
            connection = self.connect()
            try:
                for number in range(part, count, CONNECTIONS):
                    work(connection, number)
            except (OSError, RuntimeError) as error:
                failures.append(error)

        threads = [threading.Thread(target=run, args=(part,)) for part in range(CONNECTIONS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if failures:
            raise failures[0]


class Connection:
    """Sends one request at a time."""

    def __init__(self, server):
        self.server = server
        self.http = http.client.HTTPSConnection(server.address.hostname, server.address.port, context=server.tls, timeout=60)

    def send(self, method, path, body=None, headers=None):
        """Returns the JSON of the reply; raises RuntimeError for a status of 300 or higher."""
        text = None if body is None else json.dumps(body)
        self.http.request(method, path, text, {"Content-Type": "application/json", **self.server.headers, **(headers or {})})
        reply = self.http.getresponse()
        content = reply.read()
        if reply.status >= 300:
            raise RuntimeError(f"{method} {path}: {reply.status} {content[:300]}")
        return json.loads(content)

    def watch(self, path):
        """Opens a watch and returns its events, from now on. The connection serves nothing else after that."""
        version = self.send("GET", path + "?limit=1")["metadata"]["resourceVersion"]
        self.http.request("GET", f"{path}?watch=true&resourceVersion={version}", headers=self.server.headers)
        return (json.loads(line) for line in iter(self.http.getresponse().readline, b""))


def decoded(data):
    return None if data is None else base64.b64decode(data).decode()


def percentile(sorted_values, fraction):
    """The nearest rank."""
    return sorted_values[max(0, -(-int(fraction * 1000) * len(sorted_values) // 1000) - 1)]
