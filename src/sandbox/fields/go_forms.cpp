#include "src/sandbox/fields/go_forms.hpp"

#include <memory>
#include <sstream>

#include "src/sandbox/fields/definitions.hpp"
#include "src/sandbox/kinds/defaults.hpp"

namespace keelson::sandbox {

namespace {

GoField::Type scalar_type(char letter) {
  using Type = GoField::Type;
  switch (letter) {
    case 'n':
      return Type::kNumber;
    case 'b':
      return Type::kBool;
    case 'y':
      return Type::kBytes;
    case 'Y':
      return Type::kBytesMap;
    case 'q':
      return Type::kQuantity;
    case 'Q':
      return Type::kResources;
    case 'x':
      return Type::kIntOrString;
    case 't':
      return Type::kTime;
    case 'u':
      return Type::kMicroTime;
    case 'r':
      return Type::kRaw;
    case '-':
      return Type::kDisabled;
    case 'l':
      return Type::kPlain;
    default:
      return Type::kString;
  }
}

// Reads the notation that scripts/generate-go-forms describes.
GoField read_field(std::string_view text, std::string_view package) {
  GoField field;
  field.is_always = text.ends_with('!');
  if (field.is_always) text.remove_suffix(1);
  field.is_pointer = text.ends_with('*');
  if (field.is_pointer) text.remove_suffix(1);
  field.type = text.size() == 1 ? scalar_type(text[0]) : GoField::Type::kStruct;
  if (text.front() == '[' || text.front() == '{') {
    field.type = text.front() == '[' ? GoField::Type::kList : GoField::Type::kMap;
    text = text.substr(1, text.size() - 2);
    if (text.size() == 1) field.item = scalar_type(text[0]);
  }
  if (text.size() > 1) field.definition = std::string(text.front() == '.' ? package : "") + std::string(text);
  return field;
}

std::unique_ptr<GoForm> read_form(std::string_view definition) {
  const auto* data = find_definition("form." + std::string(definition));
  if (data == nullptr) return nullptr;
  auto form = std::make_unique<GoForm>();
  std::istringstream stream(json_tree(data->json).scalar());
  const auto package = definition.substr(0, definition.rfind('.'));
  std::string name;
  std::string type;
  while (stream >> name >> type) {
    form->places.emplace(name, form->fields.size());
    form->fields.emplace_back(name, read_field(type, package));
  }
  if (const auto* defaults = find_definition("default." + std::string(definition))) {
    form->defaults = json_tree(defaults->json);
  }
  form->complete = completion_of(definition);
  return form;
}

}  // namespace

const GoForm* GoField::form() const {
  if (form_ == nullptr && !definition.empty()) form_ = go_form(definition);
  return form_;
}

const GoField* GoForm::find(std::string_view name) const {
  auto found = places.find(name);
  return found == places.end() ? nullptr : &fields[found->second].second;
}

const GoForm* go_form(std::string_view definition) {
  // The forms are read from constants in the binary, so all servers of the process can share them.
  static base::TextMap<std::string, std::unique_ptr<const GoForm>> known;
  auto found = known.find(definition);
  if (found == known.end()) found = known.emplace(std::string(definition), read_form(definition)).first;
  return found->second.get();
}

}  // namespace keelson::sandbox
