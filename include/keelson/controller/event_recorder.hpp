// The EventRecorder of the running program: sends what is recorded to the API server, in the background.
//
// As a Runnable: what was recorded before start() waits for it; stop() sends what is still queued, each once;
// abort() drops it. Events go to events.k8s.io/v1, and to v1 when only that is allowed or there.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <memory>
#include <string>

#include "keelson/async/clock.hpp"
#include "keelson/async/runnable.hpp"
#include "keelson/base/log.hpp"
#include "keelson/base/random.hpp"
#include "keelson/controller/events.hpp"
#include "keelson/kube/client.hpp"

namespace keelson::controller {

struct EventOptions {
  // reportingController, usually the program's name. What the API does not take as a qualified name is reported as
  // "keelson", so that events are not lost over it.
  std::string component;
  std::string host;  // for reportingInstance; empty: this machine's name
};

class EventSender : public EventRecorder, public async::Runnable {};

// All references must outlive the recorder.
[[nodiscard]] std::unique_ptr<EventSender> make_event_recorder(boost::asio::any_io_executor executor,
                                                               async::Clock& clock, base::Random& random, Logger log,
                                                               kube::Client& client, EventOptions options);

}  // namespace keelson::controller
