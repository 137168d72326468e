#include "src/sandbox/authentication/client_certificates.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/detail/base/base64.hpp"
#include "test/unit/sandbox/role_talk.hpp"

namespace keelson::sandbox {
namespace {
using namespace std::chrono_literals;

constexpr const char* kReviews = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
constexpr const char* kSigningRequests = "/apis/certificates.k8s.io/v1/certificatesigningrequests";

// The request of test/unit/tls/client_authority_test.cpp: O=readers, O=writers, CN=ann.
constexpr const char* kRequestOfAnn = R"(-----BEGIN CERTIFICATE REQUEST-----
MIIBGzCBwQIBADAyMRAwDgYDVQQKDAdyZWFkZXJzMRAwDgYDVQQKDAd3cml0ZXJz
MQwwCgYDVQQDDANhbm4wWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQDDBUSqgUD
NjkVIKCT2EmSRMWT6TgiuMipP/XqhR8smlAJJflOU7rQMUUnvmYmFQ9kfJwIpws+
nnFbmKoeyR8BoC0wKwYJKoZIhvcNAQkOMR4wHDAaBgNVHREEEzARgglhLmV4YW1w
bGWHBAoAAAEwCgYIKoZIzj0EAwIDSQAwRgIhAJ8MsttHQ40Vh+0qX9VFoFqT3bqd
JvTUC8bOsVBoqM1tAiEA5TsdRYhPaRdH3uLVw/q5hPwRfGqsW+XigGakUrGUvCc=
-----END CERTIFICATE REQUEST-----
)";

ApiServerOptions with_authority(const tls::ClientAuthority& authority) {
  auto options = fixtures::whole_cluster();
  options.authorization = Authorization::kRbac;
  options.client_authority = authority;
  return options;
}

tls::ClientAuthority authority_at(async::WallTime now) {
  return tls::ClientAuthority::make("clients", {now - 1h, now + 100 * 24h}).value();
}

struct CertificateTalk : fixtures::HttpTalk {
  CertificateTalk() : CertificateTalk(authority_at(loop::TestLoop().clock().wall_now())) {}
  explicit CertificateTalk(tls::ClientAuthority made) : HttpTalk(with_authority(made)), authority(std::move(made)) {}

  net::Response with(const std::string& chain, const std::string& method, const std::string& target,
                     const std::string& token = "", const std::string& body = "{}") {
    net::Request request;
    request.method = method;
    request.target = target;
    request.body = body;
    if (!token.empty()) request.headers.emplace_back("Authorization", "Bearer " + token);
    if (!chain.empty()) request.client_certificates = std::make_shared<const std::string>(chain);
    return testing::result_of(loop, handler(std::move(request))).response;
  }
  std::string user_with(const std::string& chain, const std::string& token = "") {
    const auto reply = with(chain, "POST", kReviews, token);
    if (reply.status != 201) return std::to_string(reply.status);
    return Tree::parse(reply.body)->text_at({"status", "userInfo", "username"});
  }
  std::string issued(const tls::ClientAuthority& by, const std::string& name, async::Duration life = 1h) {
    const auto now = loop.clock().wall_now();
    return by.issue({name, {"readers"}}, {now - 1min, now + life}).value().certificate_pem;
  }
  // Creates a request of ann, and approves it.
  void request_certificate(const std::string& usages, const std::string& signer = "kube-apiserver-client") {
    const auto created =
        with("", "POST", kSigningRequests, kAdministrator,
             R"({"metadata":{"name":"ann"},"spec":{"signerName":"kubernetes.io/)" + signer + R"(","usages":[)" +
                 usages + R"(],"username":"eve","request":")" + base::base64_encode(kRequestOfAnn) + "\"}}");
    INFO(created.body);
    REQUIRE(created.status == 201);
    auto request = *Tree::parse(created.body);
    request["status"] = Tree::object();
    list_in(request["status"], "conditions")
        .push_back(Tree::object({{"type", "Approved"}, {"status", "True"}, {"reason", "Test"}}));
    const auto approved =
        with("", "PUT", std::string(kSigningRequests) + "/ann/approval", kAdministrator, request.text());
    INFO(approved.body);
    REQUIRE(approved.status == 200);
    pass(1s);
  }
  Tree signing_request() {
    return *Tree::parse(with("", "GET", std::string(kSigningRequests) + "/ann", kAdministrator, "").body);
  }

