// CertificateSigningRequests: the server records who asks, and later only the status changes.
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "test/unit/sandbox/certificate_request.hpp"
#include "test/unit/sandbox/http_talk.hpp"

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

}  // namespace
}  // namespace keelson::sandbox
