#include "src/sandbox/storage/generations.hpp"

#include <algorithm>

#include "src/sandbox/fields/go_forms.hpp"
#include "src/sandbox/http/openapi_paths.hpp"
#include "src/sandbox/requests/texts.hpp"

namespace keelson::sandbox {

namespace {

bool differs_in_spec(const Tree& before, const Tree& after) {
  auto has_other = [](const Tree& one, const Tree& two) {
    return std::ranges::any_of(one.members(), [&two](const auto& member) {
      if (member.first == "metadata" || member.first == "status") return false;
      const Tree* same = two.find(member.first);
      return same == nullptr || !(*same == member.second);
    });
  };
  return has_other(before, after) || has_other(after, before);
}

// The metadata that metadata.generation counts, too.
bool differs_in_counted_metadata(const kube::Resource& resource, const Tree& before, const Tree& after) {
  const char* counted = resource == kube::deployments()       ? "annotations"
                        : resource == kube::endpoint_slices() ? "labels"
                                                              : nullptr;
  return counted != nullptr && before.copy_at({"metadata", counted}) != after.copy_at({"metadata", counted});
}

// A PriorityClass has a generation that never changes, a CSIDriver has one after its first change.
bool counts_changes(const ServedKind& kind) {
  const auto name = kind.resource.qualified_plural();
  return (kind.has_generation && name != "priorityclasses.scheduling.k8s.io") || name == "csidrivers.storage.k8s.io";
}

// Structs have content in Go, even without members.
bool has_empty_part(const Tree& value, const GoField* field) {
  const auto* form = field != nullptr ? field->form() : nullptr;
  const auto has_one = [form](const Tree& object) {
    return std::ranges::any_of(object.members(), [form](const auto& member) {
      return has_empty_part(member.second, form->find(member.first));
    });
  };
  const bool is_struct = field != nullptr && field->type == GoField::Type::kStruct;
  if (value.is_array()) {
    return value.items().empty() || (form != nullptr && std::ranges::any_of(value.items(), has_one));
  }
  if (!value.is_object()) return false;
  if (is_struct) return form != nullptr && has_one(value);
  const auto is_raw = field != nullptr && field->type == GoField::Type::kRaw;
  return value.members().empty() && !is_raw;
}

}  // namespace

bool counts_change(const Call& call, const Tree& before, const Tree& after) {
  // A binding does not count, although it changes the specification.
  if (!counts_changes(*call.kind) || call.subresource == Subresource::kBinding) return false;
  const bool is_whole = call.subresource == Subresource::kNone;
  return differs_in_spec(before, after) || (is_whole && differs_in_counted_metadata(call.resource(), before, after));
}

bool counts_empty_parts(const Call& call, const Tree& sent) {
  constexpr std::string_view kKinds = "networkpolicies mutatingwebhookconfigurations validatingwebhookconfigurations";
  if (call.kind->is_custom || !has_word(kKinds, call.resource().plural)) return false;
  const auto* form = go_form(openapi_name(*call.kind));
  return form != nullptr && std::ranges::any_of(sent.members(), [form](const auto& member) {
           return member.first != "metadata" && has_empty_part(member.second, form->find(member.first));
         });
}

}  // namespace keelson::sandbox
