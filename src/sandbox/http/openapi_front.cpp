#include "src/sandbox/http/openapi_front.hpp"

#include <algorithm>

#include "src/sandbox/http/media_type.hpp"
#include "src/sandbox/http/openapi.hpp"
#include "src/sandbox/http/openapi_v2.hpp"

namespace keelson::sandbox {

namespace {

constexpr std::string_view kRoot = "/openapi/v3";

net::ServerReply openapi_reply(int status, std::string body) {
  net::ServerReply reply;
  reply.response.status = status;
  reply.response.headers.emplace_back("Cache-Control", "no-cache, private");
  if (!body.empty()) reply.response.headers.emplace_back("Content-Type", "application/json");
  reply.response.body = std::move(body);
  return reply;
}

// Protobuf is not served: clients that request it accept JSON too.
bool accepts_json(const net::Request& request) {
  auto types = parse_media_types(net::header(request.headers, "Accept"));
  return types.empty() ||
         std::ranges::any_of(types, [](const MediaType& type) { return type.includes("application/json"); });
}

std::string asked_hash(std::string_view target) {
  constexpr std::string_view kName = "hash=";
  auto question = target.find('?');
  if (question == std::string_view::npos) return "";
  auto query = target.substr(question + 1);
  if (!query.starts_with(kName)) return "";
  return std::string(query.substr(kName.size(), query.find('&') - kName.size()));
}

// The first accepted type that is served; JSON by default.
net::ServerReply openapi_v2_reply(const Kinds& kinds, const net::Request& request) {
  for (const auto& type : parse_media_types(net::header(request.headers, "Accept"))) {
    if (type.quality > 0 && type.name == kOpenapiV2Protobuf) {
      auto reply = openapi_reply(200, openapi_v2_protobuf(kinds));
      // The requested type contains an @, which Go's clients cannot parse in a response.
      reply.response.headers.back().second = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
      return reply;
    }
    if (type.quality > 0 && type.includes("application/json")) break;
  }
  return accepts_json(request) ? openapi_reply(200, openapi_v2_json(kinds)) : openapi_reply(406, "");
}

}  // namespace

net::ServerReply openapi_reply(const Kinds& kinds, const net::Request& request) {
  auto path = request.target.substr(0, request.target.find('?'));
  if (path == "/openapi/v2") return openapi_v2_reply(kinds, request);
  path = path.substr(std::min(kRoot.size() + 1, path.size()));
  if (path.empty()) return openapi_reply(200, openapi_index(kinds).text());
  auto group = openapi_group(kinds, path);
  if (!group) return openapi_reply(404, "");
  if (!accepts_json(request)) return openapi_reply(406, "");
  auto hash = openapi_hash(kinds, *group);
  auto asked = asked_hash(request.target);
  auto tag = "\"" + hash + "\"";
  const bool is_known = net::header(request.headers, "If-None-Match").find(tag) != std::string_view::npos;
  const bool is_moved = !asked.empty() && asked != hash;
  auto reply = is_moved   ? openapi_reply(301, "")
               : is_known ? openapi_reply(304, "")
                          : openapi_reply(200, openapi_document(kinds, *group));
  auto& headers = reply.response.headers;
  headers.emplace_back("Etag", tag);
  headers.emplace_back("Vary", "Accept");
  if (is_moved) headers.emplace_back("Location", std::string(kRoot) + "/" + path + "?hash=" + hash);
  // The document of a hash never changes.
  if (asked == hash) headers[0].second = "public, immutable";
  return reply;
}

}  // namespace keelson::sandbox
