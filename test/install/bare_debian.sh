#!/usr/bin/env bash
# From a Debian 12 without anything to an operator: debootstrap installs the system in a folder, the library is installed into it, and
# an author's commands run there, without this repository. As root; it takes two minutes and is not part of the tests.
#
#   scripts/build && test/install/bare_debian.sh
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
mirror="${DEBIAN_MIRROR:-http://deb.debian.org/debian}"
root=""

fail() {
  printf 'bare debian: error: %s\n' "$*" >&2
  exit 1
}

finish() {
  [[ -n $root ]] || return 0
  umount "$root/proc" "$root/dev" 2>/dev/null || true
  # Without the mounts, or nothing: the folder must not contain the devices of this machine.
  if ! mountpoint -q "$root/dev"; then rm -rf "$root"; fi
}
trap finish EXIT

[[ $EUID -eq 0 ]] || fail "root is required: debootstrap and chroot need it"
command -v debootstrap >/dev/null || fail "debootstrap is missing (Debian and Ubuntu: apt-get install debootstrap)"
[[ -f build/release/libkeelson.a ]] || fail "build/release is missing: run scripts/build"
root="$(mktemp -d)"
# For the user _apt.
chmod 755 "$root"
debootstrap --variant=minbase bookworm "$root" "$mirror" >"$root.log" 2>&1 || fail "debootstrap failed: see $root.log"
mount --bind /proc "$root/proc"
mount --bind /dev "$root/dev"
cp /etc/resolv.conf "$root/etc/"
cmake --install build/release --prefix "$root/usr/local" >/dev/null

cat >"$root/root/author.sh" <<'AUTHOR'
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive HOME=/root
started=$SECONDS
say() { printf 'bare debian: %3d s: %s\n' "$((SECONDS - started))" "$*"; }

/usr/local/share/keelson/scripts/setup --operator >/root/setup.log
say "the compiler and the libraries are installed"
mkdir /root/website-operator
cd /root/website-operator
keelson init --domain example.com >/dev/null
printf 'y\ny\n' | keelson create api --group web --version v1 --kind Website >/dev/null
keelson create webhook --group web --version v1 --kind Website --defaulting --programmatic-validation >/dev/null
# A field of the spec, and a child.
sed -i 's|  std::string foo;|&\n  std::int32_t replicas = 1;|' src/website/website_types.hpp
sed -i 's|  d.field("foo"|  d.field("replicas", spec.replicas, "Number of pods.").minimum(0);\n&|' src/website/website_types.cpp
sed -i -e 's|  pass.ready(|  core::v1::ConfigMap page{.metadata = {.name = website.name()}, .data = {{"foo", website.spec.foo}}};\n  KEELSON_CO_TRY(co_await pass.apply(page));\n&|' \
  -e 's|#include "keelson/operator.hpp"|#include "keelson/api/core/v1/config_map.hpp"\n&|' \
  -e 's|  // +scaffold:definition|  definition.owns<core::v1::ConfigMap>();\n&|' src/website/website_controller.cpp
make test >/root/test.log 2>&1 || { cat /root/test.log; exit 1; }
say "the project is compiled, and its tests pass"
make lint >/root/lint.log 2>&1 || { cat /root/lint.log; exit 1; }
say "clang-tidy has no findings"
make test-e2e >/root/e2e.log 2>&1 || { cat /root/e2e.log; exit 1; }
say "the samples are Ready on keelson-sandbox"

keelson-sandbox --kubeconfig-out /root/kubeconfig >/root/sandbox.log 2>&1 &
sandbox=$!
until [[ -f /root/kubeconfig ]]; do sleep 0.1; done
export KUBECONFIG=/root/kubeconfig
make run ARGS=--metrics-bind-address=0 >/root/run.log 2>&1 &
until grep -q 'Starting workers' /root/run.log; do sleep 0.2; done
kubectl apply -k config/samples >/dev/null
kubectl wait website/website-sample --for=condition=Ready --timeout=180s >/dev/null
kubectl get configmap website-sample -o 'jsonpath={.data.foo}' | grep -qx bar
say "make run works against the sandbox"
make uninstall >/root/uninstall.log 2>&1 || { cat /root/uninstall.log; exit 1; }
say "make uninstall has removed the objects and the CRDs"
pkill -x manager || kill "$(pidof manager)"
kill "$sandbox"
ls -l bin/manager >/dev/null
say "the stripped program has $(stat -Lc %s bin/manager) bytes"
AUTHOR
chroot "$root" bash /root/author.sh
