// Defaults and validation of Websites, before they are stored.
#pragma once

#include <vector>

#include "keelson/schema/describe.hpp"
#include "keelson/webhook/admission.hpp"
#include "website_types.hpp"

namespace website {

// Plain functions, for the tests.
void set_defaults(WebsiteSpec& spec);
std::vector<keelson::kube::FieldError> find_faults(const WebsiteSpec& spec);

class Defaulter final : public keelson::webhook::Defaulter<WebsiteSpec> {
 public:
  boost::asio::awaitable<keelson::Result<void>> set_defaults(WebsiteSpec& spec,
                                                             const keelson::webhook::Request& request) override;
};

class Validator final : public keelson::webhook::Validator<WebsiteSpec> {
 public:
  boost::asio::awaitable<keelson::webhook::Decision> validate(
      const keelson::webhook::Submission<WebsiteSpec>& submission) override;
};

}  // namespace website
