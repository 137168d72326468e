#include "src/sandbox/authentication/websocket_token.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "keelson/detail/base/base64.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/net/websocket.hpp"
#include "src/sandbox/requests/texts.hpp"

namespace keelson::sandbox {

namespace {

constexpr std::string_view kBearerProtocol = "base64url.bearer.authorization.k8s.io.";
constexpr std::string_view kProtocols = "Sec-WebSocket-Protocol";

}  // namespace

void take_websocket_token(net::Headers& headers) {
  if (!net::wants_websocket(headers) || !net::header(headers, "Authorization").empty()) return;
  const std::string list(net::header(headers, kProtocols));
  std::vector<std::string> tokens;
  std::string others;
  for (const auto part : parts_of(list, ',')) {
    const auto protocol = base::trim(part);
    if (protocol.starts_with(kBearerProtocol)) {
      tokens.push_back(base::base64url_decode(protocol.substr(kBearerProtocol.size())).value_or(""));
    } else {
      others += (others.empty() ? "" : ",") + std::string(protocol);
    }
  }
  if (tokens.empty()) return;
  const bool is_usable = tokens.size() == 1 && !others.empty();
  headers.emplace_back("Authorization", "Bearer " + (is_usable ? tokens.front() : ""));
  const auto is_list = [](const auto& header) { return base::to_lower(header.first) == base::to_lower(kProtocols); };
  const auto found = std::ranges::find_if(headers, is_list);
  if (is_usable) found->second = others;
}

}  // namespace keelson::sandbox
