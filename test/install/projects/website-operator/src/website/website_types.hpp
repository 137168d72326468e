// The kind Website: its spec, its status, and its names.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "keelson/controller/custom_resource.hpp"
#include "keelson/schema/condition.hpp"

namespace website {

struct WebsiteSpec {
  std::map<std::string, std::string> pages;
  std::optional<std::int32_t> replicas;
  std::optional<std::string> image;
};

struct WebsiteStatus {
  std::string url;
  std::int32_t ready_replicas = 0;
  std::int64_t observed_generation = 0;
  std::vector<keelson::kube::Condition> conditions;
};

// Next to the structs: found by the type of its second parameter.
void describe(keelson::kube::Description& d, WebsiteSpec& spec);
void describe(keelson::kube::Description& d, WebsiteStatus& status);

struct Website : keelson::CustomResource<WebsiteSpec, WebsiteStatus> {
  static constexpr keelson::kube::Identity kIdentity{"web.example.com", "v1", "Website"};
  static void describe_kind(keelson::kube::Kind& kind);
};

}  // namespace website
