// What a Memcached wants to exist: its Deployment and its Service, as the JSON that is applied.
#pragma once

#include <string>
#include <string_view>

#include "keelson/kube/key.hpp"

namespace keelson::controllers {

// Selector and pod labels; objects of the seed's operator carry them, and a Deployment's selector is immutable.
inline constexpr std::string_view kAppLabel = "app";
inline constexpr std::string_view kAppName = "memcached";
inline constexpr std::string_view kOwnerLabel = "memcached_cr";
inline constexpr std::string_view kDefaultImage = "memcached:1.6-alpine";

[[nodiscard]] std::string memcached_deployment(const kube::Key& key, int size, std::string_view image);
[[nodiscard]] std::string memcached_service(const kube::Key& key);
// "app=memcached,memcached_cr": the pods of every Memcached
[[nodiscard]] std::string memcached_pod_selector();
// "app=memcached,memcached_cr=<name>"
[[nodiscard]] std::string memcached_selector(const kube::Key& key);

}  // namespace keelson::controllers
