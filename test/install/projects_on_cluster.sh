#!/usr/bin/env bash
# Runs the operators of projects_test.sh on the cluster of KUBECONFIG, and uses them as the tutorial and the seed documents do.
#
#   projects_on_cluster.sh PROJECTS
set -euo pipefail

projects=$1
# shellcheck source=test/install/cluster_steps.sh
. "$(dirname "${BASH_SOURCE[0]}")/cluster_steps.sh"
requires_built "$projects/zundoko/build/dev/manager" "install: the projects of the tutorial and the seed documents"

# start NAME FLAG...: writes the manifests, installs the CRDs and runs the operator.
start() {
  local name=$1
  shift
  "$projects/$name/build/dev/manager" generate all --output "$scratch/$name" >"$scratch/$name-generate.log"
  "$projects/$name/build/dev/manager" install >"$scratch/$name-install.log"
  "$projects/$name/build/dev/manager" --metrics-bind-address=0 --health-probe-bind-address=0 "$@" >"$scratch/$name.log" 2>&1 &
  running+=($!)
}

try_website-operator() {
  "$projects/website-operator/test/e2e.sh" "$projects/website-operator/build/dev/manager" >"$scratch/e2e.log" 2>&1 || fail "test/e2e.sh failed"
  start website-operator
  kubectl apply -k "$scratch/website-operator/samples"
  kubectl wait website/hello --for=condition=Ready --timeout=60s
  eventually http://hello.default.svc kubectl get website hello -o 'jsonpath={.status.url}'
  eventually http://hello.default.svc kubectl get configmap websites -o 'jsonpath={.data.hello}'
  kubectl delete website hello --timeout=30s
  eventually "" kubectl get configmap websites -o 'jsonpath={.data.hello}'
}

try_guestbook() {
  start guestbook
  kubectl apply -k "$scratch/guestbook/samples"
  kubectl wait guestbook/guestbook-sample --for=condition=Ready --timeout=30s
  rejected "Unsupported value" kubectl patch guestbook guestbook-sample --type=merge -p '{"spec": {"alias": "Fax"}}'
}

try_cronjob() {
  local port cronjobs=cronjobs.batch.tutorial.kubebuilder.io
  port="$(free_port)"
  start cronjob "--webhook-url=https://127.0.0.1:$port" "--webhook-port=$port"
  until grep -q 'Registered the webhooks' "$scratch/cronjob.log"; do sleep 0.1; done
  kubectl apply -k "$scratch/cronjob/samples"
  kubectl wait "$cronjobs/cronjob-sample" --for=condition=Ready --timeout=30s
  eventually "Allow false 3 1" kubectl get "$cronjobs" cronjob-sample \
    -o 'jsonpath={.spec.concurrencyPolicy} {.spec.suspend} {.spec.successfulJobsHistoryLimit} {.spec.failedJobsHistoryLimit}'
  rejected "spec.schedule" kubectl patch "$cronjobs" cronjob-sample --type=merge -p '{"spec": {"schedule": "at noon"}}'
  kubectl patch "$cronjobs" cronjob-sample --type=merge -p '{"spec": {"schedule": "@every 1s"}}'
  # Three of the ended Jobs are retained; others may run.
  for _ in {1..300}; do
    [[ $(kubectl get jobs -o name | wc -l) -ge 3 ]] && break
    sleep 0.2
  done
  kubectl patch "$cronjobs" cronjob-sample --type=merge -p '{"spec": {"suspend": true}}'
  [[ $(kubectl get jobs -o name | wc -l) -ge 3 ]] || fail "the CronJob has created no Jobs"
  eventually "" kubectl get "$cronjobs" cronjob-sample -o 'jsonpath={.status.active[*]}'
  eventually 3 bash -c 'kubectl get jobs -o name | wc -l'
}

try_zundoko() {
  start zundoko
  kubectl apply -k "$scratch/zundoko/samples"
  kubectl wait hikawa/hikawa-sample --for=condition=Ready --timeout=60s
  eventually "Kiyoshi!" kubectl get kiyoshi hikawa-sample-kiyoshi -o 'jsonpath={.spec.say}'
  kubectl get zundokos -o 'jsonpath={.items[*].spec.say}' | grep -q 'Zun Zun Zun Zun Doko$' || fail "the song ends otherwise"
}

for project in website-operator guestbook cronjob zundoko; do
  "try_$project"
  printf 'projects: %s works\n' "$project"
done
