// A described struct and what follows from it, as include/keelson/schema/describe.hpp shows it.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "keelson/base/try.hpp"
#include "keelson/json/value.hpp"
#include "keelson/schema/describe.hpp"
#include "keelson/schema/quantity.hpp"

namespace schema_example {

namespace kube = keelson::kube;

// [describe]
struct MemcachedSpec {
  std::int32_t size = 0;
  std::optional<std::string> image;
  std::optional<kube::Quantity> memory;
};

// Declare it in the struct's namespace: argument-dependent lookup finds it.
void describe(kube::Description& d, MemcachedSpec& spec) {
  d.document("MemcachedSpec defines the desired state of Memcached.");
  d.field("size", spec.size, "Number of Memcached pods.").required().minimum(0).maximum(100);
  d.field("image", spec.image, "Container image.").min_length(1);
  d.field("memory", spec.memory, "Memory of each pod, such as 64Mi.");
}

// These follow from describe().
keelson::Result<std::vector<kube::FieldError>> check(const std::string& json) {
  KEELSON_LET(auto document, keelson::json::Document::parse(json));
  // Error: "spec.size: expected an integer".
  KEELSON_LET(auto spec, kube::decode<MemcachedSpec>(document.root(), "spec"));
  // FieldError: "spec.size: Invalid value: -1: should be greater than or equal to 0".
  return kube::validate(spec, "spec");
}
std::string open_api_schema() { return kube::schema_of<MemcachedSpec>(); }
std::string as_json(const MemcachedSpec& spec) { return kube::encode(spec); }
// [end]

}  // namespace schema_example
