// What a Definition declares, for the framework. Authors only call the methods of Definition.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/controller/channel.hpp"
#include "keelson/controller/definition.hpp"
#include "keelson/controller/reconciler.hpp"
#include "keelson/detail/queue/retry_backoff.hpp"
#include "keelson/detail/schema/kind.hpp"
#include "keelson/detail/webhook/webhook.hpp"
#include "keelson/schema/identity.hpp"

namespace keelson::controller {

// The settings of a controller's workers. The defaults are those of the program's flags; apart from the number of
// workers they are controller-runtime's.
struct ControllerSettings {
  std::optional<int> max_concurrent_reconciles;  // --max-concurrent-reconciles, 16 by default
  queue::RetryBackoff backoff;
  std::optional<async::Duration> reconcile_timeout;  // empty: no limit
  bool needs_leader_election = true;
};

struct DefinitionParts {
  kube::Resource resource;  // the controller's own kind
  bool is_of_existing_kind = false;
  // The kinds that `generate` writes: the controller's own kind, unless it is an existing one, then those of
  // also_defines().
  std::vector<kube::Kind> kinds = {};
  std::string name = {};
  ControllerSettings settings = {};
  std::vector<Flag> flags = {};
  std::vector<Channel> channels = {};
  WatchOptions own_watch = {};
  std::vector<Source> sources = {};
  bool owns_children = false;
  bool has_references = false;  // refers_to() was called
  std::vector<Permission> permissions = {};
  std::vector<std::string> finalizers = {};
  std::vector<std::string> conditions = {};
  bool reconciles_on_clock_jump = false;
  bool is_validated_on_delete = false;
  std::function<std::unique_ptr<Reconciler>(Context&)> make = {};
  std::vector<webhook::Webhook> webhooks = {};
  std::vector<std::size_t> spec_validators = {};  // indexes in webhooks
};

// Constructs the reconciler. Throws base::Misuse if reconciled_by() was not called.
[[nodiscard]] std::unique_ptr<Reconciler> make_reconciler(const Definition& definition, Context& context);

}  // namespace keelson::controller
