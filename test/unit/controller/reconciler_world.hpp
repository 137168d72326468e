// A reconciler whose cache and API server a test fills separately, so that they can differ: the objects of the cache
// are in informers, and the server's replies to a GET or a LIST are in `server`.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "keelson/controller/definition.hpp"
#include "keelson/detail/controller/definition_parts.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"
#include "test/support/result_of.hpp"
#include "test/unit/controller/fakes.hpp"

namespace keelson::testing {

struct ReconcilerWorld {
  explicit ReconcilerWorld(controller::Definition d) : definition(std::move(d)) {
    (void)cache.declare({.resource = definition.resource()});
    for (const auto& source : definition.parts().sources) {
      const auto& options = source.options;
      (void)cache.declare({.resource = source.resource, .labels = options.labels, .fields = options.fields});
    }
    client.answer = [this](const kube::ApiRequest& request) { return answer(request); };
    reconciler = controller::make_reconciler(definition, context);
  }

  // Adds the object to the cache and the server.
  void know(const kube::Resource& resource, const std::string& json) {
    auto known = object(json);
    server[resource.plural].insert_or_assign(known.key(), json);
    cache.of(resource).objects.insert_or_assign(known.key(), std::move(known));
  }
  // Adds or replaces the object in the server only.
  void change_behind_the_cache(const kube::Resource& resource, const std::string& json) {
    server[resource.plural].insert_or_assign(object(json).key(), json);
  }

  Result<controller::Outcome> reconcile(const kube::Key& key) {
    controller::Attempt attempt{key, Logger(lines), *used};
    return result_of(loop, reconciler->reconcile(attempt));
  }

  // Bodies of the requests with this verb for this resource.
  [[nodiscard]] std::vector<std::string> bodies(kube::Verb verb, const kube::Resource& resource) const {
    std::vector<std::string> all;
    for (const auto& request : client.requests) {
      if (request.verb == verb && request.resource == resource) all.push_back(request.body);
    }
    return all;
  }
  [[nodiscard]] std::size_t writes() const {
    std::size_t count = 0;
    for (const auto& request : client.requests) count += request.verb >= kube::Verb::kCreate ? 1 : 0;
    return count;
  }

  sandbox::loop::TestLoop loop;
  base::Random random{1};
  FakeLog lines;
  FakeClient client;
  kube::Client* used = &client;  // the client of each attempt
  FakeCache cache;
  NoEvents events;
  metrics::Registry registry;
  controller::Context context{loop.clock(), random, Logger(lines), client,
                              cache,        events, registry,      [](const char*) -> const char* { return nullptr; }};
  controller::Definition definition;
  std::unique_ptr<controller::Reconciler> reconciler;
  std::map<std::string, std::map<kube::Key, std::string>> server;  // by plural
  std::map<std::string, Error> failing;                            // reads of these plurals are answered with it

 private:
  Result<kube::ApiReply> answer(const kube::ApiRequest& request) {
    const auto& plural = request.resource.plural;
    const bool is_read = request.verb < kube::Verb::kCreate;
    if (is_read && failing.contains(plural)) return failing.at(plural);
    auto& objects = server[plural];
    if (request.verb == kube::Verb::kGet) {
      auto found = objects.find(request.key);
      if (found == objects.end()) return status_error(404, "NotFound");
      return kube::ApiReply{200, found->second};
    }
    if (request.verb == kube::Verb::kList) {
      std::string items;
      for (const auto& [key, json] : objects) items += (items.empty() ? "" : ",") + json;
      return kube::ApiReply{200, R"({"metadata":{"resourceVersion":"1000"},"items":[)" + items + "]}"};
    }
    if (request.verb == kube::Verb::kDelete) return kube::ApiReply{200, R"({"kind":"Status","status":"Success"})"};
    return kube::ApiReply{200, request.body};
  }
};

}  // namespace keelson::testing
