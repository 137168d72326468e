#include "keelson/detail/access/manager_pages.hpp"

#include <utility>

#include "keelson/base/try.hpp"
#include "keelson/detail/access/authorized.hpp"
#include "keelson/json/writer.hpp"

namespace keelson::access {

namespace {

// The shortest time that the API server accepts.
constexpr int kTokenSeconds = 600;

bool is_running(json::View pod) {
  return pod.at({"status", "phase"}).string() == std::string_view("Running") &&
         pod.at({"metadata", "deletionTimestamp"}).is_absent();
}

int health_port(json::View pod, int otherwise) {
  for (const json::View container : pod.at({"spec", "containers"}).items()) {
    for (const json::View port : container.find("ports").items()) {
      if (port.find("name").string() != std::string_view("health")) continue;
      return static_cast<int>(port.find("containerPort").integer().value_or(otherwise));
    }
  }
  return otherwise;
}

kube::ApiRequest token_request(const std::string& ns, const ManagerPod& pod, const std::string& audience) {
  json::Writer body;
  body.begin_object().field("apiVersion", "authentication.k8s.io/v1").field("kind", "TokenRequest");
  body.key("spec").begin_object().key("audiences").begin_array().string(audience).end_array();
  body.field("expirationSeconds", kTokenSeconds).end_object().end_object();
  kube::ApiRequest request;
  request.verb = kube::Verb::kCreate;
  request.resource = kube::service_accounts();
  request.key = kube::Key(ns, pod.service_account);
  request.subresource = "token";
  request.body = std::move(body).take();
  return request;
}

}  // namespace

std::vector<ManagerPod> manager_pods(const std::vector<json::View>& pods, std::string_view holder) {
  std::vector<ManagerPod> running;
  for (const json::View pod : pods) {
    if (!is_running(pod)) continue;
    ManagerPod manager;
    manager.name = pod.at({"metadata", "name"}).string().value_or("");
    manager.port = health_port(pod, manager.port);
    manager.service_account = pod.at({"spec", "serviceAccountName"}).string().value_or("default");
    const bool leads = holder.starts_with(manager.name + "_");
    running.insert(leads ? running.begin() : running.end(), std::move(manager));
  }
  return running;
}

Task<kube::ApiReply> read_page(kube::Client& client, std::string ns, ManagerPod pod, kube::ApiRequest page,
                               std::string audience) {
  page.raw_path = kube::pods().path(ns, pod.name + ":" + std::to_string(pod.port), "proxy") + page.raw_path;
  auto reply = co_await client.send(page);
  if (!reply && reply.error().code == 401) {
    auto granted = co_await client.send(token_request(ns, pod, audience));
    if (!granted) co_return with_permission(std::move(granted).error(), "create serviceaccounts/token", ns);
    KEELSON_CO_LET(const auto document, json::Document::parse(granted->body));
    const auto token = document.root().at({"status", "token"}).string().value_or("");
    page.headers.emplace_back(kOwnTokenHeader, "Bearer " + std::string(token));
    reply = co_await client.send(std::move(page));
  }
  if (!reply) co_return with_permission(std::move(reply).error(), "get pods/proxy", ns);
  co_return reply;
}

Error with_permission(Error error, const std::string& permission, const std::string& ns) {
  if (kube::is_forbidden(error)) {
    error.server_text += " (this needs the permission to " + permission + " in the namespace " + ns + ")";
  }
  return error;
}

}  // namespace keelson::access
