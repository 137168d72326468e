// The kind Hikawa: its spec, its status, and its names.
#pragma once

#include <cstdint>
#include <vector>

#include "keelson/controller/custom_resource.hpp"
#include "keelson/schema/condition.hpp"

namespace hikawa {

struct HikawaSpec {
  std::int64_t interval_millis = 0;
};

struct HikawaStatus {
  std::int64_t num_zundokos_said = 0;
  bool kiyoshied = false;
  std::int64_t observed_generation = 0;
  std::vector<keelson::kube::Condition> conditions;
};

void describe(keelson::kube::Description& d, HikawaSpec& spec);
void describe(keelson::kube::Description& d, HikawaStatus& status);

struct Hikawa : keelson::CustomResource<HikawaSpec, HikawaStatus> {
  static constexpr keelson::kube::Identity kIdentity{"zundokokiyoshi.kaitoy.github.com", "v1beta1", "Hikawa"};
  static void describe_kind(keelson::kube::Kind& kind);
};

}  // namespace hikawa
