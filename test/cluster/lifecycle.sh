# Starting, stopping and querying a cluster. Sourced by scripts/cluster.

node_count=10

cluster_up() {
  build_what_is_needed
  lock_cluster
  # A signal is only recorded, and handled between two steps: in the middle of a step a process may be started
  # whose pid is not written yet.
  interrupted=no
  trap 'interrupted=yes' INT TERM HUP
  local started
  started="$(milliseconds)"
  if [[ -e $dir/complete ]] && any_missing; then
    say "'$name' is up in part: starting the rest"
  elif [[ -e $dir/complete ]]; then
    print_kubeconfig_line
    return 0
  else
    # The rest of an interrupted or failed `up`.
    remove_cluster
    make_cluster
  fi
  trap 'abandon_up' EXIT
  # First, so that no process ever runs without it.
  if [[ -n $parent ]]; then start_watchdog; fi
  if has_component etcd; then start_missing_components etcd; fi
  start_missing_components kube-apiserver
  wait_until "the API server is ready" 60 api_server_is_ready
  # shellcheck disable=SC2046 # one word a component
  start_missing_components $(components)
  if has_component kwok; then
    create_nodes
    wait_until "the controller manager has made the default service account" 60 service_account_exists
    wait_until "the nodes are ready" 60 nodes_are_ready
  elif has_component etcd; then
    say "KUBEBUILDER_ASSETS has no controllers: no pods, garbage collection or service accounts in '$name'"
  fi
  : >"$dir/complete"
  trap - EXIT INT TERM HUP
  say "'$name' is up on port $apiserver_port after $(($(milliseconds) - started)) ms"
  print_kubeconfig_line
}

# Runs when `up` fails or is interrupted: stops all processes and retains the logs.
abandon_up() {
  local status=$?
  trap '' INT TERM HUP
  # shellcheck disable=SC2046 # one word a component
  kill_components $(components) watchdog
  say "'$name' is not up; the logs stay in $dir/logs until the next up or down"
  exit "$status"
}

make_cluster() {
  mkdir -p "$dir"
  pick_ports
  if [[ -n $sandbox ]]; then
    write_sandbox_command
    return
  fi
  make_certificates
  write_commands
}

# One at a time for each cluster: two `up`s, or an `up` and the watchdog's `down`, would undo each other.
lock_cluster() {
  mkdir -p "$clusters"
  exec {cluster_lock}>"$clusters/.$name.lock"
  flock -w 120 "$cluster_lock" || fail "another scripts/cluster has been busy with '$name' for 2 minutes; see its processes with: ps aux | grep scripts/cluster"
  if [[ -e $dir/ports ]]; then load_ports; fi
}

