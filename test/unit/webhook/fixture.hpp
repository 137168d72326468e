// The fixture of the tests of the wire: a handler for Toast, and reviews to send to it.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "keelson/detail/base/base64.hpp"
#include "keelson/detail/sandbox/loop/recording_sink.hpp"
#include "keelson/json/value.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"
#include "src/webhook/admission_handler.hpp"
#include "test/unit/webhook/toast.hpp"

namespace keelson::testing {

inline constexpr const char* kMutate = "/mutate-kitchen-example-com-v1-toast";
inline constexpr const char* kValidate = "/validate-kitchen-example-com-v1-toast";

inline std::vector<webhook::ServedWebhook> toast_webhooks() {
  using webhook::WebhookType;
  return {
      served_toasts(WebhookType::kMutating, webhook::defaulting_by<ToastSpec>(std::make_unique<ToastDefaulter>())),
      served_toasts(WebhookType::kValidating, webhook::validating_by<ToastSpec>(std::make_unique<ToastValidator>()))};
}

inline webhook::ServedWebhook with_validator(std::unique_ptr<webhook::Validator<ToastSpec>> validator) {
  return served_toasts(webhook::WebhookType::kValidating, webhook::validating_by<ToastSpec>(std::move(validator)));
}

inline std::string toast(const std::string& spec, const std::string& name = "a") {
  return R"({"apiVersion":"kitchen.example.com/v1","kind":"Toast","metadata":{"name":")" + name +
         R"(","namespace":"default"},"spec":)" + spec + "}";
}

// Empty objects are omitted.
inline std::string review(const std::string& operation, const std::string& object, const std::string& old_object = "",
                          const std::string& version = "v1") {
  std::string text = R"({"kind":"AdmissionReview","apiVersion":"admission.k8s.io/)" + version +
                     R"(","request":{"uid":"u-1","kind":{"group":"kitchen.example.com","version":"v1","kind":"Toast"},)"
                     R"("resource":{"group":"kitchen.example.com","version":"v1","resource":"toasts"},)"
                     R"("name":"a","namespace":"default","operation":")" +
                     operation + R"(","userInfo":{"username":"cook","groups":["staff"]})";
  if (!object.empty()) text += ",\"object\":" + object;
  if (!old_object.empty()) text += ",\"oldObject\":" + old_object;
  return text + "}}";
}

struct HandlerFixture {
  explicit HandlerFixture(std::vector<webhook::ServedWebhook> webhooks = toast_webhooks())
      : handler(loop.clock(), Logger(sink), registry, budget, std::move(webhooks)) {}

  net::Response post(std::string target, std::string body, std::string type = "application/json") {
    net::Request request;
    request.method = "POST";
    request.target = std::move(target);
    request.headers = {{"Content-Type", std::move(type)}};
    request.body = std::move(body);
    std::optional<net::ServerReply> reply;
    loop.run(keep(std::move(request), reply));
    return std::move(reply->response);
  }

  // The "response" of the AdmissionReview, as received.
  std::string respond(std::string target, std::string body) {
    auto reply = post(std::move(target), std::move(body));
    auto document = json::Document::parse(reply.body);
    return document ? document->root().find("response").text() : reply.body;
  }

  sandbox::loop::TestLoop loop;
  sandbox::loop::RecordingSink sink;
  metrics::Registry registry;
  net::ServerBudget budget;
  webhook::AdmissionHandler handler;

 private:
  boost::asio::awaitable<void> keep(net::Request request, std::optional<net::ServerReply>& reply) {
    reply = co_await handler.serve(std::move(request));
  }
};

}  // namespace keelson::testing
