// Writing the statuses of one kind.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <map>
#include <optional>
#include <string>

#include "keelson/async/clock.hpp"
#include "keelson/base/result.hpp"
#include "keelson/controller/reconciler.hpp"
#include "keelson/kube/client.hpp"
#include "keelson/kube/describe.hpp"
#include "keelson/kube/object.hpp"
#include "keelson/kube/resource.hpp"

namespace keelson::controller {

// What a status is to become.
struct StatusChange {
  enum class Form {
    kApply,  // the controller owns the status
    kPatch,  // others write fields of it too: only the difference to what was read is sent
  };
  enum class Urgency {
    kImmediate,
    kCoalesced,  // held back for up to a second, because the status is about to change again
  };
  std::string text;                 // the JSON of the status struct
  const kube::Description* fields;  // those that the status struct has
  Form form = Form::kApply;
  Urgency urgency = Urgency::kImmediate;
};

class StatusWriter {
 public:
  StatusWriter(async::Clock& clock, kube::Client& client, kube::Resource resource);

  // `change.text` differs from the stored status. Only this object is written, not a later one of its name. Fields of
  // the struct that the new status does not have are removed, also if others have set them. The outcome says when to
  // reconcile again because a status was held back. Empty: the object is gone.
  //
  // An Error if the API server serves no status of the kind: it would not be stored.
  [[nodiscard]] boost::asio::awaitable<Result<std::optional<Outcome>>> write(kube::Object object, StatusChange change);
  // There is no difference (any more), or no object.
  void forget(const kube::Key& key) { held_back_.erase(key); }

 private:
  [[nodiscard]] boost::asio::awaitable<Result<std::optional<kube::Object>>> send(kube::Object object,
                                                                                 const StatusChange& change);
  [[nodiscard]] boost::asio::awaitable<Result<void>> remove_leftovers(kube::Object written, const StatusChange& change);
  [[nodiscard]] boost::asio::awaitable<Result<void>> check_served(kube::Object object);

  async::Clock& clock_;
  kube::Client& client_;
  kube::Resource resource_;
  std::map<kube::Key, async::TimePoint> held_back_;  // when a difference was first held back
};

}  // namespace keelson::controller
