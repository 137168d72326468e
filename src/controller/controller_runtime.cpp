#include "keelson/controller/controller_runtime.hpp"

#include <utility>

namespace keelson::controller {

ControllerRuntime::ControllerRuntime(RuntimeParts parts, const std::vector<Definition>& definitions)
    : cache_(cache::make_cache(parts.executor, parts.clock, parts.random, parts.log, parts.client, parts.registry,
                               std::move(parts.cache))) {
  for (const auto& definition : definitions) parts.flags = with_defaults(definition.flags(), std::move(parts.flags));
  every_replica_ = make_writers(parts, parts.client);
  services_.push_back({every_replica_.events.get(), false});
  if (parts.leader_client != nullptr) {
    leader_ = make_writers(parts, *parts.leader_client);
    // The recorder sends the Events of the leader's controllers after these have stopped, while the fence still lets
    // writes pass.
    services_.push_back({leader_.events.get(), false});
  }
  for (const auto& definition : definitions) {
    const bool needs_leader_election = definition.settings().needs_leader_election;
    auto& made = controllers_.emplace_back(make_controller(
        parts.executor, needs_leader_election ? leader_context() : context(), definition, parts.controllers));
    services_.push_back({made.get(), needs_leader_election});
  }
}

ControllerRuntime::~ControllerRuntime() = default;

ControllerRuntime::Writers ControllerRuntime::make_writers(const RuntimeParts& parts, kube::Client& client) {
  Writers writers;
  writers.client = cache::read_your_writes(client, *cache_);
  writers.events = make_event_recorder(parts.executor, parts.clock, parts.random, parts.log, client, parts.events);
  writers.context = std::make_unique<Context>(Context{parts.clock, parts.random, parts.log, *writers.client, *cache_,
                                                      *writers.events, parts.registry, parts.environment, parts.flags});
  return writers;
}

}  // namespace keelson::controller
