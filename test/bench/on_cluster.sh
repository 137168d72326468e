# Measurements on a real control plane, each on its own cluster. Sourced by scripts/bench.

# on_cluster FUNCTION [ARGUMENT...]: calls it with KUBECONFIG, kubectl, and $folder for files.
on_cluster() (
  cluster="bench-$$"
  folder="$(mktemp -d)"
  trap 'stop_manager; remove_cgroup; "$here/scripts/cluster" down --name "$cluster" 2>/dev/null; rm -rf "$folder"' EXIT
  "$here/scripts/cluster" up --name "$cluster" --parent "$$" >/dev/null
  eval "$("$here/scripts/cluster" env --name "$cluster")"
  audit_log="${KUBECONFIG%/*}/audit.log"
  "$@"
)

install_crds() {
  kubectl apply -k "$here/config/crd" >/dev/null
  # kubectl fails on a CRD that has no status at all yet, which lasts a moment.
  wait_until 30 kubectl wait --for=condition=Established crd --all --timeout=5s >/dev/null 2>&1 ||
    fail "the CRDs were not established within 30 s"
}

# figures BENCHMARK: prints lines of LABEL<tab>VALUE as a table, with the ratios to the reference run.
figures() { "$modules/figures.py" "$1"; }

# figure LABEL VALUE
figure() { printf '%s\t%s\n' "$1" "$2"; }

measure_idle() {
  install_crds
  start_manager "$folder"
  {
    sleep 2
    memory_figures "2 s after its start"
    # After 30 s without a bookmark the API server is probed; the memory for this is released within 4 s.
    sleep 38
    memory_figures "40 s after its start"
  } | figures idle
}

# memory_figures WHEN
memory_figures() {
  figure "RSS $1, KiB" "$(manager_memory VmRSS)"
  figure "anonymous part of it $1, KiB" "$(manager_memory RssAnon)"
  figure "peak $1, KiB" "$(manager_memory VmHWM)"
}

measure_memcached() {
  local objects=$1 began audit_from ready
  install_crds
  kubectl create namespace bench >/dev/null
  write_memcacheds "$objects" >"$folder/memcacheds.yaml"
  start_manager "$folder"
  audit_from="$(stat -c %s "$audit_log")"
  began="$(milliseconds)"
  kubectl create -n bench -f "$folder/memcacheds.yaml" >/dev/null
  printf '%d Memcached created by kubectl after %s s\n' "$objects" "$(seconds_since "$began")"
  wait_until 600 all_ready "$objects" || fail "not all were ready after 10 minutes"
  ready="$(seconds_since "$began")"
  # The last status write may still be in progress, and memory is released when the manager is idle.
  sleep 6
  {
    figure "all $objects are Ready after, s" "$ready"
    figure "CPU of the manager for $objects, s" "$(manager_cpu)"
    figure "peak memory with $objects (VmHWM), KiB" "$(manager_memory VmHWM)"
    figure "memory with $objects at rest (VmRSS), KiB" "$(manager_memory VmRSS)"
  } | figures memcached
  printf 'error lines in its log: %d\nrequests:\n' "$(manager_error_lines "$folder")"
  "$modules/requests.py" "$audit_log" "$manager_name" "$audit_from"
  audit_from="$(stat -c %s "$audit_log")"
  sleep 60
  printf 'requests in a quiet minute:\n'
  "$modules/requests.py" "$audit_log" "$manager_name" "$audit_from"
}

# Each number of workers twice, in turn, because the speed of a shared machine changes.
measure_workers() {
  local run workers
  printf '%8s %12s %8s %10s\n' workers 'all Ready, s' 'CPU, s' 'peak, MiB'
  for run in 1 2; do
    for workers in 1 4 8 16 32; do on_cluster measure_with_workers "$workers" "$1" || fail "run $run with $workers workers failed"; done
  done
}

measure_with_workers() {
  local workers=$1 objects=$2 began ready
  install_crds
  kubectl create namespace bench >/dev/null
  write_memcacheds "$objects" >"$folder/memcacheds.yaml"
  start_manager "$folder" --max-concurrent-reconciles="$workers"
  began="$(milliseconds)"
  kubectl create -n bench -f "$folder/memcacheds.yaml" >/dev/null
  wait_until 600 all_ready "$objects" || fail "not all were ready after 10 minutes"
  ready="$(seconds_since "$began")"
  sleep 6
  printf '%8d %12s %8s %10d\n' "$workers" "$ready" "$(manager_cpu)" "$(($(manager_memory VmHWM) / 1024))"
}

