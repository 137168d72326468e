#!/usr/bin/env python3
"""Tests what scripts/release writes without a compiler: the images and the SBOMs. test/release/run tests a whole release."""

import gzip
import io
import json
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
IMAGE = ROOT / "scripts/release.d/oci_image.py"
SBOM = ROOT / "scripts/release.d/sbom.py"
TIME = "1700000000"
LIBRARIES = """Boost 1.83.0 (libboost1.83-dev 1.83.0-4.2~bpo12+1)
fmt 9.1.0 (libfmt-dev 9.1.0+ds1-2)
prometheus-cpp 1.0.1
tzdata 2025b
libstdc++ 12 (libstdc++-12-dev 12.2.0-14+deb12u1)
SQLite 3.40.1 (libsqlite3-dev 3.40.1-2+deb12u2)
"""


def run(*command):
    return subprocess.run([sys.executable, *map(str, command)], capture_output=True, text=True, check=False)


class InFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)


class Image(InFolder):
    def make(self, name):
        roots = []
        for arch in ("amd64", "arm64"):
            root = self.folder / arch
            (root / "licenses").mkdir(parents=True, exist_ok=True)
            (root / "tmp").mkdir(exist_ok=True)
            (root / "tmp").chmod(0o1777)
            (root / "program").write_text(arch)
            (root / "program").chmod(0o755)
            (root / "licenses/LICENSE").write_text("free")
            roots.append(f"{arch}={root}")
        done = run(IMAGE, "--output", self.folder / name, "--tag", "1.2.3", "--created", TIME, "--entrypoint", "/program",
                   "--label", "org.opencontainers.image.version=1.2.3", *roots)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def files(self, name):
        with tarfile.open(self.folder / name) as tar:
            return {member.name: tar.extractfile(member).read() for member in tar}

    def test_has_a_manifest_for_each_architecture(self):
        printed = dict(line.split() for line in self.make("one.tar").splitlines())
        files = self.files("one.tar")
        blob = lambda descriptor: files["blobs/sha256/" + descriptor["digest"].removeprefix("sha256:")]
        [named] = json.loads(files["index.json"])["manifests"]
        self.assertEqual(named["annotations"]["org.opencontainers.image.ref.name"], "1.2.3")
        manifests = json.loads(blob(named))["manifests"]
        self.assertEqual([one["platform"]["architecture"] for one in manifests], ["amd64", "arm64"])
        for one in manifests:
            arch = one["platform"]["architecture"]
            self.assertEqual(one["digest"], "sha256:" + printed[arch])
            manifest = json.loads(blob(one))
            config = json.loads(blob(manifest["config"]))
            self.assertEqual((config["architecture"], config["config"]["User"], config["config"]["Entrypoint"]),
                             (arch, "65532:65532", ["/program"]))
            self.assertEqual(config["config"]["Labels"], {"org.opencontainers.image.version": "1.2.3"})
            with tarfile.open(fileobj=io.BytesIO(gzip.decompress(blob(manifest["layers"][0])))) as layer:
                modes = {member.name: oct(member.mode) for member in layer}
                self.assertEqual(modes, {"licenses": "0o755", "licenses/LICENSE": "0o644", "program": "0o755", "tmp": "0o1777"})
                self.assertEqual({(member.uid, member.gid, member.mtime) for member in layer}, {(0, 0, int(TIME))})
                self.assertEqual(layer.extractfile("program").read(), arch.encode())

    def test_equal_input_gives_equal_bytes(self):
        self.make("one.tar")
        (self.folder / "amd64/program").touch()
        self.make("two.tar")
        self.assertEqual((self.folder / "one.tar").read_bytes(), (self.folder / "two.tar").read_bytes())


class Sbom(InFolder):
    def make(self, libraries, *more):
        (self.folder / "libraries.txt").write_text(libraries)
        return run(SBOM, "--name", "manager", "--version", "1.2.3", "--arch", "arm64", "--digest", "ab" * 32, "--created", TIME,
                   "--libraries", self.folder / "libraries.txt", "--output", self.folder / "out.json", *more)

    def packages(self, *more):
        done = self.make(LIBRARIES, *more)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.document = json.loads((self.folder / "out.json").read_text())
        return {one["name"]: one for one in self.document["packages"]}

    def test_lists_each_library_with_license_and_package(self):
        packages = self.packages("--package", "ca-certificates 2023 (ca-certificates 2023)")
        self.assertEqual({name: one["licenseDeclared"] for name, one in packages.items()},
                         {"manager": "Apache-2.0", "Boost": "BSL-1.0", "fmt": "MIT", "prometheus-cpp": "MIT",
                          "tzdata": "LicenseRef-public-domain", "SQLite": "LicenseRef-public-domain",
                          "libstdc++": "GPL-3.0-or-later WITH GCC-exception-3.1", "ca-certificates": "MPL-2.0"})
        self.assertIn("exception", packages["fmt"]["licenseComments"])
        locator = packages["Boost"]["externalRefs"][0]["referenceLocator"]
        self.assertTrue(locator.startswith("pkg:deb/") and "libboost1.83-dev@1.83.0-4.2~bpo12%2B1?arch=arm64" in locator, locator)
        self.assertEqual(packages["prometheus-cpp"]["externalRefs"][0]["referenceLocator"], "pkg:github/jupp0r/prometheus-cpp@v1.0.1")

    def test_each_package_is_related_and_has_an_identifier_of_its_own(self):
        packages = self.packages()
        identifiers = [one["SPDXID"] for one in packages.values()]
        self.assertEqual(len(set(identifiers)), len(identifiers))
        self.assertEqual({one["relatedSpdxElement"] for one in self.document["relationships"]}, set(identifiers))
        self.assertEqual(self.document["creationInfo"]["created"], "2023-11-14T22:13:20Z")

    def test_a_library_without_a_license_is_an_error(self):
        done = self.make("Unknown 1.0\n")
        self.assertEqual(done.returncode, 1)
        self.assertIn("THIRD-PARTY-NOTICES has no license of Unknown", done.stderr)


if __name__ == "__main__":
    unittest.main()
