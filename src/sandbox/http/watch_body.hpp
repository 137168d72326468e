// The body of a watch: sends each event when it happens.
#pragma once

#include <memory>

#include "keelson/detail/net/http_server.hpp"
#include "src/sandbox/endpoints.hpp"
#include "src/sandbox/http/rendering.hpp"

namespace keelson::sandbox {

// The endpoints must outlive the body. With `has_frames`, each event is a message of a WebSocket.
[[nodiscard]] net::StreamingBody stream_of(Endpoints& endpoints, std::shared_ptr<Watcher> watcher, Rendering rendering,
                                           bool has_frames);

}  // namespace keelson::sandbox
