#include "keelson/detail/webhook/webhook.hpp"

#include <algorithm>

#include "keelson/detail/base/text.hpp"
#include "keelson/webhook/admission.hpp"

namespace keelson::webhook {

namespace {

bool is_mutating(const Webhook& webhook) { return webhook.type == WebhookType::kMutating; }

}  // namespace

std::string Webhook::path() const {
  auto group = resource().group;
  std::ranges::replace(group, '.', '-');
  const std::string verb_text = is_mutating(*this) ? "/mutate-" : "/validate-";
  const auto suffix = options.name.empty() ? "" : "-" + options.name;
  return verb_text + group + "-" + resource().version + "-" + base::to_lower(resource().kind) + suffix;
}

std::string Webhook::name() const {
  const auto prefix = options.name.empty() ? "" : options.name + ".";
  const std::string letter = is_mutating(*this) ? "m" : "v";
  return prefix + letter + base::to_lower(resource().kind) + "-" + resource().version + ".kb.io";
}

void add_operation(WebhookOptions& options, Operation operation) {
  auto& operations = options.operations;
  const bool is_listed = std::ranges::find(operations, operation) != operations.end();
  if (!is_listed) operations.push_back(operation);
}

ServedWebhook serve(const Webhook& webhook, controller::Context& context) {
  const auto& operations = webhook.options.operations;
  const bool reviews_connect = std::ranges::find(operations, Operation::kConnect) != operations.end();
  return {webhook.type, webhook.path(), webhook.object_kind, webhook.make(context), reviews_connect};
}

namespace detail {

std::vector<kube::FieldError> without_known(std::vector<kube::FieldError> errors,
                                            const std::vector<kube::FieldError>& known) {
  std::erase_if(errors, [&](const kube::FieldError& error) { return std::ranges::find(known, error) != known.end(); });
  return errors;
}

}  // namespace detail

}  // namespace keelson::webhook
