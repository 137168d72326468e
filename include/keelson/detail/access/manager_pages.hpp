// The pages of a running manager, for commands that read them through the API server's proxy of pods.
//
// A page may be protected (authorized.hpp). The proxy removes the header Authorization, so that the token is in
// kOwnTokenHeader.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "keelson/base/result.hpp"
#include "keelson/base/task.hpp"
#include "keelson/json/value.hpp"
#include "keelson/kube/client.hpp"

namespace keelson::access {

// A pod of the manager that can be asked.
struct ManagerPod {
  std::string name;
  int port = 8081;  // of the health server, which has the pages
  std::string service_account = "default";
};

// The running pods of `pods`, which are JSON objects, with the leader first: the name of its pod begins the holder's
// identity. The port is the container port with the name `health`.
[[nodiscard]] std::vector<ManagerPod> manager_pods(const std::vector<json::View>& pods, std::string_view holder);

// Requests a page of the pod: raw_path is the manager's, "/statusz". If the page is protected, it is requested again
// with a token of the pod's own account. The token has the operator's name, `audience`, as its audience, so it is of no
// use at the API server, and is not stored. Errors are those of the requests; a 403 names the permission. `client` must
// outlive the call; cancellation ends it.
[[nodiscard]] Task<kube::ApiReply> read_page(kube::Client& client, std::string ns, ManagerPod pod,
                                             kube::ApiRequest page, std::string audience);

// The error of a request for which a permission in the namespace is missing, with its name: "list pods".
[[nodiscard]] Error with_permission(Error error, const std::string& permission, const std::string& ns);

}  // namespace keelson::access
