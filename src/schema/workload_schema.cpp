#include "keelson/detail/schema/workload_schema.hpp"

#include <algorithm>
#include <string>

#include "keelson/detail/base/assert.hpp"
#include "src/schema/workload_types.hpp"

namespace keelson::kube {

namespace {

constexpr std::string_view kReference = R"({"$ref":")";

std::string_view schema_of(std::string_view name) {
  const auto* end = kWorkloadTypes + kWorkloadTypeCount;
  const auto* found = std::lower_bound(
      kWorkloadTypes, end, name, [](const WorkloadType& type, std::string_view wanted) { return type.name < wanted; });
  KEELSON_ASSERT(found != end && found->name == name);
  return found->schema;
}

// None of these types contains itself; a CustomResourceDefinition could not express it.
void append_inlined(std::string_view schema, std::string& out) {
  for (;;) {
    auto place = schema.find(kReference);
    out += schema.substr(0, place);
    if (place == std::string_view::npos) return;
    auto name = schema.substr(place + kReference.size());
    auto end = name.find("\"}");
    append_inlined(schema_of(name.substr(0, end)), out);
    schema = name.substr(end + 2);
  }
}

std::string inlined(std::string_view name) {
  std::string out;
  append_inlined(schema_of(name), out);
  return out;
}

}  // namespace

std::string_view pod_spec_schema() {
  static const std::string schema = inlined("PodSpec");
  return schema;
}

std::string_view job_template_schema() {
  static const std::string schema = inlined("JobTemplateSpec");
  return schema;
}

}  // namespace keelson::kube
