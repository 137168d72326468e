# The processes of a cluster: start, find and stop each of them. Sourced by scripts/cluster.
#
# The command line of each is written to the cluster's folder when the cluster is created; a start or restart of a
# component runs it. A pid file counts only while its process has the cluster's folder in its command line, so
# a process of another program that got the same pid is never signalled.

components() {
  # keelson-sandbox is the API server and needs no etcd.
  if [[ -e $dir/command/etcd ]]; then printf 'etcd\n'; fi
  printf 'kube-apiserver\n'
  if [[ -e $dir/command/kwok ]]; then printf '%s\n' kube-controller-manager kube-scheduler kwok; fi
}

# Its data, its token and its certificate survive a restart, as those of an API server do.
write_sandbox_command() {
  mkdir -p "$dir/command" "$dir/pids" "$dir/logs"
  write_command kube-apiserver "$sandbox" "--port=$apiserver_port" "--data=$dir/sandbox.db" --authorization=rbac \
    "--kubeconfig-out=$dir/kubeconfig" "--audit-log=$dir/audit.log"
}

write_commands() {
  mkdir -p "$dir/command" "$dir/pids" "$dir/logs"
  local assets pki="$dir/pki"
  assets="$(assets_dir)"
  cp "$modules/audit-policy.yaml" "$dir/audit-policy.yaml"

  # No fsync: the data is deleted with the cluster anyway, and disks of build machines are slow.
  write_command etcd "$assets/etcd" --name=default "--data-dir=$dir/etcd" --unsafe-no-fsync \
    --quota-backend-bytes=8589934592 --log-level=error \
    "--listen-client-urls=http://127.0.0.1:$etcd_port" "--advertise-client-urls=http://127.0.0.1:$etcd_port" \
    "--listen-peer-urls=http://127.0.0.1:$etcd_peer_port" "--initial-advertise-peer-urls=http://127.0.0.1:$etcd_peer_port" \
    "--initial-cluster=default=http://127.0.0.1:$etcd_peer_port"

  # The inflight limits are generous: load tests measure the manager, not the server's queues.
  # The audit log must not rotate in the middle of a test that counts its lines.
  write_command kube-apiserver "$assets/kube-apiserver" "--etcd-servers=http://127.0.0.1:$etcd_port" \
    --bind-address=127.0.0.1 --advertise-address=127.0.0.1 "--secure-port=$apiserver_port" \
    "--tls-cert-file=$pki/apiserver.crt" "--tls-private-key-file=$pki/apiserver.key" \
    "--client-ca-file=$pki/ca.crt" \
    "--requestheader-client-ca-file=$pki/front-proxy-ca.crt" --requestheader-allowed-names=front-proxy-client \
    --requestheader-username-headers=X-Remote-User --requestheader-group-headers=X-Remote-Group \
    --requestheader-extra-headers-prefix=X-Remote-Extra- \
    "--proxy-client-cert-file=$pki/front-proxy.crt" "--proxy-client-key-file=$pki/front-proxy.key" \
    "--service-account-key-file=$pki/service-account.pub" "--service-account-signing-key-file=$pki/service-account.key" \
    --service-account-issuer=https://kubernetes.default.svc --service-cluster-ip-range=10.0.0.0/16 \
    --authorization-mode=RBAC --allow-privileged=true --endpoint-reconciler-type=none \
    --max-requests-inflight=3000 --max-mutating-requests-inflight=1500 \
    "--audit-policy-file=$dir/audit-policy.yaml" "--audit-log-path=$dir/audit.log" --audit-log-maxsize=4000

  has_controllers || return 0
  # With its default clients and workers a thousand Deployments are slow.
  write_command kube-controller-manager "$assets/kube-controller-manager" \
    "--kubeconfig=$pki/kube-controller-manager.kubeconfig" --leader-elect=false --secure-port=0 \
    "--service-account-private-key-file=$pki/service-account.key" "--root-ca-file=$pki/ca.crt" \
    --use-service-account-credentials=true --kube-api-qps=500 --kube-api-burst=1000 \
    --concurrent-deployment-syncs=20 --concurrent-replicaset-syncs=20 --concurrent-gc-syncs=20 \
    '--controllers=*,-node-ipam-controller,-node-route-controller,-service-lb-controller,-cloud-node-lifecycle-controller'
  write_command kube-scheduler "$assets/kube-scheduler" "--kubeconfig=$pki/kube-scheduler.kubeconfig" \
    --leader-elect=false --secure-port=0 --kube-api-qps=500 --kube-api-burst=1000
  cp "$modules/stages.yaml" "$dir/stages.yaml"
  write_command kwok "$assets/kwok" "--kubeconfig=$pki/kwok.kubeconfig" "--config=$dir/stages.yaml" --manage-all-nodes=true \
    --node-lease-duration-seconds=40 --cidr=10.244.0.1/16
}

