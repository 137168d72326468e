#include "src/sandbox/fields/merge_type.hpp"

#include <map>

#include "keelson/detail/base/assert.hpp"
#include "src/sandbox/fields/definitions.hpp"
#include "src/sandbox/fields/go_forms.hpp"

namespace keelson::sandbox {

namespace {

using How = MergeRule::How;
using Scalar = MergeType::Scalar;
using Zero = MergeField::Zero;

constexpr std::string_view kSchemas = "#/components/schemas/";
constexpr const char* kObjectMeta = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

// No definition has this name, so the type is that of values without a schema.
constexpr const char* kDeduced = "deduced";

// Takes every value. Maps are merged by member if they are granular, lists never.
std::shared_ptr<MergeType> free_type(How maps) {
  auto made = std::make_shared<MergeType>();
  made->scalar = Scalar::kAny;
  made->takes_map = made->takes_list = true;
  made->map.how = maps;
  made->values = made->items = MergePart(std::string(kDeduced));
  return made;
}

const std::shared_ptr<const MergeType>& atomic_type() {
  static const std::shared_ptr<const MergeType> type = free_type(How::kAtomic);
  return type;
}

// The type of values without a schema.
const std::shared_ptr<const MergeType>& deduced_type() {
  static const std::shared_ptr<const MergeType> type = free_type(How::kGranular);
  return type;
}

// The definition that a schema refers to; empty: none.
std::string referred(const Tree& schema) {
  auto text = schema.text_at({"$ref"});
  const auto& all = schema.items_at({"allOf"});
  if (text.empty() && all.size() == 1) text = all[0].text_at({"$ref"});
  return text.empty() ? text : text.substr(kSchemas.size());
}

Tree definition_tree(std::string_view name) {
  const auto* found = find_definition(name);
  if (found == nullptr) return Tree::object();
  auto parsed = Tree::parse(found->json);
  KEELSON_ASSERT(parsed.has_value());
  return std::move(*parsed);
}

Scalar scalar_of(const std::string& type, const std::string& format) {
  if (type == "integer" || type == "number") return Scalar::kNumber;
  if (type == "boolean") return Scalar::kBool;
  return type == "string" && (format.empty() || format == "byte") ? Scalar::kText : Scalar::kAny;
}

Zero zero_of(const Tree& schema, bool is_required) {
  const Tree* value = schema.find("default");
  if (value != nullptr && value->is_object() && value->is_empty()) return Zero::kObject;
  if (!is_required) return Zero::kNothing;
  const auto type = schema.text_at({"type"});
  if (type == "string") return Zero::kText;
  if (type == "integer" || type == "number") return Zero::kNumber;
  return type == "boolean" ? Zero::kFalse : Zero::kNull;
}

// Reads the types of schemas: of the definitions of Kubernetes, whose values have Go's zero values, or of a custom
// kind.
class MergeReader {
 public:
  explicit MergeReader(bool is_custom, const GoForm* form = nullptr) : is_custom_(is_custom), form_(form) {}

  std::shared_ptr<MergeType> type(const Tree& schema) {
    const bool kept = keeps_unknown_;
    if (schema.is_true_at({"x-kubernetes-preserve-unknown-fields"})) keeps_unknown_ = true;
    auto made = std::make_shared<MergeType>();
    const auto name = schema.text_at({"type"});
    made->takes_map = name.empty() || name == "object";
    made->takes_list = name.empty() || name == "array";
    if (name != "object" && name != "array") made->scalar = scalar_of(name, schema.text_at({"format"}));
    if (made->takes_map) read_map(schema, *made);
    if (made->takes_list) read_list(schema, *made);
    keeps_unknown_ = kept;
    return made;
  }

  void add_resource_fields(MergeType& to) {
    for (const char* name : {"apiVersion", "kind"}) to.fields[name] = {part(Tree::object({{"type", "string"}}))};
    to.fields["metadata"] = {MergePart(std::string(kObjectMeta))};
  }

 private:
  MergePart part(const Tree& schema) {
    auto definition = referred(schema);
    if (definition.empty()) return MergePart(type(schema));
    const auto relation = schema.text_at({"x-kubernetes-map-type"});
    if (relation.empty()) return MergePart(std::move(definition));
    auto other = std::make_shared<MergeType>(built_in_merge_type(definition));
    other->map.how = relation == "atomic" ? How::kAtomic : How::kGranular;
    return MergePart(std::move(other));
  }

