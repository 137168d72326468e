// A manager on this machine, and the answers of `manager explain` about its objects.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "test/cluster/harness/cluster.hpp"

namespace keelson::testing {

inline constexpr const char* kMemcached =
    "apiVersion: memcached.cache.example.com/v1\nkind: Memcached\nmetadata: {name: web}\nspec: {size: 1}\n";

[[nodiscard]] inline Output explain_with(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {KEELSON_MANAGER, "explain"});
  return run(arguments);
}

// A manager that answers `manager explain` about objects of a namespace.
struct Explained {
  explicit Explained(std::vector<std::string> arguments = {}) {
    install_crds();
    start(std::move(arguments));
  }
  void start(std::vector<std::string> arguments) {
    manager.reset();
    manager.emplace(std::move(arguments));
    manager->wait_until_ready();
  }
  void apply(const std::string& object) const { kubectl({"apply", "-n", ns, "-f", "-"}, object); }
  void wait_until_ready() const {
    kubectl({"wait", "memcached", "web", "-n", ns, "--for=condition=Ready", "--timeout=60s"});
  }
  [[nodiscard]] Output ask(const std::string& kind, const std::string& name, std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {kind, ns + "/" + name, "--address", manager->health_address()});
    return explain_with(std::move(more));
  }
  [[nodiscard]] std::string text(const std::string& kind = "memcached", const std::string& name = "web") const {
    return ask(kind, name).text;
  }
  // Waits for an answer whose name and text this is.
  void expect(const std::string& name, const std::string& part, const std::string& kind = "memcached",
              const std::string& object = "web") const {
    std::string last;
    eventually("the answer is " + name + ": " + part, [&] {
      last = ask(kind, object, {"--output", "json"}).text;
      return last.find("\"answer\":{\"name\":\"" + name + "\"") != std::string::npos;
    });
    const auto text = this->text(kind, object);
    INFO(text);
    CHECK(text.find(part) != std::string::npos);
  }

  Namespace space;
  const std::string& ns = space.name();
  std::optional<Manager> manager;
};

}  // namespace keelson::testing
