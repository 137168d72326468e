#include "src/install/blocking_webhooks.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string_view>

#include "keelson/detail/base/text.hpp"

namespace keelson::install {

namespace {

bool has_one_of(json::View list, std::initializer_list<std::string_view> texts) {
  for (const auto item : list.items()) {
    if (std::ranges::find(texts, item.string().value_or("")) != texts.end()) return true;
  }
  return false;
}

// By a Service, or by the URL of a manager outside of the cluster.
bool is_called_at(json::View client_config, const std::vector<std::string>& paths) {
  const auto called = client_config.at({"service", "path"}).string().value_or("");
  const auto url = client_config.find("url").string().value_or("");
  return std::ranges::any_of(paths, [&](const std::string& path) { return called == path || url.ends_with(path); });
}

}  // namespace

bool must_answer_updates(json::View configuration, const kube::Resource& resource,
                         const std::vector<std::string>& paths) {
  for (const auto webhook : configuration.find("webhooks").items()) {
    if (webhook.find("failurePolicy").string() == "Ignore") continue;
    if (!is_called_at(webhook.find("clientConfig"), paths)) continue;
    for (const auto rule : webhook.find("rules").items()) {
      if (has_one_of(rule.find("apiGroups"), {"*", resource.group}) &&
          has_one_of(rule.find("resources"), {"*", "*/*", resource.plural}) &&
          has_one_of(rule.find("operations"), {"*", "UPDATE"})) {
        return true;
      }
    }
  }
  return false;
}

boost::asio::awaitable<std::vector<std::string>> blocking_webhooks(kube::Client& client,
                                                                   std::vector<kube::Resource> kinds,
                                                                   std::vector<std::string> paths) {
  std::vector<std::string> names;
  const std::array both = {kube::mutating_webhook_configurations(), kube::validating_webhook_configurations()};
  for (const auto& configurations : both) {
    const auto list = co_await kube::list(client, configurations, {});
    if (!list) continue;
    for (const auto& object : list->items) {
      const auto document = json::Document::parse(object.json());
      const auto blocks = [&](const auto& resource) { return must_answer_updates(document->root(), resource, paths); };
      if (document && std::ranges::any_of(kinds, blocks)) {
        names.push_back(base::to_lower(configurations.kind) + "/" + std::string(object.name()));
      }
    }
  }
  co_return names;
}

}  // namespace keelson::install
