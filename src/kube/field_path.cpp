#include "src/kube/field_path.hpp"

#include <algorithm>
#include <array>

#include "keelson/json/writer.hpp"

namespace keelson::kube {

namespace {

json::View child(json::View value, const std::string& step) {
  if (!value.is_array()) return value.find(step);
  const auto index = json::parse_index(step);
  return index ? value.item(*index) : json::View();
}

std::string item_text(json::View before, json::View after, const std::string& index) {
  const auto old = name_of_item(before);
  const auto next = name_of_item(after);
  const bool is_one = before.is_absent() || after.is_absent() || old == next;
  if (is_one && (old || next)) return std::string(old ? *old : *next);
  return index;
}

}  // namespace

json::View at_pointer(json::View value, const json::Pointer& pointer) {
  for (const auto& step : pointer) value = child(value, step);
  return value;
}

std::string field_path(json::View before, json::View after, const json::Pointer& pointer) {
  std::string path;
  for (const auto& step : pointer) {
    const bool is_item = before.is_array() || after.is_array();
    before = child(before, step);
    after = child(after, step);
    if (is_item) {
      path.append("[").append(item_text(before, after, step)).append("]");
    } else {
      append_member(path, step);
    }
  }
  return path;
}

void append_member(std::string& path, std::string_view name) {
  const bool is_plain = !name.empty() && name.find_first_of(". /\"[]~") == std::string_view::npos;
  if (!is_plain) {
    path.append("[").append(json::quoted(name)).append("]");
  } else {
    path.append(path.empty() ? "" : ".").append(name);
  }
}

std::optional<std::string_view> name_of_item(json::View item) {
  for (const char* key : {"name", "type"}) {
    if (auto name = item.find(key).string()) return name;
  }
  return std::nullopt;
}

bool is_set_by_server(std::string_view metadata_member) {
  constexpr std::array<std::string_view, 5> kServersOwn = {"managedFields", "resourceVersion", "generation", "uid",
                                                           "creationTimestamp"};
  return std::ranges::find(kServersOwn, metadata_member) != kServersOwn.end();
}

}  // namespace keelson::kube
