#include "website/website_validator.hpp"

#include "keelson/operator.hpp"
#include "keelson/webhook/field_errors.hpp"

namespace website {
using namespace keelson;

namespace {

class WebsiteValidator {
 public:
  explicit WebsiteValidator(controller::Context&) {}

  boost::asio::awaitable<webhook::Decision> validate(const webhook::Review<Website>& review) {
    // An object that is being deleted must be able to lose its finalizer, whatever its spec is.
    if (review.object.metadata.deletion_timestamp) co_return webhook::Decision::allow();
    const auto* old = review.old_object ? &*review.old_object : nullptr;
    co_return webhook::Decision::judge(website::validate(review.object, old));
  }
};

}  // namespace

std::vector<kube::FieldError> validate(const Website& object, const Website* old) {
  const auto& pages = object.spec.pages;
  // Otherwise a Website that is older than a rule could not be changed at all.
  if (old != nullptr && old->spec.pages == pages) return {};
  std::vector<kube::FieldError> errors;
  if (!pages.contains("index.html")) errors.push_back(webhook::required_value("spec.pages[index.html]"));
  for (const auto& [name, content] : pages) {
    // A ConfigMap rejects it, too, but then the author of the Website does not get the error.
    if (name.find('/') != std::string::npos) {
      errors.push_back(webhook::invalid_value("spec.pages", name, "must be the name of a file"));
    }
  }
  return errors;
}

void add_validator(controller::Definition& definition) {
  // webhook::validating also takes options, such as selectors: keelson/webhook/admission.hpp.
  definition.webhook(webhook::validating<Website, WebsiteValidator>());
}

}  // namespace website
