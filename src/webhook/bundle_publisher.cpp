#include "src/webhook/bundle_publisher.hpp"

#include <algorithm>

#include "keelson/base/try.hpp"
#include "keelson/json/value.hpp"

namespace keelson::webhook {
namespace asio = boost::asio;

Task<Published> BundlePublisher::publish(std::string bundle) {
  // An error of one configuration must not prevent the write to the other.
  auto mutating = co_await publish_in(kube::mutating_webhook_configurations(), mutating_, bundle);
  auto validating = co_await publish_in(kube::validating_webhook_configurations(), validating_, std::move(bundle));
  if (!mutating) co_return mutating;
  if (!validating) co_return validating;
  co_return std::max(*mutating, *validating);
}

Task<Published> BundlePublisher::publish_in(kube::Resource resource, std::string name, std::string bundle) {
  if (name.empty()) co_return Published::kYes;
  const kube::Key key("", name);
  auto found = co_await kube::get(client_, resource, key);
  if (!found && kube::is_not_found(found.error())) co_return Published::kNoConfiguration;
  if (!found) co_return std::move(found.error());
  KEELSON_CO_LET(auto document, json::Document::parse(found->json()));
  if (!calls_service(document.root(), service_)) tell_nobody_calls(resource.kind, name);
  auto patch = bundle_patch(document.root(), service_, bundle);
  if (patch == "[]") co_return Published::kYes;
  KEELSON_CO_TRY(co_await kube::patch(client_, resource, key, kube::PatchType::kJson, std::move(patch)));
  log_.info("Published the CA of the webhook certificate", {{"kind", resource.kind}, {"name", name}});
  co_return Published::kJustWritten;
}

Task<std::string> BundlePublisher::published() {
  auto mutating = co_await published_in(kube::mutating_webhook_configurations(), mutating_);
  if (!mutating || !mutating->empty()) co_return mutating;
  auto validating = co_await published_in(kube::validating_webhook_configurations(), validating_);
  co_return validating;
}

Task<std::string> BundlePublisher::published_in(kube::Resource resource, std::string name) {
  if (name.empty()) co_return std::string();
  auto found = co_await kube::get(client_, resource, kube::Key("", name));
  // If the permission to read is missing, so is the permission to write, and publish() reports that.
  if (!found && (kube::is_not_found(found.error()) || kube::is_forbidden(found.error()))) co_return std::string();
  if (!found) co_return std::move(found.error());
  KEELSON_CO_LET(auto document, json::Document::parse(found->json()));
  co_return bundle_in(document.root(), service_);
}

// This can be intended, but a misspelled Service name has the same effect.
void BundlePublisher::tell_nobody_calls(const std::string& kind, const std::string& name) {
  if (!uncalled_.insert(kind).second) return;
  log_.info("No webhook of the configuration calls the Service, its caBundle is not written",
            {{"kind", kind}, {"name", name}, {"service", service_.name}, {"namespace", service_.ns}});
}

}  // namespace keelson::webhook
