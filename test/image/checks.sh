# Checks of the built image: its files, its user, and that it runs on a read-only file system. Sourced by scripts/image,
# whose `store`, `tag`, `arch` and `here` these functions use.

image_limit=9500000

check_image() {
  scratch="$(mktemp -d)"
  trap leave_image EXIT
  container="$("${store[@]}" from --pull-never --platform "linux/$arch" "$tag")"
  mounted="$("${store[@]}" mount "$container")"
  check_files
  check_settings
  make_root
  if [[ ${#command[@]} -eq 0 ]]; then
    say "linux/$arch does not run here: install qemu-user-static to have it tried"
  else
    check_commands
    check_serves
  fi
  # Without a shell, resolver files and certificates: scripts/check-release checks the binary for this without an image.
  if [[ $arch == "$here" ]]; then scripts/check-release "$mounted/manager"; fi
  say "$tag passed all checks"
}

container="" manager_pid=""
leave_image() {
  if [[ -n $manager_pid ]]; then kill -KILL "$manager_pid" 2>/dev/null || true; fi
  if [[ -n $container ]]; then
    "${store[@]}" umount "$container" >/dev/null 2>&1 || true
    "${store[@]}" rm "$container" >/dev/null 2>&1 || true
  fi
  rm -rf "$scratch"
}

passed() { printf '  ok  %s\n' "$*"; }

check_files() {
  local files size packed
  files="$(cd "$mounted" && find . -mindepth 1 ! -type d | sort | xargs)"
  [[ $files == "./etc/ssl/certs/ca-certificates.crt ./licenses/LICENSE ./licenses/THIRD-PARTY-NOTICES ./licenses/ca-certificates ./manager" ]] ||
    fail "the image contains not only /manager, certificate authorities and the licenses, but: $files"
  openssl crl2pkcs7 -nocrl -certfile "$mounted/etc/ssl/certs/ca-certificates.crt" | openssl pkcs7 -print_certs -noout |
    grep -c '^subject' | awk '$1 < 100 { exit 1 }' || fail "the image has less than 100 certificate authorities"
  cmp -s THIRD-PARTY-NOTICES "$mounted/licenses/THIRD-PARTY-NOTICES" || fail "the image has other notices than the repository"
  # Debian's own archives of OpenSSL, which setup uses if the source of a security update is missing, are larger.
  if grep -aqE 'OpenSSL [0-9.a-z]+ \(libssl-dev ' "$mounted/manager"; then image_limit=11200000; fi
  size="$(cat "$mounted/manager" "$mounted"/licenses/* "$mounted"/etc/ssl/certs/* | wc -c)"
  ((size < image_limit)) || fail "the image has $size bytes, and $image_limit is the limit"
  "${store[@]}" push -q "$tag" "oci-archive:$scratch/packed.tar"
  packed="$(stat -c %s "$scratch/packed.tar")"
  passed "nothing but /manager, /licenses and certificate authorities: $size bytes, $packed to be pulled; the limit is $image_limit"
}

# setting FORMAT: a part of the image's configuration
setting() { "${store[@]}" inspect --type image --format "{{$1}}" "$tag"; }

check_settings() {
  local label
  [[ $(setting .OCIv1.Config.User) == 65532:65532 ]] || fail "its user is $(setting .OCIv1.Config.User)"
  [[ $(setting .OCIv1.Config.Entrypoint) == "[/manager]" ]] || fail "its entrypoint is $(setting .OCIv1.Config.Entrypoint)"
  [[ $(setting .OCIv1.OS)/$(setting .OCIv1.Architecture) == "linux/$arch" ]] ||
    fail "it is for $(setting .OCIv1.OS)/$(setting .OCIv1.Architecture)"
  for label in title description licenses version revision; do
    [[ -n $(label_of "$label") ]] || fail "it has no label org.opencontainers.image.$label"
  done
  check_license_label
  passed "linux/$arch, user 65532:65532, entrypoint /manager, labels"
}

# The SPDX expression of all licenses that THIRD-PARTY-NOTICES names.
check_license_label() {
  local license
  for license in $(grep -ohE '\b(Apache|BSD|BSL|GPL|LGPL|GCC-exception)-[0-9][A-Za-z0-9.-]*|\b(MIT|ISC)\b' \
    <(grep '^  License: ' "$mounted/licenses/THIRD-PARTY-NOTICES") | sort -u); do
    [[ " $(label_of licenses) " == *" $license "* ]] || fail "its license label does not name $license: $(label_of licenses)"
  done
}

label_of() { setting "index .OCIv1.Config.Labels \"org.opencontainers.image.$1\""; }

# The image's files as a kubelet sets them up for a Pod: a service account, /etc/hosts, and nothing can be written.
make_root() {
  root="$scratch/root"
  local account="$root/var/run/secrets/kubernetes.io/serviceaccount"
  mkdir -p "$account" "$root/etc"
  cp "$mounted/manager" "$root/manager"
  printf '127.0.0.1 localhost\n' >"$root/etc/hosts"
  printf 'token' >"$account/token"
  printf 'keelson-system' >"$account/namespace"
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=test \
    -keyout "$scratch/key.pem" -out "$account/ca.crt" 2>/dev/null
  command=(/manager)
  [[ $arch == "$here" ]] || emulate
}

emulate() {
  local emulator machine
  case "$arch" in
    arm64) machine=aarch64 ;;
    amd64) machine=x86_64 ;;
  esac
  emulator="$(command -v "qemu-$machine-static" || true)"
  if [[ -z $emulator ]]; then
    command=()
    return
  fi
  cp "$emulator" "$root/emulator"
  command=(/emulator /manager)
}

# inside ENVIRONMENT... -- ARGUMENT...: replaces this shell by the program, so run it in a subshell.
inside() {
  local environment=()
  while [[ $1 != -- ]]; do environment+=("$1") && shift; done
  shift
  # shellcheck disable=SC2016
  exec unshare --mount bash -c '
    root=$1; shift
    mount --bind "$root" "$root" && mount -o remount,bind,ro "$root" && exec "$@"' bash "$root" \
    env -i "${environment[@]}" "$(command -v chroot)" --userspec=65532:65532 --groups= "$root" "${command[@]}" "$@"
}

check_commands() {
  local said
  said="$(inside -- version)" || fail "'version' exits with $?"
  [[ $said == "keelson $(label_of version)"$'\n'"commit $(label_of revision)"$'\n'* ]] ||
    fail "its labels say $(label_of version) and $(label_of revision), but 'version' says: $said"
  [[ $said == *"platform linux/$arch"* ]] || fail "'version' says: $said"
  passed "version: $(head -n 4 <<<"$said" | xargs)"
  said="$(inside -- schedule '0 9 * * mon' --timezone Europe/Berlin --from 2026-03-28T00:00:00Z --count 2 | xargs)" ||
    fail "'schedule' exits with $?"
  [[ $said == "2026-03-30T09:00:00+02:00 2026-04-06T09:00:00+02:00" ]] || fail "'schedule' says: $said"
  passed "schedule: $said"
  (inside -- --help) >"$scratch/help" 2>&1 || fail "'--help' exits with $?: $(cat "$scratch/help")"
  grep -q -- -leader-elect "$scratch/help" || fail "'--help' does not list the flags: $(cat "$scratch/help")"
  passed "--help: $(wc -l <"$scratch/help") lines"
}

# In a cluster whose API server does not answer: the manager is alive, and ends on SIGTERM.
check_serves() {
  local port=$((20000 + SRANDOM % 12000)) deadline=$((SECONDS + 20)) status=0
  (inside KUBERNETES_SERVICE_HOST=127.0.0.1 KUBERNETES_SERVICE_PORT=1 -- --leader-elect --metrics-bind-address=0 \
    "--health-probe-bind-address=127.0.0.1:$port") >"$scratch/log" 2>&1 &
  manager_pid=$!
  until curl --silent --fail --max-time 2 --output /dev/null "http://127.0.0.1:$port/healthz"; do
    kill -0 "$manager_pid" 2>/dev/null || fail "the manager has ended: $(tail -n 5 "$scratch/log")"
    ((SECONDS < deadline)) || fail "the manager does not answer: $(tail -n 5 "$scratch/log")"
    sleep 0.1
  done
  grep -q '^Uid:.*65532' "/proc/$manager_pid/status" || fail "it runs as $(grep ^Uid: "/proc/$manager_pid/status")"
  kill -TERM "$manager_pid"
  wait "$manager_pid" || status=$?
  manager_pid=""
  ((status == 0)) || fail "on SIGTERM it exits with $status: $(tail -n 5 "$scratch/log")"
  passed "as user 65532 on a read-only root it answers /healthz, and ends with 0 on SIGTERM"
}
