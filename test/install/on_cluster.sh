#!/usr/bin/env bash
# Runs each operator that install_test.sh has built: its manifests are generated and applied, and it does its work.
#
#   scripts/cluster run --name NAME [--sandbox KEELSON_SANDBOX] -- on_cluster.sh PROGRAMS
#
# PROGRAMS is the folder with their binaries.
set -euo pipefail

programs=$1
# shellcheck source=test/install/cluster_steps.sh
. "$(dirname "${BASH_SOURCE[0]}")/cluster_steps.sh"
requires_built "$programs" install

# apply_role NAME: the operator has the permissions that `generate rbac` writes, and no others but those for
# --webhook-url.
apply_role() {
  local name=$1
  mkdir "$scratch/$name/deployed"
  cat >"$scratch/$name/deployed/kustomization.yaml" <<YAML
namespace: $name-system
namePrefix: $name-
resources:
- ../rbac
YAML
  kubectl create namespace "$name-system" >/dev/null
  kubectl apply -k "$scratch/$name/deployed" >/dev/null
  kubectl create clusterrole "$name-registers-webhooks" --verb=create,patch,delete \
    --resource=mutatingwebhookconfigurations,validatingwebhookconfigurations >/dev/null
  kubectl create clusterrolebinding "$name-registers-webhooks" --clusterrole="$name-registers-webhooks" \
    --serviceaccount="$name-system:$name-controller-manager" >/dev/null
  cp "$KUBECONFIG" "$scratch/$name/kubeconfig"
  kubectl --kubeconfig "$scratch/$name/kubeconfig" config set-credentials operator \
    --token="$(kubectl create token "$name-controller-manager" -n "$name-system" --duration=1h)" >/dev/null
  kubectl --kubeconfig "$scratch/$name/kubeconfig" config set-context --current --user=operator >/dev/null
}

# start NAME FLAG...: installs the CRDs of the operator, if it has any, and runs it.
start() {
  local name=$1
  shift
  "$programs/$name" generate all --output "$scratch/$name" >"$scratch/$name-generate.log"
  if [[ -d $scratch/$name/crd ]]; then
    kubectl apply -k "$scratch/$name/crd" >/dev/null
    kubectl wait --for=condition=Established "--timeout=$patience" -f "$scratch/$name/crd/bases" >/dev/null
  fi
  apply_role "$name"
  KUBECONFIG="$scratch/$name/kubeconfig" "$programs/$name" --metrics-bind-address=0 --health-probe-bind-address=0 "$@" >"$scratch/$name.log" 2>&1 &
  running+=($!)
}

# start_with_webhooks NAME FLAG...: the API server reaches the webhooks at an address of this machine.
start_with_webhooks() {
  local name=$1 port
  shift
  port="$(free_port)"
  start "$name" "--webhook-url=https://127.0.0.1:$port" "--webhook-port=$port" "$@"
  until grep -q 'Registered the webhooks' "$scratch/$name.log"; do
    kill -0 "${running[-1]}" 2>/dev/null || fail "$name has ended"
    sleep 0.1
  done
}

# stop: stops the last program that was started, which unregisters its webhooks.
stop() {
  kill "${running[-1]}"
  wait "${running[-1]}" || fail "the operator ended with status $?"
  unset 'running[-1]'
  eventually "" kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations --ignore-not-found -o name
}

field() { kubectl get "$1" "$2" -o "jsonpath={$3}"; }

try_greeter() {
  start greeter
  kubectl apply -k "$scratch/greeter/samples" >/dev/null
  eventually "Hello, example!" field configmap greeting-sample .data.greeting
  kubectl apply -f - >/dev/null <<<'{"apiVersion": "demo.example.com/v1", "kind": "Greeting", "metadata": {"name": "ada"}, "spec": {"name": "Ada"}}'
  eventually "Hello, Ada!" field configmap ada .data.greeting
  kubectl patch configmap ada --type=merge -p '{"data": {"greeting": "Bye."}}' >/dev/null
  eventually "Hello, Ada!" field configmap ada .data.greeting
}

# The server chooses a free port and prints it.
try_warehouse() {
  local port=""
  mkdir "$scratch/served"
  printf '{"bolt": 3}' >"$scratch/served/counts"
  python3 -u -m http.server --bind 127.0.0.1 --directory "$scratch/served" 0 >"$scratch/http.log" 2>&1 &
  running+=($!)
  until port="$(grep -o 'port [0-9]*' "$scratch/http.log" | cut -d' ' -f2)" && [[ -n $port ]]; do sleep 0.1; done
  start warehouse "--warehouse-url=http://127.0.0.1:$port" --poll-interval=200ms
  kubectl apply -f - >/dev/null <<<'{"apiVersion": "shop.example.com/v1", "kind": "Stock", "metadata": {"name": "bolts"}, "spec": {"item": "bolt"}}'
  eventually 3 field stock bolts .status.count
  printf '{"bolt": 2}' >"$scratch/served/next"
  mv "$scratch/served/next" "$scratch/served/counts"
  eventually 2 field stock bolts .status.count
}

