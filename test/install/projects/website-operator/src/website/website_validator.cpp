#include "website/website_validator.hpp"

#include "keelson/operator.hpp"
#include "keelson/webhook/field_errors.hpp"

namespace website {
using namespace keelson;

namespace {

class WebsiteValidator final : public webhook::Validator<WebsiteSpec> {
 public:
  boost::asio::awaitable<webhook::Decision> validate(const webhook::Submission<WebsiteSpec>& submission) override {
    // An object that is being deleted must be able to lose its finalizer, whatever its spec is.
    if (submission.request.operation == webhook::Operation::kDelete || submission.request.object.deleting()) {
      co_return webhook::Decision::allow();
    }
    co_return webhook::Decision::judge(website::validate(submission.spec));
  }
};

}  // namespace

std::vector<kube::FieldError> validate(const WebsiteSpec& spec) {
  std::vector<kube::FieldError> errors;
  if (!spec.pages.contains("index.html")) errors.push_back(webhook::required_value("spec.pages[index.html]"));
  for (const auto& [name, content] : spec.pages) {
    // A ConfigMap rejects it, too, but then the author of the Website does not get the error.
    if (name.find('/') != std::string::npos) {
      errors.push_back(webhook::invalid_value("spec.pages", name, "must be the name of a file"));
    }
  }
  return errors;
}

void add_validator(controller::Definition& definition) {
  definition.with_validator<WebsiteSpec>([](controller::Context&) { return std::make_unique<WebsiteValidator>(); });
}

}  // namespace website
