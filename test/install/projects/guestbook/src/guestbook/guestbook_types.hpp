// The kind Guestbook: its spec, its status, and its names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "keelson/controller/custom_resource.hpp"
#include "keelson/schema/condition.hpp"

namespace guestbook {

// The desired state, which users write.
struct GuestbookSpec {
  std::string foo;
  std::int32_t size = 0;
  std::string config_map_name;
  std::optional<std::string> alias;
};

// The observed state, which the controller writes.
struct GuestbookStatus {
  std::int64_t observed_generation = 0;
  std::vector<keelson::kube::Condition> conditions;
};

// The names, rules and documentation of the fields, from which the CRD follows.
void describe(keelson::kube::Description& d, GuestbookSpec& spec);
void describe(keelson::kube::Description& d, GuestbookStatus& status);

struct Guestbook : keelson::CustomResource<GuestbookSpec, GuestbookStatus> {
  static constexpr keelson::kube::Identity kIdentity{"webapp.my.domain", "v1", "Guestbook"};
  static void describe_kind(keelson::kube::Kind& kind);
};

}  // namespace guestbook
