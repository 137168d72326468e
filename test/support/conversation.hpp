// A conversation with an API server as a table: requests and their expected responses. It runs on any kube::Client, so
// that the server in this process and a real one are compared with the same table.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <string>
#include <utility>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/kube/client.hpp"

namespace keelson::testing {

// In names, bodies, queries and expectations, `$NS` is the namespace, and `$UID_x`, `$RV_x`, `$MORE_x` are the uid,
// resourceVersion and continue token of the step with `keep = "x"`.
struct Step {
  std::string what;
  kube::Verb verb = kube::Verb::kGet;
  kube::Resource resource;
  std::string name;
  // "201", "409 Conflict: <message>"; for a list "200 [a,b]" ("[a,b…]" if there is more); for a watch its events,
  // "ADDED a, DELETED a". Then, for each path of `show`, " .data.a=1"; for a watch after each event.
  std::string expect;
  std::string body;
  std::vector<std::pair<std::string, std::string>> query;
  kube::PatchType patch_type = kube::PatchType::kMerge;
  std::string subresource;
  std::vector<std::string> show;
  kube::Content content = kube::Content::kWhole;
  std::string keep;
  bool eventually = false;        // retried for up to half a minute until the response is as expected
  bool names_are_random = false;  // the names of a list are not compared
};

struct Conversation {
  std::string name;
  std::vector<Step> steps;
};

// The unexpected responses: "<step>: expected <…>, got <…>". Empty if all responses are as expected.
[[nodiscard]] boost::asio::awaitable<std::vector<std::string>> converse(kube::Client& client, async::Clock& clock,
                                                                        std::string ns, Conversation conversation);

}  // namespace keelson::testing
