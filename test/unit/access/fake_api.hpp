// A fake API server that answers reviews, with the owners of tokens and their permissions.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/base/task.hpp"
#include "keelson/json/value.hpp"
#include "keelson/kube/client.hpp"

namespace keelson::testing {

class FakeApi final : public kube::Client {
 public:
  explicit FakeApi(async::Clock& clock) : clock_(clock) {}

  std::map<std::string, std::string> owners;  // by token
  std::set<std::string> allowed;              // "jane get /metrics"
  std::string audience;                       // of all tokens; empty: the API server, which knows no other one
  std::string self = "manager";               // the user of the client
  async::Duration takes{};                    // the delay of each reply
  std::vector<Error> failures;                // the results of the next requests
  std::map<std::string, std::string> babble;  // replies that are not reviews, by kind
  std::vector<std::string> asked;             // the kinds of the requests, in order
  std::size_t at_once = 0;
  std::size_t most_at_once = 0;

  Task<kube::ApiReply> send(kube::ApiRequest request) override {
    asked.push_back(request.resource.kind);
    most_at_once = std::max(most_at_once, ++at_once);
    const Leaving leaving{at_once};
    if (takes > async::Duration{0}) co_await async::sleep_for(clock_, takes);
    if (!failures.empty()) {
      auto failure = failures.front();
      failures.erase(failures.begin());
      co_return failure;
    }
    co_return kube::ApiReply{201, answer(request)};
  }
  Task<std::unique_ptr<net::Stream>> stream(kube::ApiRequest) override {
    co_return invalid_error("nothing is watched here");
  }

 private:
  struct Leaving {
    std::size_t& at_once;
    ~Leaving() { --at_once; }
  };

  [[nodiscard]] std::string answer(const kube::ApiRequest& request) const {
    if (const auto instead = babble.find(request.resource.kind); instead != babble.end()) return instead->second;
    const auto document = json::Document::parse(request.body).value();
    const auto spec = document.root().find("spec");
    if (request.resource.kind == "TokenReview") {
      const auto owner = owners.find(std::string(*spec.find("token").string()));
      std::string asked_for;
      for (const auto item : spec.find("audiences").items()) asked_for = std::string(*item.string());
      if (!audience.empty() && owner != owners.end() && asked_for == audience) {
        return R"({"kind":"TokenReview","status":{"authenticated":true,"audiences":[")" + audience +
               R"("],"user":{"username":")" + owner->second + "\"}}}";
      }
      if (owner == owners.end() || !audience.empty()) {
        return R"({"kind":"TokenReview","status":{"error":"invalid bearer token"}})";
      }
      return R"({"kind":"TokenReview","status":{"authenticated":true,"user":{"username":")" + owner->second + "\"}}}";
    }
    if (request.resource.kind == "SelfSubjectReview") {
      return R"({"kind":"SelfSubjectReview","status":{"userInfo":{"username":")" + self + "\"}}}";
    }
    const auto attributes = spec.find("nonResourceAttributes");
    const auto question = std::string(*spec.find("user").string()) + " " +
                          std::string(*attributes.find("verb").string()) + " " +
                          std::string(*attributes.find("path").string());
    return std::string(R"({"kind":"SubjectAccessReview","status":{"allowed":)") +
           (allowed.contains(question) ? "true}}" : "false}}");
  }

  async::Clock& clock_;
};

}  // namespace keelson::testing
