// The dependencies of a controller in memory: a cache whose events a test creates, a client that answers from a
// function, and a recorded log.
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "keelson/base/log.hpp"
#include "keelson/base/task.hpp"
#include "keelson/controller/context.hpp"
#include "keelson/detail/async/notify.hpp"
#include "keelson/detail/cache/cache.hpp"
#include "keelson/kube/client.hpp"
#include "test/support/fake_client.hpp"

namespace keelson::testing {

class FakeInformer final : public cache::Informer {
 public:
  explicit FakeInformer(cache::InformerOptions o) : options(std::move(o)) {}

  const kube::Resource& resource() const override { return options.resource; }
  std::optional<kube::Object> get(const kube::Key& key) const override {
    auto found = objects.find(key);
    return found == objects.end() ? std::nullopt : std::optional(found->second);
  }
  std::vector<kube::Object> list(std::string_view) const override {
    std::vector<kube::Object> all;
    for (const auto& [key, object] : objects) all.push_back(object);
    return all;
  }
  std::vector<kube::Object> by_index(std::string_view index, std::string_view value) const override {
    std::vector<kube::Object> indexed;
    for (const auto& [name, values_of] : options.indexes) {
      for (const auto& [key, object] : objects) {
        if (name == index && std::ranges::count(values_of(object), value) > 0) indexed.push_back(object);
      }
    }
    return indexed;
  }
  std::vector<kube::Object> owned_by(const kube::Object& owner) const override {
    std::vector<kube::Object> owned;
    for (const auto& [key, object] : objects) {
      if (!owner.ns().empty() && owner.ns() != key.ns) continue;
      object.for_each_owner([&](const kube::OwnerReference& reference) {
        if (reference.uid == owner.uid()) owned.push_back(object);
      });
    }
    return owned;
  }
  kube::Content content() const override { return kube::Content::kWhole; }
  void subscribe(cache::EventHandler handler) override { handlers.push_back(std::move(handler)); }
  bool has_synced() const override { return synced; }
  std::string problem() const override { return problem_text; }
  async::Duration failing_for() const override { return failing; }
  std::uint64_t observed_version() const override { return version; }
  void observe_write(const kube::Object& written) override { objects.insert_or_assign(written.key(), written); }
  void observe_delete(const kube::Key& key, std::string_view uid) override {
    auto found = objects.find(key);
    if (found != objects.end() && found->second.uid() == uid) objects.erase(found);
  }

  void send(const cache::Event& event) {
    for (const auto& handler : handlers) handler(event);
  }

  cache::InformerOptions options;
  std::map<kube::Key, kube::Object> objects;  // the objects that get(), list() and owned_by() return
  std::uint64_t version = 0;                  // the resourceVersion that the watch has passed
  std::vector<cache::EventHandler> handlers;
  bool synced = true;
  std::string problem_text;
  async::Duration failing{0};
};

class FakeCache final : public cache::Cache {
 public:
  std::string name() const override { return "cache"; }
  Task<void> start() override { co_return Result<void>(); }
  boost::asio::awaitable<void> stop() override { co_return; }
  cache::Informer& declare(cache::InformerOptions options) override {
    for (auto& informer : informers) {
      if (informer.options.resource == options.resource && informer.options.selection() == options.selection()) {
        return informer;
      }
    }
    return informers.emplace_back(std::move(options));
  }
  Result<cache::Informer*> find(const kube::Resource& resource,
                                const std::optional<cache::Selection>& selection) override {
    std::vector<cache::Informer*> found;
    for (auto& informer : informers) {
      if (informer.options.resource != resource) continue;
      if (!selection || informer.options.selection() == *selection) found.push_back(&informer);
    }
    if (found.size() != 1) return invalid_error(found.empty() ? "no informer" : "several informers");
    return found.front();
  }
  void observe_write(const kube::Resource&, const kube::Object&) override {}
  void observe_delete(const kube::Resource&, const kube::Key&, std::string_view) override {}
  boost::asio::awaitable<void> wait_for_sync(std::vector<cache::Informer*> which) override {
    for (cache::Informer* informer : which) {
      while (!informer->has_synced()) co_await synced.wait();
    }
  }
  Result<void> check_synced() const override {
    for (const auto& informer : informers) {
      if (!informer.synced) return invalid_error(informer.options.resource.plural + " have not synced");
    }
    return {};
  }
  Result<void> check_fresh(async::Duration age) const override {
    return silent_for <= age ? Result<void>() : Result<void>(invalid_error("nothing heard"));
  }
  std::vector<cache::InformerStatus> status() const override { return {}; }

  FakeInformer& of(const kube::Resource& resource) {
    for (auto& informer : informers) {
      if (informer.options.resource == resource) return informer;
    }
    throw std::runtime_error("no informer for " + resource.kind);
  }

  std::deque<FakeInformer> informers;
  async::Notify synced;
  async::Duration silent_for{0};
};

class FakeLog final : public LogSink {
 public:
  struct Entry {
    Level level;
    int verbosity;
    std::string message;
    std::map<std::string, std::string> fields;
  };
  bool enabled(Level, int) const override { return true; }
  void write(const Line& line) override {
    Entry entry{line.level, line.verbosity, std::string(line.message), {}};
    for (const auto& field : line.bound) entry.fields[field.key] = field.value.as_json();
    for (const auto& field : line.fields) entry.fields[field.key] = field.value.as_json();
    if (line.error != nullptr) entry.fields["error"] = line.error->message();
    entries.push_back(std::move(entry));
  }
  const Entry* find(std::string_view message) const {
    for (const auto& entry : entries) {
      if (entry.message == message) return &entry;
    }
    return nullptr;
  }
  std::vector<std::string> messages(int up_to_verbosity = 0) const {
    std::vector<std::string> all;
    for (const auto& entry : entries) {
      if (entry.verbosity <= up_to_verbosity) all.push_back(entry.message);
    }
    return all;
  }
  std::vector<Entry> entries;
};

class NoEvents final : public controller::EventRecorder {
 public:
  void record(const kube::Resource&, const kube::Object&, Type, std::string, std::string, std::string) override {}
};

inline kube::Object object(const std::string& json) { return *kube::Object::from_json(json); }

inline kube::Resource memcacheds() { return {"cache.example.com", "v1alpha1", "Memcached", "memcacheds"}; }

inline kube::Object memcached(const std::string& name, const std::string& uid = "u-1", int generation = 1) {
  return object(R"({"apiVersion":"cache.example.com/v1alpha1","kind":"Memcached","metadata":{"name":")" + name +
                R"(","namespace":"default","uid":")" + uid + R"(","resourceVersion":"7","generation":)" +
                std::to_string(generation) + "}}");
}

inline kube::Object owned_deployment(const std::string& name, const std::string& owner,
                                     const std::string& api_version = "cache.example.com/v1alpha1") {
  return object(R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":")" + name +
                R"(","namespace":"default","uid":"d-1","resourceVersion":"9","ownerReferences":[{"apiVersion":")" +
                api_version + R"(","kind":"Memcached","name":")" + owner + R"(","uid":"u-1","controller":true}]}})");
}

inline cache::Event added(kube::Object object) {
  cache::Event event;
  event.after = std::move(object);
  return event;
}

inline cache::Event updated(kube::Object before, kube::Object after) {
  cache::Event event;
  event.type = cache::Event::Type::kUpdated;
  event.before = std::move(before);
  event.after = std::move(after);
  return event;
}

inline cache::Event deleted(kube::Object before) {
  cache::Event event;
  event.type = cache::Event::Type::kDeleted;
  event.before = std::move(before);
  return event;
}

}  // namespace keelson::testing
