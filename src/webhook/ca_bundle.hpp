// Who has to be trusted, written into those webhooks of a configuration that call one Service.
#pragma once

#include <string>

#include "keelson/json/value.hpp"

namespace keelson::webhook {

struct ServiceName {
  std::string ns;
  std::string name;
};

// Whether there is any of them.
[[nodiscard]] bool calls_service(json::View configuration, const ServiceName& service);

// Whom API servers trust for that Service now (PEM), by the first of them that says so; empty when none does.
[[nodiscard]] std::string bundle_in(json::View configuration, const ServiceName& service);

// The JSON patch that gives each of them `bundle` (PEM) as its caBundle; "[]" when all have it. It tests that a webhook
// is still the one that was looked at. Webhooks of other services are not touched.
[[nodiscard]] std::string bundle_patch(json::View configuration, const ServiceName& service, const std::string& bundle);

}  // namespace keelson::webhook
