// `kubectl get` and `kubectl apply --server-side` without their processes.
//
// `kind` is a name that kubectl takes: "memcached", "pods". A path is what kubectl's `-o jsonpath={PATH}` takes, except
// for ranges and for several names between brackets.
#pragma once

#include <string>
#include <vector>

#include "keelson/json/value.hpp"

namespace keelson::testing {

// Forces conflicts. Fails the test if the API server rejects the object.
void apply_object(const std::string& kind, const std::string& name, const std::string& ns, const std::string& yaml);

// Null if the object does not exist or the API server is not available: some tests take it down. Any other error fails
// the test.
[[nodiscard]] json::Document get(const std::string& kind, const std::string& name, const std::string& ns);

// The values of one object at a path, with blanks between them. Strings come without quotes, objects as JSON. Empty if
// the object does not exist. Waits up to 30 s for an API server that is not available; any other error fails the test.
[[nodiscard]] std::string value_of(const std::string& kind, const std::string& name, const std::string& ns,
                                   const std::string& path);

struct Selectors {
  std::string labels;
  std::string fields;
};
// The values at a path of all selected objects in the namespace. Objects without the path are left out. Waits and
// fails as value_of().
[[nodiscard]] std::vector<std::string> values_of(const std::string& kind, const std::string& ns,
                                                 const std::string& path, const Selectors& selectors = {});

}  // namespace keelson::testing
