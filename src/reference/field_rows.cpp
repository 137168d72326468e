#include "src/reference/field_rows.hpp"

#include <algorithm>

#include "keelson/detail/base/counted.hpp"
#include "keelson/detail/base/text.hpp"
#include "src/reference/markdown.hpp"

namespace keelson::reference {

namespace {

std::string keyword_text(json::View schema, std::string_view keyword) {
  return std::string(schema.find(keyword).string().value_or(""));
}

const KnownType* find_known(json::View schema, const std::vector<KnownType>& known) {
  const auto properties = schema.find("properties");
  if (properties.is_absent()) return nullptr;
  for (const KnownType& type : known) {
    const auto document = json::Document::parse(type.schema);
    if (document && json::equal(document->root().find("properties"), properties)) return &type;
  }
  return nullptr;
}

std::string type_of(json::View schema, const std::vector<KnownType>& known) {
  if (const KnownType* type = find_known(schema, known)) return "[" + type->name + "](" + type->link + ")";
  const auto type = keyword_text(schema, "type");
  if (type == "array") return "list of " + type_of(schema.find("items"), known);
  const auto values = schema.find("additionalProperties");
  if (values.is_object()) return "map of string to " + type_of(values, known);
  if (schema.find("x-kubernetes-int-or-string").boolean().value_or(false)) return "integer or string";
  if (type.empty()) return "any";
  const auto format = keyword_text(schema, "format");
  if (format == "date-time") return "time";
  return format.empty() ? type : type + " (" + format + ")";
}

void add_number_limits(json::View schema, std::vector<std::string>& out) {
  const auto add = [&](std::string_view keyword, std::string_view exclusive, std::string_view with,
                       std::string_view without) {
    const auto limit = schema.find(keyword);
    if (limit.is_absent()) return;
    const bool is_exclusive = schema.find(exclusive).boolean().value_or(false);
    out.push_back(std::string(is_exclusive ? without : with) + " " + limit.text());
  };
  add("minimum", "exclusiveMinimum", "at least", "more than");
  add("maximum", "exclusiveMaximum", "at most", "less than");
}

void add_size_limits(json::View schema, std::vector<std::string>& out) {
  const auto add = [&](std::string_view keyword, std::string_view how, std::string_view thing) {
    const auto limit = schema.find(keyword).integer();
    if (!limit || (how == "at least" && *limit == 0)) return;
    out.push_back(std::string(how) + " " + base::counted(static_cast<std::uint64_t>(*limit), thing));
  };
  add("minLength", "at least", "character");
  add("maxLength", "at most", "character");
  add("minItems", "at least", "item");
  add("maxItems", "at most", "item");
}

std::string choice(json::View values) {
  std::string out = "one of ";
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) out += ", ";
    out += code(values.item(i).string().value_or(""));
  }
  return out;
}

std::string key_of_list_map(json::View schema) {
  std::vector<std::string> keys;
  for (const auto key : schema.find("x-kubernetes-list-map-keys").items()) {
    keys.push_back(code(key.string().value_or("")));
  }
  return "one for each " + base::join(keys, ", ");
}

void add_list_limits(json::View schema, std::vector<std::string>& out) {
  const auto type = keyword_text(schema, "x-kubernetes-list-type");
  if (type == "map") out.push_back(key_of_list_map(schema));
  if (type == "set") out.emplace_back("no value twice");
}

void add_rules(json::View schema, std::vector<std::string>& out) {
  for (const auto rule : schema.find("x-kubernetes-validations").items()) {
    out.push_back(prose(rule.find("message").string().value_or("")));
  }
}

std::string limits_of(json::View schema, bool is_required) {
  std::vector<std::string> out;
  if (is_required) out.emplace_back("required");
  if (schema.find("nullable").boolean().value_or(false)) out.emplace_back("may be null");
  add_number_limits(schema, out);
  add_size_limits(schema, out);
  if (const auto values = schema.find("enum"); values.size() > 0) out.push_back(choice(values));
  if (const auto pattern = keyword_text(schema, "pattern"); !pattern.empty()) out.push_back("matches " + code(pattern));
  add_list_limits(schema, out);
  add_rules(schema, out);
  return base::join(out, "; ");
}

bool lists(json::View names, std::string_view name) {
  const auto items = names.items();
  return std::ranges::any_of(items, [&](json::View item) { return item.string() == name; });
}

class Walk {
 public:
  explicit Walk(const std::vector<KnownType>& known) : known_(known) {}

  void visit(const std::string& path, json::View schema, bool is_required) {
    const auto default_value = schema.find("default");
    rows_.push_back({path, type_of(schema, known_), limits_of(schema, is_required),
                     default_value.is_absent() ? std::string() : default_value.text(),
                     keyword_text(schema, "description")});
    go_into(path, schema);
  }
  [[nodiscard]] std::vector<FieldRow> take() && { return std::move(rows_); }

 private:
  // The items of lists and maps have no row, only their members.
  void go_into(const std::string& path, json::View schema) {
    if (find_known(schema, known_) != nullptr) return;
    for (const auto& [name, member] : schema.find("properties").members()) {
      visit(path + "." + std::string(name), member, lists(schema.find("required"), name));
    }
    if (const auto items = schema.find("items"); items.is_object()) go_into(path + "[]", items);
    if (const auto values = schema.find("additionalProperties"); values.is_object()) go_into(path + ".*", values);
  }

  const std::vector<KnownType>& known_;
  std::vector<FieldRow> rows_;
};

}  // namespace

std::vector<FieldRow> field_rows(std::string_view path, json::View schema, const std::vector<KnownType>& known) {
  Walk walk(known);
  walk.visit(std::string(path), schema, false);
  return std::move(walk).take();
}

}  // namespace keelson::reference
