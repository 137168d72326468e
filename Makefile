# The targets of a kubebuilder project; they call scripts/ and CMake.
# The image to build, push and deploy.
IMG ?= controller:latest
# docker, or a tool with the same commands: podman, nerdctl.
CONTAINER_TOOL ?= docker
# The commit that `version` prints in the image, because the image's sources have no git history.
COMMIT ?= $(shell git rev-parse --short=7 HEAD 2>/dev/null || echo unknown)
# The platforms of docker-buildx.
PLATFORMS ?= linux/amd64,linux/arm64
KUBECTL ?= kubectl
# Empty: the kustomize on PATH; if there is none, kubectl renders.
KUSTOMIZE ?=
PREFIX ?= /usr/local
# Flags for `make run`: make run ARGS="--zap-log-level=debug"
ARGS ?=
# `make uninstall ignore-not-found=true` succeeds also if objects do not exist.
ignore-not-found ?= false
ESTABLISHED = --for=condition=Established --timeout=30s -f config/crd/bases

SHELL = /usr/bin/env bash -o pipefail
.SHELLFLAGS = -ec
.DEFAULT_GOAL := help
export KUBECTL KUSTOMIZE

##@ General

.PHONY: help
help: ## Print this list.
	@awk 'BEGIN { FS = ":.*##"; printf "Usage: make TARGET\n" } \
	  /^##@/ { printf "\n%s\n", substr($$0, 5) } \
	  /^[a-zA-Z_-]+:.*##/ { printf "  %-17s%s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: setup
setup: ## Install the packages for building and testing (as root).
	scripts/setup

##@ Development

.PHONY: manifests
manifests: build ## Write CRDs, RBAC, webhooks and samples into config/.
	bin/manager generate all --output config

.PHONY: manifest
manifest: manifests ## The same as manifests.

.PHONY: generate
generate: manifests ## Write all files generated from the controllers: config/, docs/reference/, deploy/kube-state-metrics.yaml and Argo CD's health checks.
	scripts/build dev reference
	build/dev/reference --output docs/reference --argocd deploy/argocd
	bin/manager generate kube-state-metrics --output deploy

.PHONY: fmt
fmt: ## Format the C++ sources.
	git ls-files '*.hpp' '*.cpp' | xargs clang-format-16 -i

.PHONY: vet
vet: ## Check the rules of this tree (scripts/tidy).
	scripts/tidy

.PHONY: lint
lint: vet ## The same as vet.

.PHONY: test
test: ## Build and run all tests except those on a real control plane (scripts/test --real).
	scripts/test

##@ Build

.PHONY: all
all: build

.PHONY: build
build: ## Build bin/manager and bin/keelson-sandbox, the static release binaries.
	scripts/build

.PHONY: run
run: build ## Run the manager on this machine against the cluster of KUBECONFIG.
	bin/manager $(ARGS)

.PHONY: docker-build
docker-build: ## Build the image IMG.
	$(CONTAINER_TOOL) build --build-arg COMMIT=$(COMMIT) -t $(IMG) .

.PHONY: docker-push
docker-push: ## Push the image IMG.
	$(CONTAINER_TOOL) push $(IMG)

.PHONY: docker-buildx
docker-buildx: ## Build and push IMG for all PLATFORMS.
	$(CONTAINER_TOOL) buildx build --push --platform=$(PLATFORMS) --build-arg COMMIT=$(COMMIT) --tag $(IMG) .

.PHONY: build-installer
build-installer: ## Write deploy/install.yaml: all of config/default, with the image IMG.
	scripts/render --image $(IMG) >deploy/install.yaml.new && mv deploy/install.yaml.new deploy/install.yaml

.PHONY: install-lib
install-lib: build ## Install headers, libkeelson.a, the manager and keelson-sandbox below PREFIX (/usr/local).
	cmake --install build/release --prefix $(PREFIX)

##@ Deployment

.PHONY: install
install: ## Install the CRDs into the cluster of KUBECONFIG.
	scripts/render config/crd | $(KUBECTL) apply -f -
# The API server rejects objects of a kind until it is established. kubectl wait fails for a CRD that has no status yet,
# which lasts a moment, so it runs twice.
	@$(KUBECTL) wait $(ESTABLISHED) >/dev/null 2>&1 || { sleep 1; $(KUBECTL) wait $(ESTABLISHED); }

.PHONY: uninstall
uninstall: ## Remove every object of these kinds with its children, then the CRDs.
	scripts/undeploy --ignore-not-found=$(ignore-not-found) config/crd

.PHONY: deploy
deploy: ## Deploy the manager with the image IMG to the cluster of KUBECONFIG.
	scripts/render --image $(IMG) | $(KUBECTL) apply -f -

.PHONY: undeploy
undeploy: ## Remove the manager, its kinds and every object of them.
	scripts/undeploy --ignore-not-found=$(ignore-not-found)

.PHONY: quickstart
quickstart: ## From nothing to a running operator on keelson-sandbox.
	scripts/quickstart