# Updates by others that change no field of ours: what they cost.
measure_events() {
  local updates=$1 children=500 place before after
  local names=("CPU of the manager, s" "watch events" "unchanged updates" reconciles requests)
  start_with_memcacheds "$children"
  read -ra before <<<"$(event_figures)"
  "$modules/events.py" bench "$updates" || fail "could not annotate the Deployments"
  sleep 5
  read -ra after <<<"$(event_figures)"
  for place in "${!names[@]}"; do
    figure "${names[place]}" "$(awk -v a="${after[place]}" -v b="${before[place]}" 'BEGIN { print a - b }')"
  done | figures "events $updates"
}

# Seconds of CPU, watch events, unchanged updates, reconciles, requests.
event_figures() {
  printf '%s %s %s %s %s' "$(manager_cpu)" "$(manager_metric_sum keelson_watch_events_total)" \
    "$(manager_metric_sum keelson_cache_unchanged_updates_total)" \
    "$(manager_metric_sum controller_runtime_reconcile_time_seconds_count)" "$(manager_metric_sum rest_client_requests_total)"
}

# A manager at rest with this number of Memcacheds, all Ready.
start_with_memcacheds() {
  install_crds
  kubectl create namespace bench >/dev/null
  start_manager "$folder"
  write_memcacheds "$1" | kubectl create -n bench -f - >/dev/null
  wait_until 600 all_ready "$1" || fail "not all were ready after 10 minutes"
  sleep 6
}

measure_reaction() {
  start_with_memcacheds 1
  "$modules/reaction.py" bench many-0 "$1" | figures reaction || fail "could not measure the reaction"
}

measure_start() {
  install_crds
  kubectl create namespace bench >/dev/null
  write_memcacheds 1 | kubectl create -n bench -f - >/dev/null
  "$modules/start.py" bench many-0 "$1" "$build_folder/manager" --zap-devel=false --metrics-bind-address=127.0.0.1:0 \
    --health-probe-bind-address=127.0.0.1:0 | figures start || fail "could not measure the start"
}

measure_writes() {
  kubectl create namespace bench >/dev/null
  "$modules/writes.py" bench "$1" | figures writes || fail "could not measure the writes"
}

measure_webhook() {
  local port began
  port="$(free_port)"
  install_crds
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost \
    -keyout "$folder/tls.key" -out "$folder/tls.crt" 2>/dev/null || fail "openssl could not make a certificate"
  start_manager "$folder" --webhook-port="$port" --webhook-cert-path="$folder"
  wait_until 30 curl -sk -o /dev/null "https://127.0.0.1:$port/" || fail "the webhook server did not start"
  began="$(manager_cpu)"
  {
    "$bench_dir/bench_net_reviews" "$port" 10 || fail "a review failed"
    figure "CPU of the manager, s" "$(awk -v a="$(manager_cpu)" -v b="$began" 'BEGIN { print a - b }')"
    figure "peak memory (VmHWM), KiB" "$(manager_memory VmHWM)"
  } | figures webhook
}

write_memcacheds() {
  local number
  for ((number = 0; number < $1; number++)); do
    printf -- '---\napiVersion: memcached.cache.example.com/v1\nkind: Memcached\nmetadata: {name: many-%d}\nspec: {size: 1}\n' "$number"
  done
}