  tls::ClientAuthority authority;
};

TEST_CASE("the user of a client certificate is its common name, in the groups of its organizations") {
  CertificateTalk talk;
  const auto reply = talk.with(talk.issued(talk.authority, "ann"), "POST", kReviews);
  INFO(reply.body);
  REQUIRE(reply.status == 201);
  const auto info = Tree::parse(reply.body)->copy_at({"status", "userInfo"});
  CHECK(info.text_at({"username"}) == "ann");
  CHECK(info.texts_at({"groups"}) == std::vector<std::string>{"readers", "system:authenticated"});
  const auto id = info.texts_at({"extra", "authentication.kubernetes.io/credential-id"});
  REQUIRE(id.size() == 1);
  CHECK(id.front().starts_with("X509SHA256="));
}

TEST_CASE("a certificate precedes a token, and one that is not valid is ignored only with a valid token") {
  CertificateTalk talk;
  const auto own = talk.issued(talk.authority, "ann");
  const auto foreign = talk.issued(authority_at(talk.loop.clock().wall_now()), "eve");
  CHECK(talk.user_with(own, "bob") == "ann");
  CHECK(talk.user_with(foreign, "bob") == "bob");
  CHECK(talk.user_with(foreign) == "401");
  CHECK(talk.with(foreign, "GET", "/readyz").status == 401);
  CHECK(talk.user_with("no certificate") == "401");
  CHECK(talk.with("", "GET", "/readyz").status == 200);
  const auto unnamed = talk.issued(talk.authority, "");
  CHECK(talk.with(unnamed, "GET", "/readyz").status == 200);
}

TEST_CASE("a certificate is accepted until it expires, also on an open connection") {
  CertificateTalk talk;
  const auto chain = talk.issued(talk.authority, "ann", 10min);
  CHECK(talk.user_with(chain) == "ann");
  talk.pass(9min);
  CHECK(talk.user_with(chain) == "ann");
  talk.pass(2min);
  CHECK(talk.user_with(chain) == "401");
}

TEST_CASE("an approved CertificateSigningRequest gets a certificate that authenticates its subject") {
  CertificateTalk talk;
  talk.request_certificate(R"("client auth")");
  const auto request = talk.signing_request();
  INFO(request.text());
  CHECK(request.text_at({"spec", "username"}) == kAdministrator);
  const auto pem = base::base64_decode(request.text_at({"status", "certificate"}));
  REQUIRE(pem);
  CHECK(talk.user_with(*pem) == "ann");
}

TEST_CASE("a signer's condition Failed has the reason why a request is not for it") {
  struct Row {
    const char* signer;
    const char* usages;
    const char* message;
  };
  const Row rows[] = {
      {"kube-apiserver-client", R"("server auth","client auth")", "invalid usage for client certificate: server auth"},
      {"kube-apiserver-client", R"("digital signature")", "missing required usage for client certificate: client auth"},
      {"kubelet-serving", R"("server auth","digital signature")", "subject organization is not system:nodes"},
  };
  for (const auto& row : rows) {
    INFO(row.message);
    CertificateTalk talk;
    talk.request_certificate(row.usages, row.signer);
    const auto request = talk.signing_request();
    const auto* failed = condition_of(request, "Failed");
    REQUIRE(failed != nullptr);
    CHECK(failed->text_at({"reason"}) == "SignerValidationFailure");
    CHECK(failed->text_at({"message"}) == row.message);
    CHECK(request.text_at({"status", "certificate"}).empty());
  }
}

}  // namespace
}  // namespace keelson::sandbox
