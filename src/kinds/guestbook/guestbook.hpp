// The kind Guestbook, which demonstrates validation by its schema.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "keelson/controller/custom_resource.hpp"
#include "keelson/controller/definition.hpp"
#include "keelson/schema/condition.hpp"

namespace keelson::kinds {

struct GuestbookSpec {
  std::int32_t size = 0;
  std::string config_map_name;
  std::optional<std::string> type;  // "alias" in the API
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

struct Guestbook : CustomResource<GuestbookSpec, GuestbookStatus> {
  static constexpr kube::Identity kIdentity{"webapp.my.domain", "v1", "Guestbook"};
  // Other clients write the active and standby nodes. The controller adds them only if the status lacks them, because
  // they are required.
  static constexpr bool kSharesStatus = true;
  static void describe_kind(kube::Kind& kind);
};

// The Guestbook controller: it observes each Guestbook and reports that in the status.
[[nodiscard]] controller::Definition guestbook();

}  // namespace keelson::kinds
