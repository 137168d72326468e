#include "src/sandbox/kinds/conversion.hpp"

#include "src/sandbox/kinds/served_kind.hpp"

namespace keelson::sandbox {

namespace {

// The beginning of the JSON of an object of this kind up to its apiVersion, for any version.
std::string front_of(const ServedKind& kind) {
  return R"({"kind":")" + kind.resource.kind + R"(","apiVersion":")" + kind.resource.group + "/";
}

}  // namespace

bool is_of_other_version(const ServedKind& kind, std::string_view json) {
  auto front = front_of(kind);
  return kind.conversion && json.starts_with(front) &&
         !json.substr(front.size()).starts_with(kind.resource.version + "\"");
}

std::string relabeled(const ServedKind& kind, std::string_view json) {
  if (!is_of_other_version(kind, json)) return std::string(json);
  auto front = front_of(kind);
  auto rest = json.substr(json.find('"', front.size()));
  return front + kind.resource.version + std::string(rest);
}

Result<Tree> checked_conversion(const Tree& original, Tree converted, const std::string& api_version) {
  if (converted.text_at({"apiVersion"}) != api_version) {
    return invalid_error("returned invalid object at index 0: invalid groupVersion (expected " + api_version +
                         ", received " + converted.text_at({"apiVersion"}) + ")");
  }
  if (converted.text_at({"kind"}) != original.text_at({"kind"})) {
    return invalid_error("returned invalid object at index 0: invalid kind (expected " + original.text_at({"kind"}) +
                         ", received " + converted.text_at({"kind"}) + ")");
  }
  struct Field {
    const char* name;
    const char* shown;
  };
  for (const auto& field : {Field{"name", "name"}, Field{"namespace", "namespace"}, Field{"uid", "UID"}}) {
    auto had = original.text_at({"metadata", field.name});
    auto has = converted.text_at({"metadata", field.name});
    if (had != has) {
      return invalid_error("returned invalid object: must have the same " + std::string(field.shown) + ": " + had +
                           " != " + has);
    }
  }
  auto kept = original.copy_at({"metadata"});
  for (const char* name : {"labels", "annotations"}) {
    kept.erase(name);
    const Tree* value = converted.at({"metadata", name});
    if (value != nullptr && !value->is_null()) kept[name] = *value;
  }
  // Kind and apiVersion come first, as in stored objects.
  Tree ordered = Tree::object({{"kind", original.text_at({"kind"})}, {"apiVersion", api_version}, {"metadata", kept}});
  for (auto& [name, value] : converted.members()) {
    if (name != "kind" && name != "apiVersion" && name != "metadata") ordered[name] = std::move(value);
  }
  return ordered;
}

}  // namespace keelson::sandbox