try_twins() {
  start twins
  kubectl apply -f - >/dev/null <<'YAML'
apiVersion: database.example.com/v1
kind: Cluster
metadata: {name: main}
spec: {size: 3}
---
apiVersion: broker.example.com/v1
kind: Cluster
metadata: {name: main}
spec: {size: 5}
YAML
  eventually 3 field configmap main-database .data.size
  eventually 5 field configmap main-broker .data.size
}

condition() { kubectl get "$1" "$2" -o "jsonpath={.status.conditions[?(@.type==\"$3\")].reason}"; }

password_digest() { field statefulset sessions '.spec.template.metadata.annotations.cache\.example\.org/password'; }

ready_pods_metric() {
  curl -s "http://127.0.0.1:$1/metrics" | sed -n 's/^redis_ready_replicas{.*} //p'
}

try_redis() {
  local before metrics
  metrics="$(free_port)"
  start_with_webhooks redis-operator --redis-image=redis:7.2 "--metrics-bind-address=127.0.0.1:$metrics"
  kubectl apply -k "$scratch/redis-operator/samples" >/dev/null
  eventually NoPassword condition redis sessions Stalled
  kubectl create secret generic sessions-password --from-literal=password=one >/dev/null
  kubectl wait redis/sessions --for=condition=Ready "--timeout=$patience" >/dev/null || fail "redis/sessions is not ready"
  eventually redis:7.2 field statefulset sessions '.spec.template.spec.containers[0].image'
  eventually None field service sessions .spec.clusterIP
  eventually 1 field poddisruptionbudget sessions .spec.maxUnavailable
  eventually 'maxmemory 64mb' field configmap sessions-config '.data.redis\.conf'
  eventually 2 ready_pods_metric "$metrics"
  before="$(password_digest)"
  [[ ${#before} == 64 ]] || fail "the pods have no digest of the password: $before"
  kubectl patch secret sessions-password --type=merge -p '{"stringData": {"password": "two"}}' >/dev/null
  for _ in {1..150}; do [[ $(password_digest) != "$before" ]] && break; sleep 0.2; done
  [[ $(password_digest) != "$before" ]] || fail "a new password starts no rollout"
  kubectl scale redis sessions --replicas=3 >/dev/null
  eventually 3 field redis sessions .status.readyReplicas
  kubectl delete redis sessions "--timeout=$patience" >/dev/null || fail "redis/sessions is not deleted"
  eventually "" kubectl get statefulset sessions --ignore-not-found -o name
  kubectl apply -f - >/dev/null <<<'{"apiVersion": "cache.example.org/v1", "kind": "Redis", "metadata": {"name": "small"}, "spec": {"passwordSecret": "p"}}'
  [[ $(field redis small .spec.replicas) == 1 ]] || fail "the webhook sets no default"
  rejected "use passwordSecret" kubectl patch redis small --type=merge -p '{"spec": {"config": {"requirepass": "x"}}}'
  kubectl label redis small protected=yes >/dev/null
  rejected "redis small is protected" kubectl delete redis small
  rejected "spec.passwordSecret: Forbidden: it is protected" kubectl patch redis small --type=merge -p '{"spec": {"passwordSecret": "q"}}'
  kubectl label redis small protected- >/dev/null
  kubectl delete redis small "--timeout=$patience" >/dev/null
  stop
}

try_tenant() {
  start_with_webhooks tenant-operator --pods-per-namespace=7
  kubectl create namespace acme >/dev/null
  kubectl label namespace acme tenant.example.com/name=acme tenant.example.com/protected=true >/dev/null
  eventually 7 kubectl get resourcequota tenant -n acme -o 'jsonpath={.spec.hard.pods}'
  eventually restricted field namespace acme '.metadata.labels.pod-security\.kubernetes\.io/enforce'
  rejected "it belongs to tenant acme" kubectl delete namespace acme
  kubectl label namespace acme tenant.example.com/protected- >/dev/null
  kubectl delete namespace acme "--timeout=$patience" >/dev/null || fail "namespace acme is not deleted"
  stop
}

for operator in greeter warehouse twins redis tenant; do
  "try_$operator"
  printf 'on_cluster: %s works\n' "$operator"
done
