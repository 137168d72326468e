// Which requests kube-apiserver routes to a handler. Others are rejected before any object is read: an unknown path is
// a text with 404, a path of a built-in group without a resource a Status with 404, and a wrong method one with 405.
#pragma once

#include <optional>

#include "keelson/kube/client.hpp"
#include "keelson/net/http.hpp"
#include "src/sandbox/kinds/served_kind.hpp"
#include "src/sandbox/requests/rejection.hpp"

namespace keelson::sandbox {

struct RouteRejection {
  std::optional<Rejection> status;  // nullopt: "404 page not found" as text
};

// `address` is the resource at the path of the request, whatever its method; nullopt if there is none.
[[nodiscard]] std::optional<RouteRejection> rejected_route(const Kinds& kinds, const net::Request& request,
                                                           const std::optional<kube::ApiRequest>& address);

// A review or an action: nothing is stored, and there is no table of it.
[[nodiscard]] bool is_create_only(const ServedKind& kind);

// Whether the path is one of the deprecated form /api/v1/watch/….
[[nodiscard]] bool is_watch_path(std::string_view path);

}  // namespace keelson::sandbox
