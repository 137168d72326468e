# What is measured on a real control plane, each on a cluster of its own. Sourced by scripts/bench.

# on_cluster FUNCTION [ARGUMENT...]: with KUBECONFIG, kubectl, and $folder for files.
on_cluster() (
  cluster="bench-$$"
  folder="$(mktemp -d)"
  trap 'stop_manager; "$here/scripts/cluster" down --name "$cluster" 2>/dev/null; rm -rf "$folder"' EXIT
  "$here/scripts/cluster" up --name "$cluster" --parent "$$" >/dev/null
  eval "$("$here/scripts/cluster" env --name "$cluster")"
  audit_log="${KUBECONFIG%/*}/audit.log"
  "$@"
)

install_crds() {
  kubectl apply -k "$here/config/crd" >/dev/null
  kubectl wait --for=condition=Established crd --all --timeout=30s >/dev/null
}

measure_idle() {
  install_crds
  start_manager "$folder"
  print_memory "2 s after its start" 2
  print_memory "30 s after its start" 28
}

# print_memory WHEN SECONDS: after so many seconds.
print_memory() {
  sleep "$2"
  printf '%-22s RSS %6d KiB = anonymous %d + files %d; peak %d KiB\n' "$1" "$(manager_memory VmRSS)" \
    "$(manager_memory RssAnon)" "$(manager_memory RssFile)" "$(manager_memory VmHWM)"
}

measure_memcached() {
  local objects=$1 began audit_from
  install_crds
  kubectl create namespace bench >/dev/null
  write_memcacheds "$objects" >"$folder/memcacheds.yaml"
  start_manager "$folder"
  audit_from="$(stat -c %s "$audit_log")"
  began="$(milliseconds)"
  kubectl create -n bench -f "$folder/memcacheds.yaml" >/dev/null
  printf '%d Memcached created by kubectl after %s s\n' "$objects" "$(seconds_since "$began")"
  wait_until 600 all_ready "$objects" || fail "not all were ready after 10 minutes"
  printf 'all Ready after                %8s s\n' "$(seconds_since "$began")"
  # The last status may still be on its way, and memory is given back when it is quiet.
  sleep 6
  printf 'CPU of the manager             %8s s\n' "$(manager_cpu)"
  printf 'peak memory (VmHWM)            %8d KiB\n' "$(manager_memory VmHWM)"
  printf 'steady memory (VmRSS)          %8d KiB\n' "$(manager_memory VmRSS)"
  printf 'error lines in its log         %8d\n' "$(manager_error_lines "$folder")"
  printf 'requests:\n'
  "$modules/requests.py" "$audit_log" "$manager_name" "$audit_from"
  audit_from="$(stat -c %s "$audit_log")"
  sleep 60
  printf 'requests in a quiet minute:\n'
  "$modules/requests.py" "$audit_log" "$manager_name" "$audit_from"
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

measure_pods() {
  local mode round
  "$bench_dir/bench_kube_pods" "$1"
  print_pod_size
  printf '%-10s %7s %9s %8s %8s %8s %8s %7s %7s\n' kept objects "cache MB" "CPU s" "wall s" "RSS MB" "peak MB" "peak/RSS" "lag ms"
  for mode in full projected; do
    for round in 1 2 3; do "$bench_dir/bench_cache_pods" "$mode" | tee -a "$folder/$mode"; done
    # By CPU time: the one in the middle.
    printf 'median of '
    sort -n -k 4 "$folder/$mode" | sed -n 2p
  done
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
