# Compiles the control plane from the Go modules in this folder, once for each version of them.
# Sourced by scripts/cluster.

kubernetes_version=v1.36.3

# A line for each binary: module folder, package, name.
control_plane="\
etcd go.etcd.io/etcd/server/v3 etcd
kubernetes k8s.io/kubernetes/cmd/kube-apiserver kube-apiserver
kubernetes k8s.io/kubernetes/cmd/kube-controller-manager kube-controller-manager
kubernetes k8s.io/kubernetes/cmd/kube-scheduler kube-scheduler
kubernetes k8s.io/kubernetes/cmd/kubectl kubectl
kwok sigs.k8s.io/kwok/cmd/kwok kwok
kube-rbac-proxy github.com/brancz/kube-rbac-proxy/cmd/kube-rbac-proxy kube-rbac-proxy
kustomize sigs.k8s.io/kustomize/kustomize/v5 kustomize"

# The folder of the binaries. Changed modules have a different folder, so a stale binary is never used.
assets_dir() {
  if [[ -n ${KUBEBUILDER_ASSETS:-} ]]; then
    printf '%s' "$KUBEBUILDER_ASSETS"
    return
  fi
  local digest
  digest="$(cat "$modules"/*/go.mod | sha256sum | cut -c1-8)"
  printf '%s/keelson/assets/%s-%s' "${XDG_CACHE_HOME:-$HOME/.cache}" "$kubernetes_version" "$digest"
}

# Only the binaries of the whole control plane can run pods; envtest's three cannot.
has_controllers() { [[ -z ${KUBEBUILDER_ASSETS:-} ]]; }

# The control plane and the programs that tests use with it, or only the clients.
build_what_is_needed() {
  if [[ -n $sandbox ]]; then build_clients; else build_control_plane; fi
}

build_control_plane() {
  local assets binary
  assets="$(assets_dir)"
  if ! has_controllers; then
    for binary in etcd kube-apiserver kubectl; do
      [[ -x $assets/$binary ]] || fail "KUBEBUILDER_ASSETS=$assets has no $binary; unset it to build the control plane instead"
    done
    return 0
  fi
  # shellcheck disable=SC2046 # one word a binary
  build_binaries "$assets" $(cut -d' ' -f3 <<<"$control_plane")
}

# kubectl and kustomize, which precede those on PATH once they are built. Until then those on PATH are used, if they
# support what the tests need.
build_clients() {
  local assets missing=()
  assets="$(assets_dir)"
  [[ -x $assets/kubectl ]] || kubectl_on_path_will_do || missing+=(kubectl)
  [[ -x $assets/kustomize ]] || command -v kustomize >/dev/null || missing+=(kustomize)
  [[ ${#missing[@]} -eq 0 ]] || build_binaries "$assets" "${missing[@]}"
}

# 1.31 has all flags that the tests use.
kubectl_on_path_will_do() {
  local minor
  minor="$(command kubectl version --client --output=json 2>/dev/null | sed -n 's/.*"minor": "\([0-9]*\).*/\1/p')"
  [[ -n $minor && $minor -ge 31 ]]
}

# build_binaries FOLDER NAME...
build_binaries() {
  local assets=$1 module package binary
  shift
  if all_built "$assets" "$@"; then return 0; fi

  command -v go >/dev/null || fail "no 'go' on PATH to compile $* with; run scripts/setup"
  mkdir -p "$assets"
  # Two builds at the same time would do the same work twice and each take twice as long.
  exec {build_lock}>"$assets/.lock"
  if ! flock -n "$build_lock"; then
    say "another build of the control plane is under way: waiting for it"
    flock "$build_lock"
  fi
  say "compiling into $assets (once; all of the control plane takes about 10 minutes on 2 cores from nothing)"
  while read -r module package binary; do
    [[ " $* " != *" $binary "* || -x $assets/$binary ]] || build_binary "$assets" "$module" "$package" "$binary"
  done <<<"$control_plane"
  exec {build_lock}>&-
}

all_built() {
  local assets=$1 binary
  shift
  for binary in "$@"; do
    [[ -x $assets/$binary ]] || return 1
  done
}

build_binary() {
  local assets=$1 module=$2 package=$3 binary=$4 started=$SECONDS
  local minor="${kubernetes_version#v1.}"
  say "  $binary ..."
  local stamp=k8s.io/component-base/version
  local kustomize="-X sigs.k8s.io/kustomize/api/provenance.version=$(awk '/kustomize\/v5 v/ { print $2 }' "$modules/kustomize/go.mod")"
  # Without a version stamp, the API server reports v0.0.0-master, which misleads clients.
  # The child closes the lock: a daemon that `go` leaves behind must not hold it.
  (cd "$modules/$module" && CGO_ENABLED=0 GOWORK=off go build -mod=readonly -trimpath -buildvcs=false \
    -ldflags "-s -w -X $stamp.gitVersion=$kubernetes_version -X $stamp.gitMajor=1 -X $stamp.gitMinor=${minor%%.*} $kustomize" \
    -o "$assets/.$binary.partial" "$package") {build_lock}>&- ||
    fail "go could not build $package in test/cluster/$module (see above); it needs the Go module proxy and about 8 GB of disk"
  # A rename is atomic: a binary that exists is complete.
  mv "$assets/.$binary.partial" "$assets/$binary"
  say "  $binary: $((SECONDS - started)) s"
}
