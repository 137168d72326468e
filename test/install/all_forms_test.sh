#!/usr/bin/env bash
# Installs a build, creates a project with all forms of kinds that the program keelson knows, and builds and tests it as its
# author would.
#
#   all_forms_test.sh CMAKE BUILD_FOLDER COMPILER
set -euo pipefail

cmake=$1 build=$2 compiler=$3
scratch="$build/all-forms"
rm -rf "$scratch"
mkdir -p "$scratch/shop-operator"

# shellcheck source=test/install/steps.sh
. "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

quietly install "$cmake" --install "$build" --prefix "$scratch/prefix"
export PATH="$scratch/prefix/bin:$PATH" CXX="$compiler"
cd "$scratch/shop-operator"

# A kind with webhooks, one that is cluster-scoped, two kinds of one name, one without a controller, and three that exist.
quietly init keelson init --domain example.com
quietly order keelson create api --group shop --version v1 --kind Order --resource --controller
quietly order-webhooks keelson create webhook --group shop --version v1 --kind Order --defaulting --programmatic-validation
quietly tenant keelson create api --group shop --version v1alpha1 --kind Tenant --namespaced=false --resource --controller
quietly billing-order keelson create api --group billing --version v1 --kind Order --resource --controller
quietly item keelson create api --group shop --version v1 --kind Item --resource --controller=false
quietly namespace keelson create api --external core/v1/Namespace --controller
quietly namespace-webhook keelson create webhook --external core/v1/Namespace --programmatic-validation
quietly deployment keelson create api --group apps --version v1 --kind Deployment --resource=false --controller
quietly certificate keelson create api --external cert-manager.io/v1/Certificate --controller
quietly certificate-webhooks keelson create webhook --external cert-manager.io/v1/Certificate --defaulting --programmatic-validation
# Names that C++, C or the library have.
quietly floor keelson create api --group shop --version v1 --kind Floor --resource --controller
quietly operator keelson create api --group shop --version v1 --kind Operator --resource --controller
quietly backup keelson create api --group shop --version v1 --kind Backup --resource --controller

# The alias of `keelson create api`.
quietly alias manager generate controller --group shop --version v1 --kind Parcel --resource --controller

# The generated sources are formatted, so that `make fmt` changes nothing that `keelson update` would have to merge.
if formatter="$(command -v clang-format-16 || command -v clang-format)"; then
  # Those of existing kinds have names of any length.
  "$formatter" --dry-run -Werror src/*.?pp src/{order,tenant,item,backup}/*.?pp test/{order,tenant,backup}*.cpp tools/*.cpp ||
    fail "generated sources are not formatted"
fi

# Warnings are errors in `make test`.
quietly test make test
quietly manifests "$scratch/shop-operator/build/dev/manager" generate all --output config
for file in crd/bases/shop.example.com_orders.yaml crd/bases/shop.example.com_items.yaml rbac/role.yaml webhook/manifests.yaml samples/kustomization.yaml; do
  [[ -f config/$file ]] || fail "config/$file was not generated"
done
quietly plan "$cmake" --build build/dev --target plan
quietly reference "$cmake" --build build/dev --target reference
build/dev/reference --output docs/reference || fail "reference failed"
for page in README condition flags order order.billing.example.com item tenant; do
  [[ -f docs/reference/$page.md ]] || fail "docs/reference/$page.md was not written"
done
build/dev/plan --help >"$scratch/plan.log" || fail "plan --help failed"

# Nothing of the manifests has our name, except the domain of annotations and the names of metrics.
if grep -rn keelson config | grep -v 'keelson\.dev/\|keelson_'; then fail "the manifests have a name of ours"; fi
if ! keelson update >"$scratch/update.log" 2>&1 || ! grep -q 'Nothing to update' "$scratch/update.log"; then
  fail "a fresh project is not up to date: $(cat "$scratch/update.log")"
fi
rm -rf "$scratch/prefix"
printf 'project: a project of keelson init builds, and its tests pass\n'
