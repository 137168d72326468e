#include "src/sandbox/simulation/nearest_field.hpp"

#include <algorithm>
#include <vector>

#include "keelson/detail/base/nearest.hpp"
#include "src/sandbox/http/openapi_paths.hpp"

namespace keelson::sandbox {

namespace {

struct PathStep {
  std::string_view name;  // empty: an entry of a list
};

// The position after the closing bracket; brackets in quotes do not count.
std::size_t end_of_bracket(std::string_view path, std::size_t begin) {
  bool is_quoted = false;
  for (auto place = begin; place < path.size(); ++place) {
    if (is_quoted && path[place] == '\\') {
      ++place;
    } else if (path[place] == '"') {
      is_quoted = !is_quoted;
    } else if (path[place] == ']' && !is_quoted) {
      return place + 1;
    }
  }
  return path.size();
}

std::vector<PathStep> steps_of(std::string_view path) {
  std::vector<PathStep> steps;
  for (std::size_t place = 0; place < path.size();) {
    if (path[place] == '.') {
      ++place;
    } else if (path[place] == '[') {
      place = end_of_bracket(path, place);
      steps.push_back({});
    } else {
      const auto end = std::min(path.find_first_of(".[", place), path.size());
      steps.push_back({path.substr(place, end - place)});
      place = end;
    }
  }
  return steps;
}

const Schema* fields_of(const ServedKind& kind) {
  return kind.is_custom ? kind.fields.get() : built_in_schema(openapi_name(kind));
}

// Null if the schema does not describe the value.
const Schema* below(const Schema& schema, const PathStep& step) {
  if (const auto* field = schema.find(step.name)) return &field->part.schema();
  const bool has_items = schema.type == Schema::Type::kList || schema.type == Schema::Type::kMap;
  return has_items ? &schema.items.schema() : nullptr;
}

}  // namespace

std::optional<std::string> nearest_field(const ServedKind& kind, std::string_view path) {
  const auto steps = steps_of(path);
  const auto* schema = fields_of(kind);
  if (kind.is_custom && !steps.empty() && steps.front().name == "metadata") schema = nullptr;
  for (std::size_t depth = 0; schema != nullptr && depth + 1 < steps.size(); ++depth) {
    schema = below(*schema, steps[depth]);
  }
  if (schema == nullptr || steps.empty()) return std::nullopt;
  std::vector<std::string_view> known;
  for (const auto& [name, field] : schema->fields) known.push_back(name);
  std::ranges::sort(known);
  auto meant = base::nearest(steps.back().name, known);
  return meant ? std::optional<std::string>(*meant) : std::nullopt;
}

}  // namespace keelson::sandbox
