// The Context: what reconcilers, webhooks, runnables and endpoints get from the program, with the values of flags and
// the recorder of Events.
#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/base/log.hpp"
#include "keelson/detail/base/random.hpp"
#include "keelson/detail/cache/cache.hpp"
#include "keelson/kube/client.hpp"
#include "keelson/kube/object.hpp"
#include "keelson/metrics/registry.hpp"
#include "keelson/net/url_client.hpp"
#include "keelson/schema/identity.hpp"

namespace keelson::controller {

// The second object of an Event (`related` in the API), such as a child that was created or deleted.
struct RelatedObject {
  std::string api_version;  // "batch/v1"
  std::string kind;
  std::string ns;  // empty: cluster-scoped
  std::string name;
  std::string uid;
};

// Kubernetes Events (events.k8s.io/v1) about objects, which `kubectl describe` shows.
//
// Inside a reconcile function use Pass::event and Pass::warning; this interface is for other code of an operator.
//
// Recording never fails and never waits. Events go through a queue of 1000, and further ones are
// dropped. Repeated Events become a series with a count. A flood of different Events about one object is cut as in
// client-go: 25 at once, then 1 per 300 s; warnings have a budget of their own. Dropped Events are logged at debug
// level.
class EventRecorder {
 public:
  enum class Type { kNormal, kWarning };
  virtual ~EventRecorder() = default;
  // `regarding` is the object under which `kubectl describe` shows the Event, and `resource` its kind. `reason` and
  // `action` are CamelCase words, and `note` is a sentence (cut at 1024 bytes, the API's limit). Events that differ
  // only in their note belong to one series, which shows the note of the first one.
  virtual void record(const kube::Resource& resource, const kube::Object& regarding, Type type, std::string reason,
                      std::string action, std::string note) = 0;
  // The same for an Event with a second object. Each second object has a series of its own.
  virtual void record_related(const kube::Resource& resource, const kube::Object& regarding,
                              const RelatedObject& related, Type type, std::string reason, std::string action,
                              std::string note) {
    static_cast<void>(related);
    record(resource, regarding, type, std::move(reason), std::move(action), std::move(note));
  }
};

// monostate: the flag has no default and was not given.
using FlagValue =
    std::variant<std::monostate, bool, std::int64_t, std::string, std::chrono::nanoseconds, std::vector<std::string>>;

// The types that a flag can have. A duration is written as in Go ("1m30s"), a list with commas.
template <class T>
concept FlagType = std::same_as<T, bool> || std::same_as<T, std::int64_t> || std::same_as<T, std::string> ||
                   std::same_as<T, std::chrono::nanoseconds> || std::same_as<T, std::vector<std::string>>;

// A flag that an operator or a controller adds: `.flag<std::string>("redis-image", "redis:7", "The image.")`. The
// program parses it as its built-in flags (src/program/flags/flag_table.cpp), also from the file of --config.
struct Flag {
  std::string name;         // without dashes: "redis-image"
  FlagValue zero;           // a value of the flag's type, which is known even without a default
  FlagValue default_value;  // monostate: none, and the flag is read with optional_flag
  std::string help;         // a sentence, for --help and the reference
};

// The values by flag name.
using FlagValues = std::map<std::string, FlagValue, std::less<>>;

template <FlagType T>
[[nodiscard]] Flag make_flag(std::string name, FlagValue default_value, std::string help) {
  return {std::move(name), FlagValue(T{}), std::move(default_value), std::move(help)};
}

// `given`, plus the defaults of declared flags that were not given.
[[nodiscard]] FlagValues with_defaults(const std::vector<Flag>& declared, FlagValues given);

// "text", "bool", "number", "duration", "list of texts".
[[nodiscard]] std::string_view flag_type_name(const FlagValue& value);

namespace detail {
// Throws base::Misuse if no flag of the name is declared.
[[nodiscard]] const FlagValue& look_up(const FlagValues& values, std::string_view name);
[[noreturn]] void misuse_flag(std::string_view name, const FlagValue& value, const FlagValue& asked);
}  // namespace detail

// Null if the flag was not given and has no default. The result points into `values`. Throws base::Misuse if the flag
// is not declared, or has another type.
template <FlagType T>
[[nodiscard]] const T* find_flag(const FlagValues& values, std::string_view name) {
  const auto& value = detail::look_up(values, name);
  if (std::holds_alternative<std::monostate>(value)) return nullptr;
  const auto* found = std::get_if<T>(&value);
  if (found == nullptr) detail::misuse_flag(name, value, FlagValue(T{}));
  return found;
}

class Definition;
class DryRunClient;

// The dependencies of reconcilers and webhooks. All of them outlive the reconciler. Inside a reconcile function use the
// Pass, which has shorter forms of them.
struct Context {
  async::Clock& clock;    // the time, which tests control; do not read std::chrono's clocks
  base::Random& random;   // seeded, so that a simulation can be repeated
  Logger log;             // without the keys of an object
  kube::Client& client;   // its writes are fenced (leader/fence.hpp) if the controller needs the lease
  cache::Cache& cache;    // all informers of the process
  EventRecorder& events;  // records Events in the background
  metrics::Registry& registry;
  // Reads a variable of the process environment, such as MEMCACHED_IMAGE; null if it is not set.
  std::function<const char*(const char*)> environment;
  // The flags that definitions and the Operator declare; flag() and optional_flag() read them.
  FlagValues flags = {};

