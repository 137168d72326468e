// The caBundle of those webhooks of a configuration that call a given Service.
#pragma once

#include <string>

#include "keelson/json/value.hpp"

namespace keelson::webhook {

struct ServiceName {
  std::string ns;
  std::string name;
};

// True if a webhook of the configuration calls the Service.
[[nodiscard]] bool calls_service(json::View configuration, const ServiceName& service);

// The CA bundle (PEM) that API servers trust for that Service now: that of the first webhook with one; empty: none.
[[nodiscard]] std::string bundle_in(json::View configuration, const ServiceName& service);

// The JSON patch that sets `bundle` (PEM) as the caBundle of each such webhook; "[]" if all have it. It tests the name
// of each webhook, in case the list has changed. Webhooks of other services are left alone.
[[nodiscard]] std::string bundle_patch(json::View configuration, const ServiceName& service, const std::string& bundle);

}  // namespace keelson::webhook
