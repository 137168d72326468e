#!/usr/bin/env python3
"""Writes the SBOM of a program or of an image: SPDX 2.3 as JSON, with the libraries that are linked into it.

usage: sbom.py --name NAME --version VERSION --arch ARCH --digest SHA256 --libraries FILE --created SECONDS --output FILE
               [--package "NAME VERSION (PACKAGE REVISION)"]...

SHA256 is that of the program, or of the manifest of the image. LIBRARIES is build/PRESET/linked-libraries/PROGRAM.txt, a line for each library as in `PROGRAM version`. Their licenses are
those of THIRD-PARTY-NOTICES. --package adds what else an image has. SECONDS is a Unix time. The same input
gives the same bytes.
"""

import argparse
import datetime
import json
import pathlib
import re
import sys
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LIBRARY = re.compile(r"^(?P<name>\S+) (?P<version>\S+)(?: \((?P<package>\S+) (?P<revision>\S+)\))?$")
NOTICE = re.compile(r"^(\S+)\n  License: (.+)$", re.MULTILINE)
# Licenses without an identifier of SPDX.
PUBLIC_DOMAIN = "LicenseRef-public-domain"
# Of libraries that are not from a package of the distribution.
SOURCES = {"prometheus-cpp": "pkg:github/jupp0r/prometheus-cpp@v{version}"}
# Other licenses than that of Keelson and those in THIRD-PARTY-NOTICES.
OTHER_LICENSES = {"ca-certificates": "MPL-2.0"}


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n\n")[0])
    for flag in ("name", "version", "arch", "digest", "libraries", "created", "output"):
        parser.add_argument(f"--{flag}", required=True)
    parser.add_argument("--package", action="append", default=[])
    given = parser.parse_args()
    lines = pathlib.Path(given.libraries).read_text(encoding="utf-8").splitlines() + given.package
    made = document(given, [library(line, given.arch) for line in lines])
    pathlib.Path(given.output).write_text(json.dumps(made, indent=2) + "\n", encoding="utf-8")


def document(given, libraries):
    created = datetime.datetime.fromtimestamp(int(given.created), datetime.timezone.utc)
    title = f"{given.name}-{given.version}-linux-{given.arch}"
    subject = {
        "SPDXID": "SPDXRef-subject",
        "name": given.name,
        "versionInfo": given.version,
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "checksums": [{"algorithm": "SHA256", "checksumValue": given.digest}],
        "licenseConcluded": "Apache-2.0",
        "licenseDeclared": "Apache-2.0",
        "copyrightText": "NOASSERTION",
    }
    relations = [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": "SPDXRef-subject"}]
    relations += [{"spdxElementId": "SPDXRef-subject", "relationshipType": "STATIC_LINK", "relatedSpdxElement": one["SPDXID"]}
                  if one["name"] not in OTHER_LICENSES else
                  {"spdxElementId": "SPDXRef-subject", "relationshipType": "CONTAINS", "relatedSpdxElement": one["SPDXID"]}
                  for one in libraries]
    made = {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": title,
        "documentNamespace": f"https://keelson.dev/spdx/{title}-{given.digest[:16]}",
        "creationInfo": {"created": created.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Organization: Keelson", "Tool: scripts/release"]},
        "packages": [subject] + libraries,
        "relationships": relations,
    }
    if any(PUBLIC_DOMAIN in one["licenseDeclared"] for one in libraries):
        made["hasExtractedLicensingInfos"] = [
            {"licenseId": PUBLIC_DOMAIN, "name": "public domain", "extractedText": "The authors have put this work in the public domain."}]
    return made


def library(line, arch):
    found = LIBRARY.match(line)
    if not found:
        raise SystemExit(f"sbom: not NAME VERSION (PACKAGE REVISION): {line!r}")
    name, version, package, revision = found.group("name", "version", "package", "revision")
    license_text = OTHER_LICENSES.get(name) or licenses().get(name)
    if not license_text:
        raise SystemExit(f"sbom: THIRD-PARTY-NOTICES has no license of {name}")
    # "LGPL-2.1-or-later; parts: …": the identifier is followed by a remark.
    identifier, _, remark = re.match(r"([^,;]+)([,;] )?(.*)", license_text).groups()
    identifier = PUBLIC_DOMAIN if identifier == "public domain" else identifier
    made = {
        "SPDXID": "SPDXRef-" + re.sub("[^A-Za-z0-9.-]", "-", name.replace("+", "-plus")),
        "name": name,
        "versionInfo": version,
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "licenseConcluded": identifier,
        "licenseDeclared": identifier,
        "copyrightText": "NOASSERTION",
    }
    if remark:
        made["licenseComments"] = remark
    url = package_url(name, version, package, revision, arch)
    if url:
        made["externalRefs"] = [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": url}]
    return made


def licenses():
    return dict(NOTICE.findall((ROOT / "THIRD-PARTY-NOTICES").read_text(encoding="utf-8")))


def package_url(name, version, package, revision, arch):
    """Where the library is from; "": no package, such as the zones that the build compiles from tzdata."""
    if not package:
        return SOURCES.get(name, "").format(version=version)
    system = dict(line.split("=", 1) for line in pathlib.Path("/etc/os-release").read_text(encoding="utf-8").splitlines() if "=" in line)
    distribution = system["ID"].strip('"')
    release = f"{distribution}-{system.get('VERSION_ID', '').strip(chr(34))}"
    return f"pkg:deb/{distribution}/{package}@{urllib.parse.quote(revision, safe='')}?arch={arch}&distro={release}"


if __name__ == "__main__":
    sys.exit(main())