# Below the range that the kernel uses for outgoing connections (32768 and up), and not in use by another cluster:
# a cluster whose API server is stopped at the moment needs its port again.
pick_ports() {
  local lock port picked=()
  exec {lock}>"$clusters/.ports.lock"
  flock "$lock"
  while [[ ${#picked[@]} -lt 3 ]]; do
    port=$((20000 + SRANDOM % 12000))
    if [[ " ${picked[*]:-} " == *" $port "* ]] || grep -qsw "$port" "$clusters"/*/ports || port_is_taken "$port"; then continue; fi
    picked+=("$port")
  done
  printf 'etcd_port=%s\netcd_peer_port=%s\napiserver_port=%s\n' "${picked[@]}" >"$dir/ports"
  exec {lock}>&-
  load_ports
}

load_ports() {
  # shellcheck disable=SC1091
  . "$dir/ports"
}

port_is_taken() { (: <>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

start_watchdog() {
  setsid bash "$modules/watchdog.sh" "$parent" "$here/scripts/cluster" "$name" "$dir/" \
    </dev/null >>"$dir/logs/watchdog.log" 2>&1 {cluster_lock}>&- &
  printf '%s\n' "$!" >"$dir/pids/watchdog"
  disown "$!"
}

# wait_until WHAT SECONDS COMMAND...
wait_until() {
  local what=$1 patience=$2 component
  shift 2
  local deadline=$((SECONDS + patience))
  until "$@"; do
    [[ $interrupted == no ]] || fail "interrupted while waiting until $what"
    for component in $(components); do
      # A component whose pid file is missing has not been started yet.
      if [[ -e $dir/pids/$component ]] && ! component_pid "$component" >/dev/null; then
        # A process that was just forked does not have its own command line yet.
        sleep 0.2
        component_pid "$component" >/dev/null || fail "$component has ended: $(last_words "$component")"
      fi
    done
    ((SECONDS < deadline)) || fail "timed out after $patience s waiting until $what; the log of the API server: $(last_words kube-apiserver)"
    sleep 0.05
  done
  [[ $interrupted == no ]] || fail "interrupted"
}

last_words() { printf '\n%s\n(all of it: %s)' "$(tail -n 5 "$dir/logs/$1.log")" "$dir/logs/$1.log"; }

api_get() {
  curl --silent --fail --max-time 5 --cacert "$dir/pki/ca.crt" --cert "$dir/pki/admin.crt" --key "$dir/pki/admin.key" \
    "https://127.0.0.1:$apiserver_port$1" 2>/dev/null
}

api_server_is_ready() {
  # The certificate of keelson-sandbox is in its kubeconfig only, which it writes before it answers.
  if ! has_component etcd; then
    curl --silent --fail --max-time 5 --insecure "https://127.0.0.1:$apiserver_port/readyz" >/dev/null 2>&1
    return
  fi
  api_get /readyz >/dev/null
}

service_account_exists() { api_get /api/v1/namespaces/default/serviceaccounts/default >/dev/null; }

# Ready, and without the taint of a new node, which the controller manager removes when the node is ready.
nodes_are_ready() {
  local nodes ready
  nodes="$(api_get '/api/v1/nodes?resourceVersion=0')" || return 1
  ready="$(grep -c '"reason": "KubeletReady"' <<<"$nodes")" || return 1
  [[ $ready -ge $node_count && $nodes != *node.kubernetes.io/not-ready* ]]
}

create_nodes() {
  local number
  for ((number = 0; number < node_count; number++)); do
    sed "s/NUMBER/$number/g" "$modules/node.yaml"
  done | kubectl apply --server-side -f - >"$dir/logs/nodes.log" 2>&1 || fail "kubectl could not create the nodes: $(cat "$dir/logs/nodes.log")"
}

kubectl() { "$(assets_dir)/kubectl" --kubeconfig "$dir/kubeconfig" "$@"; }

has_component() { [[ -e $dir/command/$1 ]]; }

any_missing() {
  local component
  for component in $(components); do
    component_pid "$component" >/dev/null || return 0
  done
  return 1
}

cluster_down() {
  lock_cluster
  trap '' INT TERM HUP
  if [[ ! -e $dir ]]; then
    say "'$name' is not up"
    return 0
  fi
  remove_cluster
  say "'$name' is down"
}

remove_cluster() {
  [[ -e $dir ]] || return 0
  # Clients of the API server first: it keeps its port while it drains their watches.
  stop_components 2 kwok kube-scheduler kube-controller-manager
  stop_components 2 kube-apiserver
  # The data is deleted, too, so etcd does not need a graceful stop.
  kill_components etcd
  # The watchdog replaces itself by this script when the parent has ended.
  if [[ $(component_pid watchdog || true) != "$$" ]]; then kill_components watchdog; fi
  rm -rf "$dir"
}

require_cluster() {
  [[ -e $dir/complete ]] || fail "there is no cluster '$name'; start it with: scripts/cluster up --name $name"
  load_ports
}

cluster_status() {
  require_cluster
  local component pid port state dead=0
  printf '%-26s%-10s%-8s%s\n' COMPONENT PID PORT STATE
  for component in $(components); do
    case "$component" in
      etcd) port=$etcd_port ;;
      kube-apiserver) port=$apiserver_port ;;
      *) port=- ;;
    esac
    state=alive
    pid="$(component_pid "$component")" || { pid=- state=dead dead=1; }
    printf '%-26s%-10s%-8s%s\n' "$component" "$pid" "$port" "$state"
  done
  return "$dead"
}

# Also the logs of a cluster that failed to start.
cluster_logs() {
  [[ -e $dir/logs ]] || fail "there are no logs of a cluster '$name' in $dir"
  case "${1:-}" in
    "") tail -n 20 "$dir"/logs/*.log ;;
    audit) cat "$dir/audit.log" ;;
    *)
      [[ -e $dir/logs/$1.log ]] || fail "no component '$1'; there are: $(cd "$dir/logs" && printf '%s ' *.log) and audit"
      cat "$dir/logs/$1.log"
      ;;
  esac
}

print_kubeconfig_line() { printf 'export KUBECONFIG=%q\n' "$dir/kubeconfig"; }

print_environment() {
  print_kubeconfig_line
  printf 'export PATH=%q:"$PATH"\n' "$(assets_dir)"
}

kill_apiserver() {
  lock_cluster
  require_cluster
  kill_components kube-apiserver
  say "the API server of '$name' is killed"
}

start_apiserver() {
  lock_cluster
  require_cluster
  interrupted=no
  start_missing_components kube-apiserver
  wait_until "the API server is ready" 60 api_server_is_ready
  restart_clients
  say "the API server of '$name' is ready on port $apiserver_port"
}

# The watches of Kubernetes' controllers, of the scheduler and of KWOK retry with a delay of up to a minute, during which no
# pod would start. New processes list at once.
restart_clients() {
  has_component kwok || return 0
  kill_components kwok kube-scheduler kube-controller-manager
  start_missing_components kube-controller-manager kube-scheduler kwok
}

# Draining the open watches of the manager would take a minute, so the timeout is short.
restart_apiserver() {
  lock_cluster
  require_cluster
  stop_components 3 kube-apiserver
  interrupted=no
  start_missing_components kube-apiserver
  wait_until "the API server is ready" 60 api_server_is_ready
  say "the API server of '$name' is ready again on port $apiserver_port"
}

restart_etcd() {
  lock_cluster
  require_cluster
  has_component etcd || fail "'$name' has no etcd: keelson-sandbox stores its objects itself"
  kill_components etcd
  interrupted=no
  start_missing_components etcd
  wait_until "the API server is ready" 60 api_server_is_ready
  say "etcd of '$name' works again on port $etcd_port"
}

milliseconds() { local now="${EPOCHREALTIME/[.,]/}" && printf "%s" "${now%???}"; }
