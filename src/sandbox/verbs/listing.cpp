#include "src/sandbox/verbs/listing.hpp"

#include <utility>

#include "keelson/detail/base/assert.hpp"

namespace keelson::sandbox {

kube::Object take_object(Listing& listing, std::size_t index) {
  auto& object = listing.all->objects[index];
  return listing.all.use_count() == 1 ? std::move(object) : object;
}

Tree list_metadata(const Listing& listing) {
  auto metadata = Tree::object({{"resourceVersion", std::to_string(listing.all->version)}});
  if (!listing.token.empty()) metadata["continue"] = listing.token;
  if (listing.remaining) metadata["remainingItemCount"] = *listing.remaining;
  return metadata;
}

// As in kube-apiserver, items of built-in kinds have no `kind` and `apiVersion`; items of custom kinds have both.
std::string item_text(const ServedKind& kind, const kube::Object& object) {
  const auto json = object.json();
  if (kind.is_custom) return relabeled(kind, json);
  const auto front = R"({"kind":")" + kind.resource.kind + R"(","apiVersion":")" + kind.resource.api_version() + "\",";
  KEELSON_ASSERT(json.starts_with(front));
  return "{" + std::string(json.substr(front.size()));
}

std::string list_front(const Listing& listing) {
  const auto& kind = *listing.kind;
  auto text = Tree::object({{"kind", kind.list_kind()},
                            {"apiVersion", kind.resource.api_version()},
                            {"metadata", list_metadata(listing)},
                            {"items", Tree::array()}})
                  .text();
  return text.substr(0, text.size() - std::string_view(kListBack).size());
}

std::string list_json(const Listing& listing) {
  auto text = list_front(listing);
  for (auto i = listing.begin; i < listing.end; ++i) {
    if (i > listing.begin) text += ',';
    text += item_text(*listing.kind, listing.all->objects[i]);
  }
  return text += kListBack;
}

}  // namespace keelson::sandbox
