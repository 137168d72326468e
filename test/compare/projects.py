"""The custom resource definitions and samples of public projects, as JSON, from a folder of mirrors or downloaded."""

import json
import os
import re
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from servers import fail

LIST = Path(__file__).parent / "projects.txt"
MOST_FILES = 60  # of the samples of a project
CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "keelson/compare"


@dataclass
class Project:
    name: str
    commit: str
    crds: list
    samples: list


def listed():
    lines = [line.split() for line in LIST.read_text().splitlines() if line and not line.startswith("#")]
    return [Project(name, commit, crds.split(","), samples.split(",")) for name, commit, crds, samples in lines]


def load(project, mirrors):
    """(definitions, samples): each is a list of objects. Read once, then from the cache."""
    cached = CACHE / (project.name.replace("/", "+") + "@" + project.commit + ".json")
    if not cached.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        content = read(project, repository(project, mirrors))
        cached.with_suffix(".new").write_text(json.dumps(content))
        cached.with_suffix(".new").rename(cached)
    return json.loads(cached.read_text())


def repository(project, mirrors):
    """A git directory with the commit: a mirror's, or a download's."""
    if mirrors:
        for form in (project.name, project.name.replace("/", "+")):
            for end in ("", "repo", ".git"):
                folder = Path(mirrors) / form / end
                if (folder / "HEAD").exists() or (folder / ".git").exists():
                    return folder
    folder = CACHE / "repositories" / project.name.replace("/", "+")
    if not folder.exists():
        url = f"https://github.com/{project.name}"
        fetched = subprocess.run(["git", "init", "-q", "--bare", folder]).returncode == 0 and (
            subprocess.run(["git", "-C", folder, "fetch", "-q", "--depth", "1", url, project.commit]).returncode == 0
        )
        if not fetched:
            subprocess.run(["rm", "-rf", folder])
            fail(f"{url} cannot be downloaded: name a folder of mirrors with --mirrors, or skip it with --only")
    return folder


def git(folder, *arguments):
    return subprocess.run(["git", "-C", folder, *arguments], capture_output=True).stdout.decode(errors="replace")


def read(project, folder):
    files = [name for name in git(folder, "ls-tree", "-r", "--name-only", project.commit).splitlines() if is_yaml(name)]
    definitions = []
    for name in files:
        if any(name.startswith(below + "/") for below in project.crds):
            text = git(folder, "show", f"{project.commit}:{name}")
            if re.search("^kind: *CustomResourceDefinition", text, re.MULTILINE):
                definitions += [item for item in as_json(text) if item.get("kind") == "CustomResourceDefinition"]
    groups = {item.get("spec", {}).get("group", "") for item in definitions} - {""}
    if not groups:
        fail(f"{project.name} has no definitions in {', '.join(project.crds)}")
    used = re.compile("^apiVersion: *['\"]?(" + "|".join(map(re.escape, groups)) + ")/", re.MULTILINE)
    samples = []
    for name in files:
        if any(name.startswith(below + "/") for below in project.samples) and len(samples) < MOST_FILES:
            text = git(folder, "show", f"{project.commit}:{name}")
            if used.search(text):
                samples += [item for item in as_json(text) if str(item.get("apiVersion", "")).partition("/")[0] in groups]
    return definitions, samples


def is_yaml(name):
    return name.endswith((".yaml", ".yml"))


def as_json(text):
    """The objects of a YAML file, as kubectl reads it; none of a file that it cannot read, such as a template."""
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        file.write(text)
        file.flush()
        command = ["kubectl", "patch", "--local", "--type=merge", "-p", "{}", "-o", "json", "-f", file.name]
        output = subprocess.run(command, capture_output=True, text=True).stdout
    decoder, objects, at = json.JSONDecoder(), [], 0
    while output[at:].strip():
        at += len(output[at:]) - len(output[at:].lstrip())
        item, at = decoder.raw_decode(output, at)
        objects.append(item)
    return objects
