// The examples of include/keelson/schema.
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "keelson/api/core/v1/pod.hpp"
#include "keelson/base/task.hpp"
#include "keelson/base/try.hpp"
#include "keelson/detail/async/time_slice.hpp"
#include "keelson/detail/schema/decoder.hpp"
#include "keelson/detail/schema/workload_schema.hpp"
#include "keelson/json/value.hpp"
#include "keelson/json/writer.hpp"
#include "keelson/schema/describe.hpp"
#include "keelson/schema/identity.hpp"
#include "keelson/schema/quantity.hpp"

namespace schema_example {

namespace core = keelson::core;
namespace kube = keelson::kube;
using namespace keelson::kube::literals;

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
  // Error: "spec.size: expected an integer, found a string".
  KEELSON_LET(auto spec, kube::decode<MemcachedSpec>(document.root(), "spec"));
  // FieldError: "spec.size: Invalid value: -1: should be greater than or equal to 0".
  return kube::validate(spec, "spec");
}
std::string open_api_schema() { return kube::schema_of<MemcachedSpec>(); }
std::string as_json(const MemcachedSpec& spec) { return kube::encode(spec); }
// [end]

struct ServiceSpec {
  std::vector<std::int32_t> ports;
  kube::RawJson job_template;
};

void describe(kube::Description& d, ServiceSpec& spec) {
  // [constraints]
  d.field("ports", spec.ports, "Ports of the Service.").max_items(16).items().minimum(1).maximum(65535);
  // [end]
  // [workload_schema]
  d.field("jobTemplate", spec.job_template, "What to run.").schema(kube::job_template_schema());
  // [end]
}

// [literal]
struct PolicySpec {
  std::string mode;
};

void describe(kube::Description& d, PolicySpec& spec) {
  static constexpr std::string_view kLowerCase = "^[a-z]+$";  // a std::string would not compile
  d.field("mode", spec.mode, "Whether to permit or to deny.")
      .pattern(kLowerCase)
      .default_value("\"permit\"")  // JSON: a text has quotes of its own
      .example("\"deny\"");
}
// [end]

// [custom]
// Written as "50%". As the type of a field it is decoded, encoded and checked like the other types.
struct Percent {
  static constexpr std::string_view kSchema = R"({"type":"string","pattern":"^[0-9]{1,2}%$"})";
  static constexpr std::string_view kExpected = "a percentage like 50%";

  static keelson::Result<Percent> read(keelson::json::View view) {
    const std::string text(view.string().value_or(""));
    int value = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failure != std::errc() || std::string_view(end) != "%") return keelson::malformed_error(text);
    return Percent{value};
  }
  void write(keelson::json::Writer& writer) const { writer.string(std::to_string(value) + "%"); }
  bool operator==(const Percent&) const = default;

  int value = 0;
};
// [end]

struct DiscountSpec {
  std::vector<Percent> steps;
};

void describe(kube::Description& d, DiscountSpec& spec) { d.field("steps", spec.steps, "The discounts."); }

std::string discount_schema() { return kube::schema_of<DiscountSpec>(); }

struct Memcached {
  // [identity]
  static constexpr kube::Identity kIdentity{"cache.example.com", "v1", "Memcached"};
  // [end]
};

// [box]
void add_scratch_volume(core::v1::PodSpec& pod) {
  pod.volumes.push_back({.name = "scratch"});
  pod.volumes.back().empty_dir = core::v1::EmptyDirVolumeSource{};  // written as {}
  for (auto& container : pod.containers) container.security_context = {{.run_as_non_root = true}};
}

bool has_node_affinity(const core::v1::PodSpec& pod) { return pod.affinity && pod.affinity->node_affinity; }
// [end]

// [list]
core::v1::PodSpec web(std::string image) {
  core::v1::PodSpec pod;
  pod.containers = {{.name = "web", .image = std::move(image)}};
  return pod;
}
// [end]

// [quantity]
void limit(core::v1::Container& container) {
  container.resources.limits = {{"memory", "64Mi"_quantity}, {"cpu", "250m"_quantity}};
}
// [end]

// [decoder]
keelson::Task<MemcachedSpec> decode_in_slices(keelson::async::TimeSlice& slice, std::string json) {
  MemcachedSpec spec;
  constexpr std::size_t kMemoryLimit = 1 << 20;
  kube::Decoder decoder(json, kube::type_of<MemcachedSpec>(), &spec, "spec", kMemoryLimit);
  for (;;) {
    KEELSON_CO_LET(const bool is_done, decoder.advance(16'384));
    if (is_done) co_return spec;
    co_await slice.yield();
  }
}
// [end]

}  // namespace schema_example