all_ready() {
  local ready
  ready="$(kubectl get memcacheds -n bench -o 'jsonpath={range .items[?(@.status.readyNodes==1)]}x{end}')"
  [[ ${#ready} -eq $1 ]]
}

cronjobs_path=/apis/batch.tutorial.kubebuilder.io/v1/namespaces/default/cronjobs

# The manager is restarted once all have their status, because a node must provide the memory after a start.
measure_cronjobs() {
  local objects=$1 began idle loaded bytes
  install_crds
  start_manager "$folder"
  idle="$(resting_memory)"
  stop_manager
  "$bench_dir/bench_kube_cronjobs" "$objects"
  # One worker waits for one reply at a time; the measurement comes later, so the statuses may use more workers.
  start_manager "$folder" --max-concurrent-reconciles=16
  began="$(milliseconds)"
  wait_until 3600 cronjobs_are_quiet "$objects" || fail "not all CronJobs have a status, or the manager did not come to rest"
  printf 'all statuses written after     %8s s\n' "$(seconds_since "$began")"
  printf 'RSS after all had their status %8d KiB\n' "$(resting_memory)"
  stop_manager
  start_manager "$folder"
  wait_until 600 cronjobs_are_quiet "$objects" || fail "the manager did not come to rest"
  loaded="$(resting_memory)"
  bytes="$(kubectl get --raw "$cronjobs_path?limit=500" | mean_json_bytes)"
  printf 'RSS idle / with %d CronJobs %d / %d KiB, %d of it anonymous\n' "$objects" "$idle" "$loaded" \
    "$(manager_memory RssAnon)"
  printf 'an object is %d bytes of JSON and takes %d bytes: %d more\n' "$bytes" \
    "$(((loaded - idle) * 1024 / objects))" "$(((loaded - idle) * 1024 / objects - bytes))"
  print_quiet_minute
}

# In KiB, when the manager has had time to release memory. Its metrics are read first: the code that serves them is
# resident from then on, 1.8 MB, in any state of the manager.
resting_memory() {
  sleep 15
  manager_activity >/dev/null
  manager_memory VmRSS
}

# The size of the objects in the form of the cache.
mean_json_bytes() {
  python3 -c '
import json, sys
items = json.load(sys.stdin)["items"]
for item in items:
    item["metadata"].pop("managedFields", None)
print(sum(len(json.dumps(item, separators=(",", ":"), ensure_ascii=False).encode()) for item in items) // len(items))'
}

# cronjobs_are_quiet COUNT: this number was reconciled, each has its status, and for five seconds the manager has neither
# reconciled nor sent a request to the API server.
cronjobs_are_quiet() {
  local before observed
  before="$(manager_activity)"
  [[ ${before%% *} -ge $1 ]] || return 1
  sleep 5
  [[ $before == "$(manager_activity)" ]] || return 1
  # Every status that the manager writes has an observedGeneration. In managedFields it is named f:status.
  observed="$(kubectl get --raw "$cronjobs_path" | grep -o '"status":{[^}]*"observedGeneration"' | wc -l)"
  [[ $observed -eq $1 ]]
}

# Reconciles, keys added to the queue, and requests.
manager_activity() {
  printf '%s %s %s' "$(manager_metric 'controller_runtime_reconcile_time_seconds_count{controller="cronjob"')" \
    "$(manager_metric 'workqueue_adds_total{controller="cronjob"')" "$(manager_metric_sum rest_client_requests_total)"
}

print_quiet_minute() {
  local reconciles adds cpu audit_from switches
  reconciles="$(manager_metric 'controller_runtime_reconcile_time_seconds_count{controller="cronjob"')"
  adds="$(manager_metric 'workqueue_adds_total{controller="cronjob"')"
  cpu="$(manager_cpu)"
  switches="$(manager_wake_ups)"
  audit_from="$(stat -c %s "$audit_log")"
  sleep 60
  switches="$(($(manager_wake_ups) - switches))"
  printf 'in a quiet minute: %d reconciles, %d keys due, %d wake-ups of the process, %s s of CPU, %s timers\n' \
    "$(($(manager_metric 'controller_runtime_reconcile_time_seconds_count{controller="cronjob"') - reconciles))" \
    "$(($(manager_metric 'workqueue_adds_total{controller="cronjob"') - adds))" "$switches" \
    "$(awk -v a="$(manager_cpu)" -v b="$cpu" 'BEGIN { printf "%.2f", a - b }')" "$(manager_metric keelson_timers)"
  "$modules/requests.py" "$audit_log" "$manager_name" "$audit_from"
}

measure_pods() {
  local mode round
  "$bench_dir/bench_kube_pods" "$1"
  print_pod_size
  printf '%-10s %7s %9s %8s %8s %8s %8s %7s %7s\n' kept objects "cache MB" "CPU s" "wall s" "RSS MB" "peak MB" "peak/RSS" "lag ms"
  for mode in full projected; do
    for round in 1 2 3; do "$bench_dir/bench_cache_pods" "$mode" | tee -a "$folder/$mode"; done
  done
  for mode in full projected; do
    # The median by CPU time.
    sort -n -k 4 "$folder/$mode" | sed -n 2p |
      awk -v pods="$1" '{ printf "CPU of %d pods, %s, s\t%s\nRSS of %d pods, %s, MB\t%s\n", pods, $1, $4, pods, $1, $6 }'
  done | figures pods
}

print_pod_size() {
  kubectl get --raw '/api/v1/namespaces/bench-pods-1/pods?limit=100' >"$folder/pods.json"
  local count bytes
  count="$(grep -o '"schedulerName":"none"' "$folder/pods.json" | wc -l)"
  bytes="$(stat -c %s "$folder/pods.json")"
  ((count > 0)) || return 0
  printf 'a pod is %d bytes of JSON\n' $((bytes / count))
}

seconds_since() {
  local passed=$(($(milliseconds) - $1))
  printf '%d.%d' $((passed / 1000)) $((passed % 1000 / 100))
}

milliseconds() { local now="${EPOCHREALTIME/[.,]/}" && printf '%s' "${now%???}"; }
