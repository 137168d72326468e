// Watches over WebSocket: what the API server sends for each Accept header was recorded from it.
#include <catch2/catch_test_macros.hpp>

#include "test/unit/sandbox/http_talk.hpp"
#include "test/unit/sandbox/role_talk.hpp"

namespace keelson::sandbox {
namespace {

const std::string kWatch = "/api/v1/namespaces/default/configmaps?watch=1&timeoutSeconds=1";

net::Headers upgrade(const std::string& accept) {
  return {{"Upgrade", "websocket"},   {"Connection", "Upgrade"}, {"Sec-WebSocket-Version", "13"},
          {"Sec-WebSocket-Key", "x"}, {"Origin", "http://a"},    {"Accept", accept}};
}

TEST_CASE("each event of a watch over WebSocket is a message: a line of JSON as text, protobuf as bytes") {
  fixtures::HttpTalk talk;
  REQUIRE(talk.create_map("a"));
  REQUIRE(talk.create_map("b"));

  const auto json = talk.send("GET", kWatch, "", upgrade(""));
  const auto binary = talk.send("GET", kWatch, "", upgrade("application/vnd.kubernetes.protobuf"));

  CHECK(json.status == 101);
  CHECK(json.body.starts_with("\x81\x7e"));
  CHECK(json.body.substr(4).starts_with(R"({"type":"ADDED")"));
  CHECK(json.body.find("}\n\x81\x7e") != std::string::npos);
  CHECK(json.body.ends_with("}\n"));
  CHECK(binary.status == 101);
  CHECK(binary.body.starts_with("\x82"));
  CHECK(
      binary.body.substr(2).starts_with("\n\x05"
                                        "ADDED"));
}

TEST_CASE("a watch that is rejected is not upgraded") {
  fixtures::HttpTalk talk;
  CHECK(talk.send("GET", "/api/v1/namespaces/default/missing?watch=1", "", upgrade("")).status == 404);
  auto without_origin = upgrade("");
  std::erase_if(without_origin, [](const auto& header) { return header.first == "Origin"; });
  CHECK(talk.send("GET", kWatch, "", without_origin).status == 403);
  CHECK(talk.send("GET", "/api/v1/namespaces/default/configmaps", "", upgrade("")).status == 200);
}

TEST_CASE("a WebSocket has the token of a subprotocol, which the reply does not name") {
  fixtures::RoleTalk talk;
  talk.bind("RoleBinding", "default", "watcher", R"({"kind":"User","name":"ann"})",
            R"([{"apiGroups":[""],"resources":["configmaps"],"verbs":["watch"]}])");
  const std::string token = "base64url.bearer.authorization.k8s.io.YW5u";  // ann
  const auto watched = [&talk](const std::string& protocols) {
    auto headers = upgrade("");
    if (!protocols.empty()) headers.emplace_back("Sec-WebSocket-Protocol", protocols);
    return talk.as(kAnonymous, "GET", kWatch, "", headers);
  };

  CHECK(watched("chat").status == 403);
  const auto reply = watched(token + ", chat");
  CHECK(reply.status == 101);
  CHECK(net::header(reply.headers, "Sec-WebSocket-Protocol") == "chat");
  CHECK(watched(token).status == 401);
  CHECK(watched(token + ", chat, " + token).status == 401);
  CHECK(watched("base64url.bearer.authorization.k8s.io.?, chat").status == 401);
}

}  // namespace
}  // namespace keelson::sandbox
