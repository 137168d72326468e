// The section Attention of /statusz: what an engineer should look at first.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "keelson/detail/zpages/page.hpp"
#include "keelson/detail/zpages/status.hpp"

namespace keelson::zpages {

// Longer delays of the loop delay probes and renewals of the lease noticeably.
inline constexpr std::chrono::milliseconds kLongLag{100};

[[nodiscard]] bool is_stale(const cache::InformerStatus& informer);

// The path of /debug/objects for an object: "/debug/objects?kind=…&namespace=…&name=…".
[[nodiscard]] std::string object_link(std::string_view resource, std::string_view key);
// The path of its list of the kind's objects whose last reconcile ended so.
[[nodiscard]] std::string object_list_link(std::string_view resource, std::string_view result);

struct AttentionItem {
  std::string what;
  std::string details;
  Tone tone = Tone::kWarning;
  std::string link = {};          // of `what`; empty: none
  std::string details_link = {};  // of `details`
  // Only of an item about the objects of a kind of which a condition is True.
  std::string kind = {};
  std::string resource = {};  // of the kind: "memcacheds.cache.example.com"
  std::string condition = {};
  std::string key = {};  // of the object; empty: of further objects
};

[[nodiscard]] std::vector<AttentionItem> attention_items(const Status& status);
[[nodiscard]] Section attention(const Status& status);

}  // namespace keelson::zpages
