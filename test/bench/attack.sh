# The servers of a manager under attack, in a cgroup like the deployed pod's. Sourced by scripts/bench.

attack_memory=$((128 << 20)) # limits.memory of config/manager
attack_cpu=50                # per cent of a core
attack_results="$here/build/bench/attack"

attack_group="" # the cgroup's name, while there is one

measure_attack() { attack_subject Keelson start_keelson -lease keelson-manager "$@"; }

# The same attacks on a Go server with controller-runtime's limits, for comparison and without bars.
measure_attack_go() {
  attack_subject Go start_go -bars=false "$@"
  if [[ -f $attack_results/Keelson.json ]]; then "$attack_results/attack" table "$attack_results/Keelson.json" "$attack_results/Go.json"; fi
}

# attack_subject NAME START [FLAG...]: START begins the subject with supervise and sets webhook_certificate.
attack_subject() {
  local name=$1 start=$2
  shift 2
  mkdir -p "$attack_results"
  (cd "$modules/attack" && go build -o "$attack_results/attack" . && go build -o "$attack_results/twin" ./twin) || fail "could not build the attacker"
  make_cgroup
  install_crds
  health="127.0.0.1:$(free_port)" webhook="127.0.0.1:$(free_port)" metrics="127.0.0.1:$(free_port)"
  kubectl create clusterrolebinding scraper --clusterrole=cluster-admin --serviceaccount=default:default >/dev/null
  scraper_token="$(kubectl create token default --duration=4h)"
  kubectl config view --raw --minify -o json >"$folder/kubeconfig.json"
  "$start"
  "$attack_results/attack" measure -health "$health" -webhook "$webhook" -metrics "$metrics" -token "$scraper_token" \
    -kubeconfig "$folder/kubeconfig.json" -starts "$folder/starts" "${cgroup_files[@]}" -memory-limit "$attack_memory" \
    -count "${count:-20000}" -results "$attack_results/$name.json" "$@"
}

start_keelson() {
  local mutating=mutating-webhook-configuration validating=validating-webhook-configuration service=keelson-webhook-service
  kubectl create service externalname "$service" --external-name=localhost >/dev/null
  kubectl create -f "$here/config/webhook/manifests.yaml" >/dev/null
  kubectl patch mutatingwebhookconfiguration "$mutating" --type=json -p "$(service_patch "$service")" >/dev/null
  kubectl patch validatingwebhookconfiguration "$validating" --type=json -p "$(service_patch "$service")" >/dev/null
  supervise "$build_folder/manager" --zap-devel=false --leader-elect --leader-election-namespace=default \
    --health-probe-bind-address="$health" --metrics-bind-address="$metrics" --metrics-secure --webhook-port="${webhook##*:}" \
    --webhook-self-signed --webhook-service-name="$service" --webhook-mutating-configuration="$mutating" \
    --webhook-validating-configuration="$validating"
  wait_until 60 grep -qs '"Starting workers"' "$folder/manager.log" || fail "the manager did not start: $(tail -5 "$folder/manager.log")"
}

service_patch() {
  local at=/webhooks/0/clientConfig/service
  printf '[{"op":"replace","path":"%s/namespace","value":"default"},{"op":"replace","path":"%s/name","value":"%s"},' "$at" "$at" "$1"
  printf '{"op":"add","path":"%s/port","value":%d}]' "$at" "${webhook##*:}"
}

start_go() {
  supervise "$attack_results/twin" -health "$health" -webhook "$webhook" -metrics "$metrics" -certificate "$folder/pair.pem" \
    -api-server "$(kubectl config view --minify -o 'jsonpath={.clusters[0].cluster.server}')" -token "$scraper_token"
  wait_until 30 test -s "$folder/pair.pem" || fail "the Go server did not start: $(tail -5 "$folder/manager.log")"
  local ca
  ca="$(sed '/EC PRIVATE KEY/,$d' "$folder/pair.pem" | base64 -w 0)"
  # The server's address instead of the Service; the path is the same.
  sed -e '/^    service:/,/namespace:/d' -e "s|^      path: |    caBundle: $ca\n    url: https://$webhook|" "$here/config/webhook/manifests.yaml" |
    kubectl create -f - >/dev/null
}

# supervise COMMAND...: runs it in the cgroup, and restarts it when it has ended, as a kubelet does. stop_manager ends it.
supervise() {
  (
    child=""
    trap 'kill "$child" 2>/dev/null; wait "$child"; exit' TERM
    while :; do
      echo started >>"$folder/starts"
      (enter_cgroup && exec "$@") 2>>"$folder/manager.log" &
      child=$!
      wait "$child" || true
      sleep 1
    done
  ) &
  manager_pid=$!
}

# Sets cgroup_files, from which the measurement reads memory and OOM kills.
make_cgroup() {
  local root=/sys/fs/cgroup folder
  attack_group="keelson-attack-$$"
  if [[ -f $root/cgroup.controllers ]]; then
    cgroup_folders=("$root/$attack_group")
    echo "+memory +cpu" >"$root/cgroup.subtree_control" 2>/dev/null || true
    mkdir "$root/$attack_group" || fail "no cgroup can be made in $root: attack needs root"
    { echo "$attack_memory" >"$root/$attack_group/memory.max" && echo "$((attack_cpu * 1000)) 100000" >"$root/$attack_group/cpu.max"; } ||
      fail "the controllers memory and cpu cannot be used in $root"
    cgroup_files=(-memory-peak "$root/$attack_group/memory.peak" -memory-events "$root/$attack_group/memory.events")
    return
  fi
  cgroup_folders=("$root/memory/$attack_group" "$root/cpu/$attack_group")
  for folder in "${cgroup_folders[@]}"; do
    mkdir "$folder" || fail "no cgroup can be made in ${folder%/*}: attack needs root"
  done
  folder="${cgroup_folders[0]}"
  echo "$attack_memory" >"$folder/memory.limit_in_bytes"
  # Version 1 counts the memory of sockets separately, and only with a limit; version 2 counts it with the rest.
  echo "$attack_memory" >"$folder/memory.kmem.tcp.limit_in_bytes"
  echo 100000 >"${cgroup_folders[1]}/cpu.cfs_period_us"
  echo "$((attack_cpu * 1000))" >"${cgroup_folders[1]}/cpu.cfs_quota_us"
  cgroup_files=(-memory-peak "$folder/memory.max_usage_in_bytes" -memory-sockets "$folder/memory.kmem.tcp.max_usage_in_bytes"
    -memory-events "$folder/memory.oom_control")
}

enter_cgroup() {
  local folder
  for folder in "${cgroup_folders[@]}"; do echo "$BASHPID" >"$folder/cgroup.procs" || return 1; done
}

remove_cgroup() {
  local folder
  [[ -n $attack_group ]] || return 0
  for folder in "${cgroup_folders[@]}"; do rmdir "$folder" 2>/dev/null || true; done
}
