// Types that a described field cannot have.
#include <unordered_map>

#include "keelson/schema/describe.hpp"

namespace {

using namespace keelson;

enum class Color { kRed, kBlue };
struct Undescribed {
  int a = 0;
};
struct Spec {
  Color color = Color::kRed;
  std::vector<Color> colors;
  std::uint32_t size = 0;
  float share = 0;
  std::unordered_map<std::string, std::string> labels;
  std::map<int, std::string> by_number;
  Undescribed other;
  std::vector<bool> flags;
  std::optional<std::int64_t> right;
};

[[maybe_unused]] void describe(kube::Description& d, Spec& spec) {
  // expect: use std::string with .one_of({"Blue", "Green"})
  d.field("color", spec.color, "").required();
  // expect: a described field cannot be an enum
  d.field("colors", spec.colors, "").required();
  // expect: unsigned numbers: std::int64_t with .minimum(0)
  d.field("size", spec.size, "").minimum(1);
  // expect: float: double
  d.field("share", spec.share, "");
  // expect: unordered_map: std::map
  d.field("labels", spec.labels, "").required();
  // expect: std::map<std::string, T>
  d.field("byNumber", spec.by_number, "");
  // expect: a struct with a describe() in its namespace
  d.field("other", spec.other, "");
  // expect: a list of bool: a list of structs
  d.field("flags", spec.flags, "");
  d.field("right", spec.right, "").minimum(0);
}

[[maybe_unused]] std::string schema() {
  // expect: this struct is not described: declare `void describe(
  return kube::schema_of<Undescribed>();
}

}  // namespace
