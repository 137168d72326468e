#!/usr/bin/env python3
"""Writes an image for several architectures as a tar file with the layout of the OCI: no daemon and no registry is needed.

usage: oci_image.py --output FILE --tag TAG --created SECONDS --entrypoint PATH [--label KEY=VALUE]... ARCH=FOLDER...

Each FOLDER is the root of the file system on an architecture, and becomes a layer. The process runs as user and group 65532.
SECONDS is a Unix time: that of the image, and of all its files. The same input gives the same bytes. Prints the architecture
and the SHA-256 of each manifest.
`skopeo copy oci-archive:FILE docker://…` and `docker-daemon:…` read the file.
"""

import argparse
import datetime
import gzip
import hashlib
import io
import json
import pathlib
import stat
import sys
import tarfile

# distroless/static:nonroot, kubebuilder's base, has this user.
USER = "65532:65532"
OCI = "application/vnd.oci.image."


class Layout:
    """The files of an OCI image layout, by path."""

    def __init__(self):
        self.files = {"oci-layout": json_bytes({"imageLayoutVersion": "1.0.0"})}

    def add(self, media_type, content, **more):
        """Stores the content, and returns its descriptor."""
        digest = hashlib.sha256(content).hexdigest()
        self.files[f"blobs/sha256/{digest}"] = content
        return {"mediaType": OCI + media_type, "digest": f"sha256:{digest}", "size": len(content), **more}


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n\n")[0])
    for flag in ("output", "tag", "created", "entrypoint"):
        parser.add_argument(f"--{flag}", required=True)
    parser.add_argument("--label", action="append", default=[])
    parser.add_argument("roots", nargs="+")
    given = parser.parse_args()
    seconds = int(given.created)
    labels = dict(label.split("=", 1) for label in given.label)
    layout = Layout()
    images = [image(layout, *root.split("=", 1), seconds, given.entrypoint, labels) for root in given.roots]
    for one in images:
        print(one["platform"]["architecture"], one["digest"].removeprefix("sha256:"))
    index = {"schemaVersion": 2, "mediaType": OCI + "index.v1+json", "manifests": images, "annotations": labels}
    named = layout.add("index.v1+json", json_bytes(index), annotations={"org.opencontainers.image.ref.name": given.tag})
    layout.files["index.json"] = json_bytes({"schemaVersion": 2, "mediaType": OCI + "index.v1+json", "manifests": [named]})
    entries = {name: (content, 0o644) for name, content in layout.files.items()}
    pathlib.Path(given.output).write_bytes(tar_of(entries, seconds))


def image(layout, arch, folder, seconds, entrypoint, labels):
    """Adds the layer, the configuration and the manifest of one architecture; returns the manifest's descriptor."""
    content = tar_of(files_of(pathlib.Path(folder)), seconds)
    layer = layout.add("layer.v1.tar+gzip", gzip.compress(content, compresslevel=9, mtime=0))
    created = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    config = {
        "created": created,
        "architecture": arch,
        "os": "linux",
        "config": {"User": USER, "Entrypoint": [entrypoint], "WorkingDir": "/", "Labels": labels},
        "rootfs": {"type": "layers", "diff_ids": ["sha256:" + hashlib.sha256(content).hexdigest()]},
        "history": [{"created": created, "created_by": "scripts/release"}],
    }
    manifest = {
        "schemaVersion": 2,
        "mediaType": OCI + "manifest.v1+json",
        "config": layout.add("config.v1+json", json_bytes(config)),
        "layers": [layer],
        "annotations": labels,
    }
    return layout.add("manifest.v1+json", json_bytes(manifest), platform={"architecture": arch, "os": "linux"})


def files_of(folder):
    """(content, mode) of each file by its path, None for a folder."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        found[name] = (None if path.is_dir() else path.read_bytes(), mode_of(path))
    if not found:
        raise SystemExit(f"oci_image: {folder} is empty")
    return found


def mode_of(path):
    """The mode, whatever the umask was: everybody may write to a folder with the sticky bit, such as /tmp."""
    bits = path.stat().st_mode
    if path.is_dir() and bits & stat.S_ISVTX:
        return 0o1777
    return 0o755 if path.is_dir() or bits & stat.S_IXUSR else 0o644


def tar_of(files, seconds):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for name, (content, mode) in sorted(files.items()):
            entry = tarfile.TarInfo(name)
            entry.mtime, entry.mode = seconds, mode
            if content is None:
                entry.type = tarfile.DIRTYPE
                tar.addfile(entry)
            else:
                entry.size = len(content)
                tar.addfile(entry, io.BytesIO(content))
    return out.getvalue()


def json_bytes(value):
    return json.dumps(value, separators=(",", ":"), sort_keys=True).encode()


if __name__ == "__main__":
    sys.exit(main())
