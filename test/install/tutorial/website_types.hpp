// The kind Website: what a user writes into it, and what its status says.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "keelson/kube/condition.hpp"
#include "keelson/kube/kind.hpp"

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
  bool operator==(const WebsiteStatus&) const = default;
};

// Beside the structs: found by the type of its second parameter.
void describe(keelson::kube::Description& d, WebsiteSpec& spec);
void describe(keelson::kube::Description& d, WebsiteStatus& status);

keelson::kube::Resource website_resource();
keelson::kube::Kind website_kind();

}  // namespace website