  void read_map(const Tree& schema, MergeType& made) {
    if (schema.text_at({"x-kubernetes-map-type"}) == "atomic") made.map.how = How::kAtomic;
    const auto required = schema.texts_at({"required"});
    const base::TextSet<std::string> always(required.begin(), required.end());
    for (const auto& [name, property] : schema.members_at({"properties"})) {
      const auto* field = form_ != nullptr ? form_->find(name) : nullptr;
      // A required field that Go omits is absent in a zero value.
      const bool is_always = form_ != nullptr ? field != nullptr && field->is_always : always.contains(name);
      const auto zero = is_custom_ ? Zero::kNothing : zero_of(property, is_always);
      made.has_zeros = made.has_zeros || zero != Zero::kNothing;
      made.fields[name] = {part(property), zero};
    }
    const Tree* values = schema.find("additionalProperties");
    if (values != nullptr && values->is_object()) {
      made.values = part(*values);
    } else if (values == nullptr ? keeps_unknown_ || made.fields.empty() : *values == Tree(true)) {
      made.values = MergePart(std::string(kDeduced));
    }
    if (is_custom_ && schema.is_true_at({"x-kubernetes-embedded-resource"})) add_resource_fields(made);
  }

  void read_list(const Tree& schema, MergeType& made) {
    const Tree* items = schema.find("items");
    made.items = items != nullptr ? part(*items) : MergePart(atomic_type());
    const auto how = schema.text_at({"x-kubernetes-list-type"});
    if (how == "set") made.list.how = How::kSet;
    if (how != "map" || items == nullptr) return;
    made.list.how = How::kByKey;
    const auto definition = referred(*items);
    const auto element = definition.empty() ? *items : definition_tree(definition);
    for (const auto& name : schema.texts_at({"x-kubernetes-list-map-keys"})) {
      const Tree* value = element.at({"properties", name, "default"});
      made.list.keys.push_back({name, value != nullptr ? *value : Tree()});
    }
  }

  bool is_custom_;
  const GoForm* form_ = nullptr;  // of a definition of Kubernetes; null: none
  bool keeps_unknown_ = false;    // below x-kubernetes-preserve-unknown-fields
};

// Types that are not what their definition says.
std::shared_ptr<const MergeType> special_type(const std::string& definition) {
  if (definition == "io.k8s.apimachinery.pkg.runtime.RawExtension") return atomic_type();
  if (definition != "io.k8s.apimachinery.pkg.api.resource.Quantity") return nullptr;
  auto made = std::make_shared<MergeType>();
  made->scalar = Scalar::kAny;
  return made;
}

}  // namespace

const MergeType& MergePart::type() const {
  if (own_ != nullptr) return *own_;
  if (found_ == nullptr) found_ = definition_.empty() ? deduced_type().get() : &built_in_merge_type(definition_);
  return *found_;
}

const MergeType& MergeType::member(std::string_view name) const {
  const auto* field = find(name);
  return field != nullptr ? field->part.type() : values.type();
}

const MergeType& MergeType::below(std::string_view step) const {
  if (step.starts_with("f:")) return member(step.substr(2));
  return takes_list ? items.type() : *deduced_type();
}

MergeType::Shape MergeType::shape(const Tree& value) const {
  if (value.is_object()) return takes_map ? Shape::kMap : Shape::kScalar;
  if (value.is_array()) return takes_list ? Shape::kList : Shape::kScalar;
  if (!value.is_null()) return Shape::kScalar;
  if (takes_map) return Shape::kMap;
  return scalar == Scalar::kNone ? Shape::kList : Shape::kScalar;
}

const Tree* zero_value(Zero zero) {
  static const Tree kNull;
  static const Tree kObject = Tree::object();
  static const Tree kText("");
  static const Tree kNumber(0);
  static const Tree kFalse(false);
  switch (zero) {
    case Zero::kNull:
      return &kNull;
    case Zero::kObject:
      return &kObject;
    case Zero::kText:
      return &kText;
    case Zero::kNumber:
      return &kNumber;
    case Zero::kFalse:
      return &kFalse;
    default:
      return nullptr;
  }
}

const MergeType& built_in_merge_type(const std::string& definition) {
  // The types are read from constants in the binary, so all servers of the process can share them.
  static base::TextMap<std::string, std::shared_ptr<const MergeType>> known;
  if (const auto found = known.find(definition); found != known.end()) return *found->second;
  auto made = special_type(definition);
  if (made == nullptr && find_definition(definition) == nullptr) return *deduced_type();
  if (made == nullptr) made = MergeReader(false, go_form(definition)).type(definition_tree(definition));
  return *known.emplace(definition, std::move(made)).first->second;
}

std::shared_ptr<const MergeType> custom_merge_type(const Tree& openapi) {
  MergeReader reader(true);
  auto made = reader.type(openapi);
  made->takes_map = true;
  reader.add_resource_fields(*made);
  return made;
}

}  // namespace keelson::sandbox
