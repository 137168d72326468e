# The verbs that kubebuilder users type; the work is done by scripts/.
.DEFAULT_GOAL := help
KUBECTL ?= kubectl
PREFIX ?= /usr/local
# Flags for `make run`: make run ARGS="--zap-log-level=debug"
ARGS ?=

##@ General

.PHONY: help
help: ## Print this list.
	@awk 'BEGIN { FS = ":.*##"; printf "Usage: make TARGET\n" } \
	  /^##@/ { printf "\n%s\n", substr($$0, 5) } \
	  /^[a-zA-Z_-]+:.*##/ { printf "  %-14s%s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: setup
setup: ## Install what building and testing need (as root).
	scripts/setup

##@ Development

.PHONY: manifests
manifests: build ## Write CRDs, RBAC and samples into config/.
	bin/manager generate all --output config

.PHONY: generate
generate: manifests ## The same: nothing else is generated.

.PHONY: fmt
fmt: ## Format the C++ sources.
	git ls-files '*.hpp' '*.cpp' | xargs clang-format-16 -i

.PHONY: vet
vet: ## Hold the rules of the house (scripts/tidy).
	scripts/tidy

.PHONY: test
test: ## Build and run all tests, those on a real control plane included.
	scripts/test

##@ Build

.PHONY: build
build: ## Build bin/manager, the static release binary.
	scripts/build

.PHONY: run
run: build ## Run the manager on this machine against the cluster of KUBECONFIG.
	bin/manager $(ARGS)

.PHONY: install-lib
install-lib: build ## Install headers, libkeelson.a and the manager below PREFIX (/usr/local).
	cmake --install build/release --prefix $(PREFIX)

##@ Deployment

.PHONY: install
install: ## Install the CRDs into the cluster of KUBECONFIG.
	$(KUBECTL) apply -k config/crd

.PHONY: uninstall
uninstall: ## Remove the CRDs, and with them every object of these kinds.
	$(KUBECTL) delete --ignore-not-found -k config/crd

.PHONY: quickstart
quickstart: ## From nothing to a running operator on a control plane of its own.
	scripts/quickstart
