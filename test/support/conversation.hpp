// A conversation with an API server as a table: what is asked, and what must come back. Runs on any kube::Client, so
// that the same words are held against the server in this process and against a real one.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <string>
#include <utility>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/kube/client.hpp"

namespace keelson::test {

// In names, bodies, queries and expectations `$NS` is the namespace, and `$UID_x`, `$RV_x`, `$MORE_x` are the uid,
// resourceVersion and continue token of the step that says `keep = "x"`.
struct Step {
  std::string what;
  kube::Verb verb = kube::Verb::kGet;
  kube::Resource resource;
  std::string name;
  // "201", "409 Conflict: <message>"; of a list "200 [a,b]" ("[a,b…]" when there is more); of a watch its events,
  // "ADDED a, DELETED a". Then, for each path of `show`, " .data.a=1"; in a watch for each event.
  std::string expect;
  std::string body;
  std::vector<std::pair<std::string, std::string>> query;
  kube::PatchType patch_type = kube::PatchType::kMerge;
  std::string subresource;
  std::vector<std::string> show;
  kube::Content content = kube::Content::kWhole;
  std::string keep;
  bool eventually = false;        // asked again for up to half a minute until it is as expected
  bool names_are_random = false;  // so a list's are not told
};

struct Conversation {
  std::string name;
  std::vector<Step> steps;
};

// What came otherwise than expected: "<step>: expected <…>, got <…>". Empty: all as it should be.
[[nodiscard]] boost::asio::awaitable<std::vector<std::string>> converse(kube::Client& client, async::Clock& clock,
                                                                        std::string ns, Conversation conversation);

}  // namespace keelson::test
