// What a Website is made of: its ConfigMap, its Deployment and its Service, as the JSON that is wanted.
#pragma once

#include <string>

#include "keelson/kube/key.hpp"
#include "website_types.hpp"

namespace website {

std::string pages_name(const keelson::kube::Key& key);
std::string url_of(const keelson::kube::Key& key);

std::string wanted_pages(const keelson::kube::Key& key, const WebsiteSpec& spec);
std::string wanted_deployment(const keelson::kube::Key& key, const WebsiteSpec& spec);
std::string wanted_service(const keelson::kube::Key& key);

}  // namespace website
