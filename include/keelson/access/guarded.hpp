// Endpoints of our own that only those may ask whom the API server lets: kubebuilder's filter of the metrics server.
//
// Who sends a request is the owner of its bearer token (TokenReview). Whether he may is asked about the method, in
// lower case, on the path as it came (SubjectAccessReview, a nonResourceURL of RBAC). Every path is guarded, those that
// lead nowhere too. The answers are remembered, a good token for a minute, a permission for five; while the API server
// is away, that is all there is, and who is not remembered gets a 500. Tokens are never logged, and remembered as
// hashes. Reviews are shared by client (net::Request::peer); while too many requests wait for them, some get a 503.
//
// What the process may do in the cluster for that: create tokenreviews and subjectaccessreviews.
#pragma once

#include "keelson/async/clock.hpp"
#include "keelson/base/log.hpp"
#include "keelson/base/random.hpp"
#include "keelson/kube/client.hpp"
#include "keelson/net/http_server.hpp"

namespace keelson::access {

// `inner` for those who may. All references must outlive what it returns, and requests that it still serves.
[[nodiscard]] net::Handler guarded(async::Clock& clock, base::Random& random, Logger log, kube::Client& client,
                                   net::Handler inner);

}  // namespace keelson::access
