// The desired state of a Website's children: its ConfigMap, its Deployment and its Service.
#pragma once

#include <string>

#include "keelson/api/apps/v1/deployment.hpp"
#include "keelson/api/core/v1/config_map.hpp"
#include "keelson/api/core/v1/service.hpp"
#include "website/website_types.hpp"

namespace website {

std::string url_of(const Website& website);

keelson::core::v1::ConfigMap pages_of(const Website& website);
keelson::core::v1::Service service_of(const Website& website);
keelson::apps::v1::Deployment deployment_of(const Website& website);

}  // namespace website
