#!/usr/bin/env python3
"""Measures operators that apply kinds of Kubernetes: kind_sizes.py PREFIX COMPILER

PREFIX is an installed Keelson. Builds operators outside this tree, as Release and stripped, prints what each kind adds to
the size of a program and how long a build takes, and fails if a limit is exceeded.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

KIND_LIMIT = 60 * 1024  # bytes that a kind may add to a program that applies another kind
COLD_LIMIT, EDIT_LIMIT = 25, 8  # seconds, on two cores, with five kinds
FIVE = ["ConfigMap", "Deployment", "Service", "StatefulSet", "PodDisruptionBudget"]
TEN = FIVE + ["Job", "Ingress", "ServiceAccount", "Role", "HorizontalPodAutoscaler"]

POD = '{.metadata = {.labels = {{"app", thing.name()}}}, .spec = {.containers = {{.name = "web", .image = thing.spec.text}}}}'
WORKLOAD = f'.spec = {{.selector = {{.match_labels = {{{{"app", thing.name()}}}}}}, .pod_template = {POD}}}'
# The fields that an operator sets; other kinds have only their name.
FIELDS = {
    "ConfigMap": '.data = {{"text", thing.spec.text}}',
    "DaemonSet": WORKLOAD,
    "Deployment": WORKLOAD,
    "HorizontalPodAutoscaler": '.spec = {.scale_target_ref = {.kind = "Deployment", .name = thing.name()}, .max_replicas = 3}',
    "Ingress": '.spec = {.rules = {{.host = thing.spec.text}}}',
    "Job": f".spec = {{.pod_template = {POD}}}",
    "PodDisruptionBudget": '.spec = {.selector = {{.match_labels = {{"app", thing.name()}}}}, .max_unavailable = kube::IntOrString(1)}',
    "ReplicaSet": WORKLOAD,
    "Role": '.rules = {{.verbs = {"get"}, .api_groups = {""}, .resources = {"pods"}}}',
    "Service": '.spec = {.ports = {{.name = "http", .port = 80}}, .selector = {{"app", thing.name()}}}',
    "StatefulSet": WORKLOAD,
}

OPERATOR = """#include "keelson/operator.hpp"

using namespace keelson;

namespace {

struct ThingSpec {
  std::string text;
};
void describe(kube::Description& d, ThingSpec& spec) { d.field("text", spec.text, "A text."); }

struct Thing : CustomResource<ThingSpec> {
  static constexpr kube::Identity kIdentity{"example.org", "v1", "Thing", "things"};
};

Reconciled reconcile(const Thing& thing, Pass<Thing>& pass) {
APPLIES
  pass.log.info("Applied.", {{"text", thing.spec.text}});
  co_return done();
}

}  // namespace

int main(int argc, char** argv) { return run("thing", argc, argv, {controller_for<Thing>(reconcile)OWNS}); }
"""

PROJECT = """cmake_minimum_required(VERSION 3.25)
project(kind_sizes CXX)
find_package(keelson REQUIRED)
file(GLOB sources *.cpp)
foreach(source ${sources})
  cmake_path(GET source STEM name)
  add_executable(${name} ${source})
  target_link_libraries(${name} PRIVATE keelson::keelson)
  target_link_options(${name} PRIVATE -static-pie -s -Wl,--gc-sections)
endforeach()
"""


def installed_kinds(prefix):
    """Kind: its header and its C++ name."""
    kinds = {}
    for header in sorted((prefix / "include/keelson/api").glob("*/v*/*.hpp")):
        for kind in re.findall(r"^struct (\w+) \{\n  static constexpr kube::Identity", header.read_text(), re.MULTILINE):
            group, version = header.parts[-3:-1]
            kinds[kind] = (header.relative_to(prefix / "include"), f"{group}::{version}::{kind}")
    return kinds


def operator(kinds, applied):
    includes = "".join(f'#include "{kinds[kind][0]}"\n' for kind in applied)
    applies, owns = "", ""
    for kind in applied:
        fields = "".join(f", {field}" for field in [FIELDS.get(kind)] if field)
        applies += f"  KEELSON_CO_TRY(co_await pass.apply({kinds[kind][1]}{{.metadata = {{.name = thing.name()}}{fields}}}));\n"
        owns += f".owns<{kinds[kind][1]}>()"
    return includes + OPERATOR.replace("APPLIES\n", applies).replace("OWNS", owns)


class Builds:
    def __init__(self, folder, prefix, compiler):
        self.folder, self.prefix, self.compiler = folder, prefix, compiler
        self.environment = dict(os.environ, CCACHE_DISABLE="1")

    def configure(self):
        (self.folder / "CMakeLists.txt").write_text(PROJECT)
        self.run("-S", self.folder, "-B", self.folder / "build", "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={self.compiler}",
                 f"-DCMAKE_PREFIX_PATH={self.prefix}", "-DCMAKE_BUILD_TYPE=Release")

    def run(self, *arguments):
        done = subprocess.run(["cmake", *arguments], env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            sys.exit(done.stdout)

    def seconds(self, name):
        begin = time.monotonic()
        self.build("--target", name)
        return time.monotonic() - begin

    def build(self, *options):
        self.run("--build", self.folder / "build", "--parallel", "2", *options)

    def size(self, name):
        return (self.folder / "build" / name).stat().st_size


def measure(prefix, compiler, folder):
    kinds = installed_kinds(prefix)
    others = [kind for kind in kinds if kind != "ConfigMap"]
    programs = {"none": [], "first": ["ConfigMap"], "service": ["Service"], "five": FIVE, "ten": TEN}
    programs |= {f"with_{kind}": ["ConfigMap", kind] for kind in others}
    for name, applied in programs.items():
        (folder / f"{name}.cpp").write_text(operator(kinds, applied))
    builds = Builds(folder, prefix, compiler)
    builds.configure()

    cold = builds.seconds("five")
    source = folder / "five.cpp"
    source.write_text(source.read_text().replace("Applied.", "Changed."))
    edit = builds.seconds("five")
    print(f"five kinds: built in {cold:.1f} s (limit {COLD_LIMIT}), after an edit in {edit:.1f} s (limit {EDIT_LIMIT})")

    builds.build()
    none, first = builds.size("none"), builds.size("first")
    print(f"no kind: {none:,} bytes; the first kind with the code of apply (ConfigMap): {first - none:,} more")
    for name in ("five", "ten"):
        count = len(programs[name])
        print(f"{count} kinds: {builds.size(name) - none:,} more, {(builds.size(name) - none) // count:,} per kind")
    # A kind shares the most structs with a large program, so it costs the most next to a single small kind.
    added = {kind: builds.size(f"with_{kind}") - first for kind in others}
    added["ConfigMap"] = builds.size("with_Service") - builds.size("service")
    for kind, size in sorted(added.items(), key=lambda item: -item[1]):
        print(f"  {kind:<24} {size:>8,} bytes{'  more than the limit' if size >= KIND_LIMIT else ''}")
    return max(added.values()) < KIND_LIMIT and cold <= COLD_LIMIT and edit <= EDIT_LIMIT


def main():
    if len(sys.argv) != 3:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        return 0 if measure(pathlib.Path(sys.argv[1]).resolve(), sys.argv[2], pathlib.Path(folder)) else 1


if __name__ == "__main__":
    sys.exit(main())
