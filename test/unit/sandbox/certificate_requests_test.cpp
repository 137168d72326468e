// CertificateSigningRequests: the server records who asks, and later only the status changes.
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "test/unit/sandbox/certificate_request.hpp"
#include "test/unit/sandbox/http_talk.hpp"
#include "test/unit/sandbox/role_talk.hpp"

namespace keelson::sandbox {
namespace {

const std::string kCertificates = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
const std::string kRequested =
    R"("spec":{"username":"eve","groups":["x"],"signerName":"example.com/signer","usages":["client auth"],)"
    R"("request":")" +
    fixtures::kCertificateRequest + R"("})";
const std::string kPartial = R"("metadata":{"name":"a"},)" + kRequested + "}";

Tree tree_of(const net::Response& response) {
  const auto tree = Tree::parse(response.body);
  REQUIRE(tree);
  return *tree;
}

TEST_CASE("a certificate request has the user that created it, and the client cannot choose another one") {
  fixtures::HttpTalk talk;

  const auto created = tree_of(talk.send("POST", kCertificates, "{" + kPartial));

  CHECK(created.text_at({"spec", "username"}) != "eve");
  CHECK_FALSE(created.text_at({"spec", "username"}).empty());
  CHECK(created.copy_at({"spec", "groups"}).text().find("\"x\"") == std::string::npos);
  CHECK(created.at({"metadata", "managedFields"}) == nullptr);
}

TEST_CASE("an update of a certificate request leaves its specification, and an apply has no conflict with it") {
  fixtures::HttpTalk talk;
  const auto created = tree_of(talk.send("POST", kCertificates, "{" + kPartial));

  const auto patched = talk.send("PATCH", kCertificates + "/a", R"({"spec":{"usages":["any"],"request":"YQ=="}})",
                                 {{"Content-Type", "application/merge-patch+json"}});
  const auto applied =
      talk.send("PATCH", kCertificates + "/a?fieldManager=other",
                R"({"apiVersion":"certificates.k8s.io/v1","kind":"CertificateSigningRequest",)" + kPartial,
                {{"Content-Type", "application/apply-patch+yaml"}});

  CHECK(patched.status == 200);
  CHECK(tree_of(patched).copy_at({"spec"}) == created.copy_at({"spec"}));
  CHECK(applied.status == 200);
  CHECK(tree_of(applied).copy_at({"spec"}) == created.copy_at({"spec"}));
}

TEST_CASE("a review names the owner of its fields, as an object that is stored") {
  fixtures::HttpTalk talk;

  const auto review = tree_of(talk.send("POST", "/apis/authentication.k8s.io/v1/tokenreviews?fieldManager=m",
                                        R"({"metadata":{},"spec":{"token":"wrong"}})"));
  const auto wrong = talk.send("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", R"({"metadata":["a"]})");

  CHECK(review.items_at({"metadata", "managedFields"})[0].copy_at({"fieldsV1"}).text() ==
        R"({"f:spec":{"f:token":{}}})");
  CHECK(wrong.status == 400);
}

// The messages are those of a kube-apiserver 1.36.3.
TEST_CASE("no client gets a certificate of the group system:masters") {
  fixtures::HttpTalk talk;

  const auto created = talk.send(
      "POST", kCertificates,
      R"({"metadata":{"name":"m"},"spec":{"signerName":"kubernetes.io/kube-apiserver-client","usages":["client auth"],)"
      R"("request":")" +
          fixtures::kMastersCertificateRequest + "\"}}");

  CHECK(created.status == 403);
  CHECK(tree_of(created).text_at({"message"}) ==
        R"(certificatesigningrequests.certificates.k8s.io "m" is forbidden: use of )"
        "kubernetes.io/kube-apiserver-client signer with system:masters group is not allowed");
}

TEST_CASE("who approves or signs a certificate request needs that verb for its signer") {
  fixtures::RoleTalk talk;
  talk.create(kCertificates, "{" + kPartial);
  const std::string start =
      R"(certificatesigningrequests.certificates.k8s.io "a" is forbidden: user not permitted to )";
  const std::string end = R"( requests with signerName "example.com/signer")";
  const auto patch = [&talk](const std::string& part, const std::string& status) {
    return talk.as("ann", "PATCH", kCertificates + "/a/" + part, R"({"status":)" + status + "}",
                   {{"Content-Type", "application/merge-patch+json"}});
  };
  const std::string approved = R"({"conditions":[{"type":"Approved","status":"True","reason":"r"}]})";
  const std::string failed = R"({"conditions":[{"type":"Failed","status":"True","reason":"r"}]})";
  const std::string ann = R"({"kind":"User","name":"ann","apiGroup":"rbac.authorization.k8s.io"})";
  talk.bind("ClusterRoleBinding", "", "writer", ann,
            R"([{"apiGroups":["certificates.k8s.io"],"resources":["certificatesigningrequests/approval",)"
            R"("certificatesigningrequests/status"],"verbs":["patch"]}])");

  const auto without_approve = patch("approval", approved);
  const auto without_sign = patch("status", failed);
  talk.bind("ClusterRoleBinding", "", "approver", ann,
            R"([{"apiGroups":["certificates.k8s.io"],"resources":["signers"],"resourceNames":["example.com/*"],)"
            R"("verbs":["approve"]}])");
  const auto with_approve = patch("approval", approved);
  talk.bind("ClusterRoleBinding", "", "signer", ann,
            R"([{"apiGroups":["certificates.k8s.io"],"resources":["signers"],"resourceNames":["example.com/signer"],)"
            R"("verbs":["sign"]}])");
  const auto with_sign = patch("status", R"({"conditions":[{"type":"Approved","status":"True","reason":"r"},)"
                                         R"({"type":"Failed","status":"True","reason":"r"}]})");

  CHECK(without_approve.status == 403);
  CHECK(tree_of(without_approve).text_at({"message"}) == start + "approve" + end);
  CHECK(without_sign.status == 403);
  CHECK(tree_of(without_sign).text_at({"message"}) == start + "sign" + end);
  CHECK(with_approve.status == 200);
  CHECK(with_sign.status == 200);
}

}  // namespace
}  // namespace keelson::sandbox
