#!/usr/bin/env bash
# On the cluster of KUBECONFIG: the manifests of a project of all_forms_test.sh render and are accepted, and its samples become
# Ready.
#
#   all_forms_on_cluster.sh PROJECT
set -euo pipefail

cd "$1"
kubectl kustomize config/default >build/manifests.yaml
kubectl apply -f build/manifests.yaml
# No container runs here, so nothing serves the webhooks.
kubectl delete mutatingwebhookconfigurations,validatingwebhookconfigurations --all
test/e2e.sh build/dev/manager
printf 'all forms: %s works\n' "${PWD##*/}"
