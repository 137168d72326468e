// What a list answers, before it is text: some objects of a snapshot, and how to go on behind them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "src/sandbox/served_kind.hpp"
#include "src/sandbox/snapshot.hpp"

namespace keelson::sandbox {

struct Listing {
  const ServedKind* kind = nullptr;
  std::shared_ptr<Snapshot> all;  // shared with other pages of the same list
  std::size_t begin = 0;          // of all->objects
  std::size_t end = 0;
  std::string token = {};                      // metadata.continue; empty: nothing is left
  std::optional<std::int64_t> remaining = {};  // metadata.remainingItemCount
};

// An object of it, for the last time: the snapshot lets go of it unless other pages need it. A hundred thousand objects
// that are released at once would stop the loop for 10 ms.
[[nodiscard]] kube::Object take_object(Listing& listing, std::size_t index);

// metav1.ListMeta.
[[nodiscard]] Tree list_metadata(const Listing& listing);
// An object of it as its JSON in a list.
[[nodiscard]] std::string item_text(const ServedKind& kind, const kube::Object& object);

// A list is written as what is before its items, the items with commas, and what is behind them.
[[nodiscard]] std::string list_front(const Listing& listing);
inline constexpr const char* kListBack = "]}";
[[nodiscard]] std::string text_of(const Listing& listing);

}  // namespace keelson::sandbox
