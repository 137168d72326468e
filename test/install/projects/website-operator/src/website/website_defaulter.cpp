#include "website/website_defaulter.hpp"

#include "keelson/operator.hpp"

namespace website {
using namespace keelson;

namespace {

class WebsiteDefaulter final : public webhook::Defaulter<WebsiteSpec> {
 public:
  boost::asio::awaitable<Result<void>> set_defaults(WebsiteSpec& spec, const webhook::Request&) override {
    website::set_defaults(spec);
    co_return Result<void>();
  }
};

}  // namespace

void set_defaults(WebsiteSpec& spec) {
  if (!spec.replicas) spec.replicas = 1;
}

void add_defaulter(controller::Definition& definition) {
  definition.with_defaulter<WebsiteSpec>([](controller::Context&) { return std::make_unique<WebsiteDefaulter>(); });
}

}  // namespace website
