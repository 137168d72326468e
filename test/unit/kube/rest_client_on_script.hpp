// The API server's client with scripted replies, in virtual time.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>
#include <vector>

#include "keelson/base/task.hpp"
#include "keelson/detail/kube/rest_client.hpp"
#include "keelson/detail/sandbox/loop/recording_sink.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"
#include "src/kube/api_request.hpp"
#include "src/kube/rest_client_parts.hpp"
#include "test/support/result_of.hpp"
#include "test/support/scripted_http.hpp"
#include "test/unit/kubeconfig/fake_environment.hpp"

namespace keelson::kube {

inline constexpr const char* kPod = R"({"kind":"Pod","metadata":{"name":"a","namespace":"ns"}})";
inline constexpr const char* kNotFound =
    R"({"kind":"Status","status":"Failure","message":"pods \"a\" not found","reason":"NotFound","code":404})";

// The client under test owns its HTTP client; the script outlives both.
class BorrowedHttp final : public net::HttpClient {
 public:
  explicit BorrowedHttp(net::HttpClient& http) : http_(http) {}
  Task<net::Response> send(net::Request request, net::CallOptions options) override {
    return http_.send(std::move(request), options);
  }
  Task<std::unique_ptr<net::Stream>> open(net::Request request, net::CallOptions options) override {
    return http_.open(std::move(request), options);
  }
  void close_idle() override { http_.close_idle(); }
  void end_streams() override { http_.end_streams(); }

 private:
  net::HttpClient& http_;
};

// Replies to every request in the same way.
inline testing::ScriptedStep& always(testing::ScriptedHttpClient& http, Verb verb) {
  return http.always(method_of(verb), "/prefix");
}

struct RestClientOnScript {
  explicit RestClientOnScript(bool with_token_file = false) {
    config.server = "https://10.0.0.1:6443/prefix";
    config.url.path_prefix = "/prefix";
    config.token = "secret";
    if (with_token_file) {
      config.token = "";
      config.token_file = "/token";
      files.file("/token", "first");
    }
  }

  Client& client() {
    if (!client_) {
      ApiServerParts parts;
      parts.make_http = [this](const tls::TlsOptions& tls) -> Result<std::unique_ptr<net::HttpClient>> {
        used_tls.push_back(tls);
        if (tls.certificate_pem == "unusable") return invalid_error("bad certificate");
        if (tls.ca_pem == "unusable") return invalid_error("bad certificate");
        std::unique_ptr<net::HttpClient> borrowed = std::make_unique<BorrowedHttp>(http);
        return borrowed;
      };
      parts.credentials.read_file = files.read_file();
      parts.credentials.plugin = plugin;
      auto made = make_rest_client(loop.clock(), random, Logger(sink), registry, config,
                                   {.user_agent = "manager/1 (linux/amd64) keelson/abc",
                                    .on_failure = [this](const Error& error) { failures.push_back(error.message()); },
                                    .on_answer = [this](const Answer& answer) { answers.push_back(answer); }},
                                   parts);
      REQUIRE(made);
      client_ = std::move(*made);
    }
    return *client_;
  }

  // Runs one request and measures its virtual time.
  Result<ApiReply> send(ApiRequest request) {
    auto began = loop.clock().now();
    auto reply = testing::result_of(loop, client().send(std::move(request)));
    took = loop.clock().now() - began;
    return reply;
  }
  Result<std::unique_ptr<net::Stream>> stream(ApiRequest request) {
    return testing::result_of(loop, client().stream(std::move(request)));
  }
  [[nodiscard]] bool has_metric(const std::string& line) { return registry.text().find(line) != std::string::npos; }

  sandbox::loop::TestLoop loop;
  base::Random random{7};
  sandbox::loop::RecordingSink sink;
  metrics::Registry registry;
  fixtures::FakeEnvironment files;
  ConnectionConfig config;
  testing::ScriptedHttpClient http{loop.clock()};
  std::vector<tls::TlsOptions> used_tls;
  std::shared_ptr<PluginCredentials> plugin;
  async::Duration took{};
  std::vector<Answer> answers;
  std::vector<std::string> failures;

 private:
  std::unique_ptr<Client> client_;
};

inline ApiRequest request_of(Verb verb) {
  ApiRequest request;
  request.verb = verb;
  request.resource = pods();
  request.key = Key(
      "ns", verb == Verb::kGet || verb == Verb::kUpdate || verb == Verb::kPatch || verb == Verb::kDelete ? "a" : "");
  if (verb == Verb::kCreate || verb == Verb::kUpdate || verb == Verb::kPatch) request.body = "{}";
  return request;
}

}  // namespace keelson::kube
