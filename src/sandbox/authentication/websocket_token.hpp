// The bearer token of a browser, which cannot set headers of a WebSocket: Kubernetes takes it from a subprotocol,
// `base64url.bearer.authorization.k8s.io.` and the token in base64url.
#pragma once

#include "keelson/net/http.hpp"

namespace keelson::sandbox {

// Moves the token of an upgrade to the header Authorization. A token that is malformed, or without another subprotocol,
// which the reply can name, belongs to no user.
void take_websocket_token(net::Headers& headers);

}  // namespace keelson::sandbox
