// The reply to a list before it is rendered: a range of a snapshot's objects, and the token that continues behind it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "src/sandbox/kinds/served_kind.hpp"
#include "src/sandbox/storage/snapshot.hpp"

namespace keelson::sandbox {

struct Listing {
  const ServedKind* kind = nullptr;
  std::shared_ptr<Snapshot> all;  // shared with other pages of the same list
  std::size_t begin = 0;          // of all->objects
  std::size_t end = 0;
  std::string token = {};                      // metadata.continue; empty if this is the last page
  std::optional<std::int64_t> remaining = {};  // metadata.remainingItemCount
};

// Returns an object for the last time; the snapshot releases it unless other pages need it. Releasing 100,000 objects
// at once would stop the loop for 10 ms.
[[nodiscard]] kube::Object take_object(Listing& listing, std::size_t index);

// The metav1.ListMeta of the listing.
[[nodiscard]] Tree list_metadata(const Listing& listing);
// The JSON of an object as an item of a list.
[[nodiscard]] std::string item_text(const ServedKind& kind, const kube::Object& object);

// A list is rendered as a front, the items with commas between them, and a back.
[[nodiscard]] std::string list_front(const Listing& listing);
inline constexpr const char* kListBack = "]}";
[[nodiscard]] std::string list_json(const Listing& listing);

}  // namespace keelson::sandbox