  // The controller that the reconciler belongs to; null for webhooks, which belong to no controller.
  const Definition* definition = nullptr;

  // With --dry-run, `client` as what it is; for the framework. Otherwise null.
  DryRunClient* dry_run = nullptr;
  // What http() returns; null in tests that construct a Context without one.
  net::UrlClient* url_client = nullptr;
  // The source of secure_random_text(); empty: the operating system.
  base::Entropy entropy = {};
  // True with --dry-run: every write of `client` is a server-side dry run, and no Event is sent. Code that changes
  // something outside of the API server must not do so then; http() fails for requests other than GET and HEAD.
  [[nodiscard]] bool is_dry_run() const { return dry_run != nullptr; }

  // The client of other servers than the API server (net/url_client.hpp), through the proxy of HTTPS_PROXY. If the
  // controller needs the lease, requests other than GET and HEAD are fenced as the writes of `client` are. In a
  // simulated cluster it reaches the servers of the test (sandbox/http_servers.hpp).
  [[nodiscard]] net::UrlClient& http() const;
  // A password or token of `length` letters and digits (base/secure_random.hpp): a new one at each call, so store it in
  // an object that is created once, `pass.create(secret)`. In a simulated cluster it follows from the seed, so that a
  // run can be repeated; nothing else can seed it.
  [[nodiscard]] std::string secure_random_text(std::size_t length) const;

  // The informer of a kind that the definition declares, with the definition's selectors; other definitions may declare
  // other informers of the kind. Throws base::Misuse if the definition does not declare the kind, or declares it with
  // several selectors.
  [[nodiscard]] cache::Informer& informer(const kube::Resource& resource) const;

  // The value of `--name`, or its default. Throws base::Misuse for a flag that is not declared with this type and a
  // default.
  template <FlagType T>
  [[nodiscard]] const T& flag(std::string_view name) const {
    const auto* value = find_flag<T>(flags, name);
    if (value == nullptr) misuse_optional_flag(name);
    return *value;
  }
  // The value of a flag without a default; empty if it was not given.
  template <FlagType T>
  [[nodiscard]] std::optional<T> optional_flag(std::string_view name) const {
    const auto* value = find_flag<T>(flags, name);
    return value == nullptr ? std::nullopt : std::optional<T>(*value);
  }

 private:
  [[noreturn]] static void misuse_optional_flag(std::string_view name);
};

}  // namespace keelson::controller
