// Writing an object's status, and telling which refusals of the API server a status should speak of.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <map>
#include <string>

#include "keelson/async/clock.hpp"
#include "keelson/base/result.hpp"
#include "keelson/controller/reconciler.hpp"
#include "keelson/kube/client.hpp"
#include "keelson/kube/object.hpp"
#include "keelson/kube/resource.hpp"

namespace keelson::controller {

// Makes `status` (its JSON) the status of `object`, which is of our own kind `resource`, by server-side apply: fields
// of the last status that are absent from this one go away. Only this life of the name is written. False: it has gone
// meanwhile, and there is nothing more to tell. That the server serves no status of the kind is an Error: what was to
// be remembered is not stored.
[[nodiscard]] boost::asio::awaitable<Result<bool>> apply_status(kube::Client& client, kube::Resource resource,
                                                                kube::Object object, std::string status);

// Writes the statuses of one kind, and gathers progress: a status that is about to change again is held back for a
// second, bad news and what is settled are not. A member of a reconciler.
class StatusWriter {
 public:
  enum class Urgency { kNow, kSoon };

  StatusWriter(async::Clock& clock, kube::Client& client, kube::Resource resource);

  // `status` differs from the stored one. The outcome says when to come again with one that was held back. A pass that
  // ends in an error loses that outcome, and its next try may be far: it writes now what `says_more`.
  [[nodiscard]] boost::asio::awaitable<Result<Outcome>> write(kube::Object object, std::string status, Urgency urgency);
  // There is no difference (any more), or no object.
  void forget(const kube::Key& key) { held_back_.erase(key); }

 private:
  async::Clock& clock_;
  kube::Client& client_;
  kube::Resource resource_;
  // When a difference was first held back.
  std::map<kube::Key, async::TimePoint> held_back_;
};

// `after` differs from `before` in more than the messages of conditions: those of a refusal may change with every try
// ("used 3, limited: 2"), and are not to be written with every try.
template <class Status>
[[nodiscard]] bool says_more(Status before, Status after) {
  for (auto* status : {&before, &after}) {
    for (auto& condition : status->conditions) condition.message.clear();
  }
  return before != after;
}

// The server has understood the write and does not want it (a quota, a webhook, an invalid value, a missing right):
// trying again does not help until somebody changes something, so the user has to be told. Not so for what goes away by
// itself: no answer, 429, 5xx, a stale read of ours, a namespace that is being deleted.
[[nodiscard]] bool is_refusal(const Error& error);

}  // namespace keelson::controller
