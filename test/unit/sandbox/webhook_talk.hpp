// HttpTalk with a webhook: records its requests and returns its responses.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "keelson/base/task.hpp"
#include "keelson/detail/base/base64.hpp"
#include "test/unit/sandbox/http_talk.hpp"

namespace keelson::sandbox::fixtures {

// The response in an AdmissionReview, without its uid.
using WebhookAnswer = std::function<Tree(const Tree& request)>;

inline Tree allowed() { return Tree::object({{"allowed", true}}); }
inline Tree denied(Tree status) { return Tree::object({{"allowed", false}, {"status", std::move(status)}}); }
inline Tree patched(const std::string& operations) {
  return Tree::object({{"allowed", true}, {"patchType", "JSONPatch"}, {"patch", base::base64_encode(operations)}});
}

class WebhookTalk {
 public:
  WebhookTalk() : talk(make_options()) {}

  // A configuration with one webhook; `more` are further members of it.
  net::Response configure(const std::string& name, bool is_mutating, const std::string& url,
                          const std::string& more = "",
                          const std::string& rule = R"("operations":["*"],"resources":["configmaps"])") {
    std::string kind = is_mutating ? "Mutating" : "Validating";
    auto plural = is_mutating ? "mutatingwebhookconfigurations" : "validatingwebhookconfigurations";
    auto body = R"({"apiVersion":"admissionregistration.k8s.io/v1","kind":")" + kind +
                R"(WebhookConfiguration","metadata":{"name":")" + name + R"("},"webhooks":[{"name":")" + name +
                R"(.example.com","admissionReviewVersions":["v1"],"sideEffects":"None","clientConfig":{"url":")" + url +
                R"("},"rules":[{"apiGroups":["*"],"apiVersions":["*"],)" + rule + "}]" + more + "}]}";
    return talk.send("POST", std::string("/apis/admissionregistration.k8s.io/v1/") + plural, body);
  }
  net::Response create_map(const std::string& name, const std::string& more = "", const std::string& query = "") {
    return talk.send("POST", maps() + query, R"({"metadata":{"name":")" + name + "\"}" + more + "}");
  }
  static std::string maps() { return "/api/v1/namespaces/default/configmaps"; }

  std::vector<WebhookCall> calls;
  std::vector<Tree> requests;
  WebhookAnswer answer = [](const Tree&) { return allowed(); };
  std::function<Tree(Tree object, const std::string& api_version)> convert;
  // Replaces the response.
  std::optional<Result<net::Response>> reply;
  async::Duration delay{0};
  // Runs once, during a webhook call.
  std::function<boost::asio::awaitable<void>()> meanwhile;
  HttpTalk talk;

 private:
  ApiServerOptions make_options() {
    ApiServerOptions options;
    options.webhooks = [this](WebhookCall call) { return serve(std::move(call)); };
    return options;
  }

  [[nodiscard]] net::Response converted(const Tree& request) const {
    auto objects = Tree::array();
    for (const auto& object : request.find("objects")->items()) {
      objects.items().push_back(convert(object, request.text_at({"desiredAPIVersion"})));
    }
    auto response = Tree::object({{"uid", request.text_at({"uid"})},
                                  {"result", Tree::object({{"status", "Success"}})},
                                  {"convertedObjects", objects}});
    return {
        200,
        {},
        Tree::object({{"apiVersion", "apiextensions.k8s.io/v1"}, {"kind", "ConversionReview"}, {"response", response}})
            .text()};
  }

  Task<net::Response> serve(WebhookCall call) {
    calls.push_back(call);
    auto review = Tree::parse(call.body);
    const auto request = review->find("request") != nullptr ? *review->find("request") : Tree();
    requests.push_back(request);
    if (delay > call.timeout) {
      co_await async::sleep_for(talk.loop.clock(), call.timeout);
      co_return timeout_error("no answer");
    }
    co_await async::sleep_for(talk.loop.clock(), delay);
    if (meanwhile) {
      auto once = std::exchange(meanwhile, {});
      co_await once();
    }
    if (reply) co_return *reply;
    if (review->text_at({"kind"}) == "ConversionReview") co_return converted(request);
    auto response = answer(request);
    response["uid"] = request.text_at({"uid"});
    auto answered =
        Tree::object({{"apiVersion", "admission.k8s.io/v1"}, {"kind", "AdmissionReview"}, {"response", response}});
    co_return net::Response{200, {}, answered.text()};
  }
};

inline Tree parsed(const net::Response& response) {
  auto tree = Tree::parse(response.body);
  return tree ? *tree : Tree();
}

}  // namespace keelson::sandbox::fixtures
