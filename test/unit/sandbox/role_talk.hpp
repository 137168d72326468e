// HttpTalk with a server under RBAC: requests of any user, and roles for them.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <utility>

#include "test/support/result_of.hpp"
#include "test/unit/sandbox/http_talk.hpp"

namespace keelson::sandbox::fixtures {

inline ApiServerOptions rbac_options() {
  ApiServerOptions options;
  options.authorization = Authorization::kRbac;
  return options;
}

struct RoleTalk : HttpTalk {
  RoleTalk() : HttpTalk(rbac_options()) {}

  net::Response as(const std::string& user, const std::string& method, const std::string& target, std::string body = "",
                   net::Headers headers = {}) {
    if (user != kAnonymous) headers.emplace_back("Authorization", "Bearer " + user);
    net::Request request{method, target, std::move(headers), std::move(body), ""};
    return testing::result_of(loop, handler(std::move(request))).response;
  }
  void create(const std::string& target, const std::string& object) {
    auto reply = as(kAdministrator, "POST", target, object);
    INFO(reply.body);
    REQUIRE(reply.status == 201);
  }
  // Creates a role and a binding of this name.
  void bind(const std::string& kind, const std::string& ns, const std::string& name, const std::string& subject,
            const std::string& rules) {
    auto role = kind.substr(0, kind.size() - 7);
    auto path = "/apis/rbac.authorization.k8s.io/v1/" + (ns.empty() ? "" : "namespaces/" + ns + "/");
    create(path + (ns.empty() ? "clusterroles" : "roles"),
           R"({"metadata":{"name":")" + name + R"("},"rules":)" + rules + "}");
    create(path + (ns.empty() ? "clusterrolebindings" : "rolebindings"),
           R"({"metadata":{"name":")" + name + R"("},"subjects":[)" + subject + R"(],"roleRef":{"kind":")" + role +
               R"(","name":")" + name + R"(","apiGroup":"rbac.authorization.k8s.io"}})");
  }
  // The decision of a SubjectAccessReview.
  Tree review(const std::string& user, const std::string& attributes) {
    auto reply = as(kAdministrator, "POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews",
                    R"({"spec":{"user":")" + user + R"(","groups":["system:authenticated"],)" + attributes + "}}");
    auto tree = Tree::parse(reply.body);
    const Tree* status = tree ? tree->find("status") : nullptr;
    return status != nullptr ? *status : Tree();
  }
  bool can(const std::string& user, const std::string& verb, const std::string& group, const std::string& resource,
           const std::string& name = "", const std::string& subresource = "") {
    auto status = review(user, R"("resourceAttributes":{"namespace":"default","verb":")" + verb + R"(","group":")" +
                                   group + R"(","resource":")" + resource + R"(","name":")" + name +
                                   R"(","subresource":")" + subresource + "\"}");
    return status.find("allowed") != nullptr && *status.find("allowed") == Tree(true);
  }
};

}  // namespace keelson::sandbox::fixtures

namespace keelson::sandbox {

inline std::string message_of(const net::Response& response) {
  auto tree = Tree::parse(response.body);
  return tree ? tree->text_at({"message"}) : response.body;
}

}  // namespace keelson::sandbox
