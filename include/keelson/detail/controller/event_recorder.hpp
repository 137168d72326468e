// The EventRecorder of the running program, which sends Events to the API server in the background.
//
// As a Runnable: Events that are recorded before start() wait for it. stop() tries each queued Event once, and abort()
// drops them. The Events go to events.k8s.io/v1; if this group is not served or not permitted (404, 403), they go to
// v1.
//
// Only connection errors and timeouts are retried: 12 times, 10 s apart, as in client-go. An Event that the API server
// rejects is dropped, with a debug log line.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <cstddef>
#include <memory>
#include <string>

#include "keelson/async/clock.hpp"
#include "keelson/base/log.hpp"
#include "keelson/controller/context.hpp"
#include "keelson/detail/async/runnable.hpp"
#include "keelson/detail/base/random.hpp"
#include "keelson/kube/client.hpp"

namespace keelson::limits {

// Bytes of an Event's note: the maximum of the API server.
inline constexpr std::size_t kEventNoteBytes = 1024;

}  // namespace keelson::limits

namespace keelson::controller {

struct EventOptions {
  // reportingController, usually the program's name. If it is not a qualified name, "keelson" is reported instead,
  // because the API server would reject every Event.
  std::string component;
  std::string host;  // for reportingInstance ("<component>-<host>"); empty: the host name of this machine
};

class EventSender : public EventRecorder, public async::Runnable {};

// All references must outlive the recorder.
[[nodiscard]] std::unique_ptr<EventSender> make_event_recorder(boost::asio::any_io_executor executor,
                                                               async::Clock& clock, base::Random& random, Logger log,
                                                               kube::Client& client, EventOptions options);

}  // namespace keelson::controller
