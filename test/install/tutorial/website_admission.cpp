#include "website_admission.hpp"

#include "keelson/webhook/field_errors.hpp"

namespace website {
using namespace keelson;

void set_defaults(WebsiteSpec& spec) {
  if (!spec.replicas) spec.replicas = 1;
}

std::vector<kube::FieldError> find_faults(const WebsiteSpec& spec) {
  std::vector<kube::FieldError> faults;
  if (!spec.pages.contains("index.html")) faults.push_back(webhook::required_value("spec.pages[index.html]"));
  for (const auto& [name, content] : spec.pages) {
    // A ConfigMap rejects it, too, but then the author of the Website does not get the error.
    if (name.find('/') != std::string::npos) {
      faults.push_back(webhook::invalid_value("spec.pages", name, "must be the name of a file"));
    }
  }
  return faults;
}

boost::asio::awaitable<Result<void>> Defaulter::set_defaults(WebsiteSpec& spec, const webhook::Request&) {
  website::set_defaults(spec);
  co_return Result<void>();
}

boost::asio::awaitable<webhook::Decision> Validator::validate(const webhook::Submission<WebsiteSpec>& submission) {
  if (submission.request.operation == webhook::Operation::kDelete) co_return webhook::Decision::allow();
  // An object that is being deleted must be able to lose its finalizer, whatever its spec is.
  if (submission.request.object.deleting()) co_return webhook::Decision::allow();
  co_return webhook::Decision::judge(find_faults(submission.spec));
}

}  // namespace website
