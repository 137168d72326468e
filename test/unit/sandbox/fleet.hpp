// A server in this process with helpers for tests of its controllers: objects by name, values by path.
#pragma once

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <initializer_list>
#include <string>
#include <vector>

#include "keelson/json/value.hpp"
#include "keelson/schema/identity.hpp"
#include "test/unit/sandbox/talk.hpp"

namespace keelson::sandbox::fixtures {

struct Fleet : Talk {
  explicit Fleet(const ApiServerOptions& options = {}) : Talk(options) {}

  void create(const kube::Resource& resource, const std::string& body) {
    auto created = ask(kube::create(client(), resource, resource.namespaced ? "default" : "", body));
    INFO((created ? "" : created.error().server_text));
    REQUIRE(created);
  }
  void patch(const kube::Resource& resource, const std::string& name, const std::string& body) {
    REQUIRE(ask(kube::patch(client(), resource, key(resource, name), kube::PatchType::kMerge, body)));
  }
  void remove(const kube::Resource& resource, const std::string& name) {
    REQUIRE(ask(kube::remove(client(), resource, key(resource, name), {})));
  }
  // The JSON at a path, for a string without quotes; "null" if it is absent.
  std::string value(const kube::Resource& resource, const std::string& name,
                    std::initializer_list<std::string_view> path) {
    for (const auto& object : server.objects(resource)) {
      if (object.key() != key(resource, name)) continue;
      auto document = json::Document::parse(object.json());
      auto found = document->root().at(path);
      return found.string() ? std::string(*found.string()) : found.text();
    }
    return "null";
  }
  // The names of objects that are not being deleted, joined by spaces.
  std::string names(const kube::Resource& resource) {
    std::string text;
    for (const auto& object : server.objects(resource)) {
      if (object.deleting()) continue;
      text += (text.empty() ? "" : " ") + std::string(object.name());
    }
    return text;
  }
  std::size_t count(const kube::Resource& resource) { return server.objects(resource).size(); }

 private:
  static kube::Key key(const kube::Resource& resource, const std::string& name) {
    return {resource.namespaced ? "default" : "", name};
  }
};

}  // namespace keelson::sandbox::fixtures
