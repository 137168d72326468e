#include "src/sandbox/custom/conversion_check.hpp"

#include <algorithm>
#include <set>

#include "keelson/detail/base/base64.hpp"
#include "keelson/detail/base/parse_number.hpp"
#include "keelson/detail/cel/url.hpp"
#include "src/sandbox/custom/schema_tree.hpp"
#include "src/sandbox/requests/texts.hpp"
#include "src/sandbox/validation/names.hpp"

namespace keelson::sandbox {

namespace {

const std::string kConversion = "spec.conversion";
const std::string kClientConfig = "spec.conversion.webhookClientConfig";

void check_webhook_url(const std::string& text, FieldErrors& errors) {
  constexpr const char* kForm = "; desired format: https://host[/path]";
  const auto path = kClientConfig + ".url";
  const auto url = cel::parse_url(text);
  if (!url) return errors.required(path, "url must be a valid URL: " + url.error().text + kForm);
  const auto not_permitted = [&](std::string_view part, const char* why) {
    if (!part.empty()) errors.invalid(path, Tree(std::string(part)), std::string(why) + " not permitted in the URL");
  };
  if (url->scheme != "https") {
    errors.invalid(path, Tree(url->scheme), std::string("'https' is the only allowed URL scheme") + kForm);
  }
  if (url->host.empty()) errors.invalid(path, Tree(""), std::string("host must be specified") + kForm);
  not_permitted(url->user, "user information is");
  not_permitted(url->fragment, "fragments are");
  not_permitted(url->query, "query parameters are");
}

void check_webhook_path(const std::string& text, FieldErrors& errors) {
  if (text.empty() || text == "/") return;
  const auto wrong = [&](const std::string& why) { errors.invalid(kClientConfig + ".service.path", Tree(text), why); };
  if (text == "//") return wrong("segment[0] may not be empty");
  if (!text.starts_with('/')) wrong("must start with a '/'");
  // The server skips the first character in any case.
  auto rest = std::string_view(text).substr(1);
  if (rest.ends_with('/')) rest.remove_suffix(1);
  for (std::size_t i = 0; !errors.is_full(); ++i) {
    const auto end = rest.find('/');
    const auto segment = rest.substr(0, end);
    const auto name = "segment[" + std::to_string(i) + "]";
    if (segment.empty()) {
      wrong(name + " may not be empty");
    } else if (const auto why = subdomain_error(segment); !why.empty()) {
      wrong(name + ": " + why);
    }
    if (end == std::string_view::npos) return;
    rest.remove_prefix(end + 1);
  }
}

void check_webhook_service(const Tree& service, FieldErrors& errors) {
  const auto path = kClientConfig + ".service";
  // The server confuses the two.
  if (service.text_at({"namespace"}).empty()) errors.required(path + ".name");
  if (service.text_at({"name"}).empty()) errors.required(path + ".namespace");
  const auto* port = service.find("port");
  const auto number = port != nullptr ? base::parse_number<std::int64_t>(port->scalar()).value_or(0) : 443;
  if (number < 1 || number > 65535) {
    errors.invalid(path + ".port", *port, "port is not valid: must be between 1 and 65535, inclusive");
  }
  check_webhook_path(service.text_at({"path"}), errors);
}

bool is_established(const Tree& definition) {
  return std::ranges::any_of(definition.items_at({"status", "conditions"}), [](const Tree& condition) {
    return condition.text_at({"type"}) == "Established" && condition.text_at({"status"}) == "True";
  });
}

void check_client_config(const Tree& spec, const Tree* before, FieldErrors& errors) {
  const auto& config = *spec.at({"conversion", "webhook", "clientConfig"});
  const auto* url = config.find("url");
  const auto* service = config.find("service");
  if ((url == nullptr) == (service == nullptr)) {
    errors.required(kClientConfig, "exactly one of url or service is required");
  } else if (url != nullptr) {
    check_webhook_url(url->scalar(), errors);
  } else {
    check_webhook_service(*service, errors);
  }
  // A definition that is not in use yet, or had a wrong bundle, may have one.
  const bool is_strict = before != nullptr && is_established(*before) && has_valid_ca_bundle(*before);
  if (is_strict && !has_valid_ca_bundle(Tree::object({{"spec", spec}}))) {
    errors.invalid(kClientConfig + ".caBundle", Tree(config.text_at({"caBundle"})),
                   "unable to load root certificates: unable to parse bytes as PEM block");
  }
}

void check_review_versions(const std::vector<std::string>& versions, FieldErrors& errors) {
  const auto path = kConversion + ".conversionReviewVersions";
  if (versions.empty()) return errors.required(path);
  std::set<std::string> seen;
  for (std::size_t i = 0; i < versions.size(); ++i) {
    const auto& version = versions[i];
    if (!seen.insert(version).second) {
      errors.invalid(index_path(path, i), Tree(version), "duplicate version");
    } else if (const auto why = label_error(version); !why.empty()) {
      errors.invalid(index_path(path, i), Tree(version), why);
    }
  }
  if (seen.contains("v1") || seen.contains("v1beta1")) return;
  errors.invalid(path, text_list(versions), "must include at least one of v1, v1beta1");
}

}  // namespace

bool has_valid_ca_bundle(const Tree& definition) {
  const auto text = definition.text_at({"spec", "conversion", "webhook", "clientConfig", "caBundle"});
  if (text.empty()) return true;
  const auto bundle = base::base64_decode(text);
  return bundle && bundle->find("-----BEGIN CERTIFICATE-----") != std::string::npos &&
         bundle->find("-----END CERTIFICATE-----") != std::string::npos;
}

void check_conversion_of(const Tree& spec, const Tree* before, FieldErrors& errors) {
  const Tree* conversion = object_at(spec, "conversion");
  if (conversion == nullptr) return;
  const auto strategy = conversion->text_at({"strategy"});
  if (strategy != "None" && spec.is_true_at({"preserveUnknownFields"})) {
    errors.invalid(kConversion + ".strategy", Tree(strategy), "must be None if spec.preserveUnknownFields is true");
  }
  if (strategy.empty()) {
    errors.required(kConversion + ".strategy");
  } else if (strategy != "None" && strategy != "Webhook") {
    errors.unsupported(kConversion + ".strategy", Tree(strategy), R"("None", "Webhook")");
  }
  const bool has_config = conversion->at({"webhook", "clientConfig"}) != nullptr;
  const auto versions = conversion->texts_at({"webhook", "conversionReviewVersions"});
  if (strategy == "Webhook") {
    if (has_config) {
      check_client_config(spec, before, errors);
    } else {
      errors.required(kClientConfig, "required when strategy is set to Webhook");
    }
    return check_review_versions(versions, errors);
  }
  constexpr const char* kNoWebhook = "should not be set when strategy is not set to Webhook";
  if (has_config) errors.forbidden(kClientConfig, kNoWebhook);
  if (!versions.empty()) errors.forbidden(kConversion + ".conversionReviewVersions", kNoWebhook);
}

}  // namespace keelson::sandbox