write_command() {
  local component=$1
  shift
  printf '%s\0' "$@" >"$dir/command/$component"
}

# Components outlive this script: each has its own session, so that a Ctrl-C in the terminal does not reach it.
start_component() {
  local command=()
  mapfile -d '' command <"$dir/command/$1"
  setsid "${command[@]}" </dev/null >>"$dir/logs/$1.log" 2>&1 {cluster_lock}>&- &
  printf '%s\n' "$!" >"$dir/pids/$1"
  disown "$!"
}

start_missing_components() {
  local component
  for component in "$@"; do
    component_pid "$component" >/dev/null || start_component "$component"
  done
}

# Prints the pid of a running component; fails if it does not run. A zombie has no command line and does not count.
component_pid() {
  local pid
  read -r pid 2>/dev/null <"$dir/pids/$1" || return 1
  [[ -r /proc/$pid/cmdline ]] || return 1
  # With the slash, because the folder of cluster `a` is a prefix of that of `ab`.
  grep -qaF -e "$dir/" "/proc/$pid/cmdline" 2>/dev/null || holds_ports_still "$pid" || return 1
  printf '%s\n' "$pid"
}

# Killed: its memory is released, but its first thread, or the others, have not closed their sockets yet. Such a process
# is marked as exiting (PF_EXITING, 4, in the flags of /proc/PID/stat), and is not a zombie or has threads left.
holds_ports_still() {
  local threads=("/proc/$1/task/"*) stat fields
  [[ -z $(tr -d '\0' 2>/dev/null <"/proc/$1/cmdline") ]] || return 1
  ((${#threads[@]} > 1)) && return 0
  read -r stat 2>/dev/null <"/proc/$1/stat" || return 1
  # After the name, which may contain spaces: state, five numbers, flags.
  read -ra fields <<<"${stat##*) }"
  [[ ${fields[0]} != Z ]] && (((${fields[6]} & 4) != 0))
}

# stop_components SECONDS COMPONENT...: sends SIGTERM, waits at most that long for all of them, then kills.
stop_components() {
  local patience=$1 component pid
  shift
  for component in "$@"; do
    if pid="$(component_pid "$component")"; then kill -TERM "$pid" 2>/dev/null || true; fi
  done
  local deadline=$((SECONDS + patience))
  while any_alive "$@" && ((SECONDS < deadline)); do sleep 0.05; done
  kill_components "$@"
}

kill_components() {
  local component pid
  for component in "$@"; do
    if pid="$(component_pid "$component")"; then kill -KILL "$pid" 2>/dev/null || true; fi
  done
  # A port is free only when the process has ended.
  while any_alive "$@"; do sleep 0.02; done
  for component in "$@"; do rm -f "$dir/pids/$component"; done
}

any_alive() {
  local component
  for component in "$@"; do
    if component_pid "$component" >/dev/null; then return 0; fi
  done
  return 1
}
