// The kind Guestbook: its constraints are what it is there for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "keelson/kube/condition.hpp"
#include "keelson/kube/describe.hpp"
#include "keelson/kube/kind.hpp"

namespace keelson::controllers {

struct GuestbookSpec {
  std::int32_t size = 0;
  std::string config_map_name;
  std::optional<std::string> type;  // "alias" for its users
};

struct GuestbookStatus {
  std::string active;
  std::vector<std::string> standby;
  std::int64_t observed_generation = 0;
  std::vector<kube::Condition> conditions;  // Ready
  bool operator==(const GuestbookStatus&) const = default;
};

void describe(kube::Description& d, GuestbookSpec& spec);
void describe(kube::Description& d, GuestbookStatus& status);

[[nodiscard]] kube::Resource guestbook_resource();
// Makes the schema: for the start of a program.
[[nodiscard]] kube::Kind guestbook_kind();

}  // namespace keelson::controllers
