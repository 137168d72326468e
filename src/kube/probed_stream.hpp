// A watch that is closed if it is silent and its server does not answer on another connection either.
//
// HTTP/1.1 has no pings. A healthy watch can be silent for a minute, until the next bookmark, and a proxy keeps the
// connection open even if the server behind it is gone.
#pragma once

#include <memory>

#include "keelson/net/http.hpp"
#include "src/kube/server_probe.hpp"

namespace keelson::kube {

// A read that gets no byte for ServerProbe::kSilence uses the probe, again after each further kSilence. If the server
// does not answer, the read is a kTransport error. The clock and the probe must outlive the stream.
[[nodiscard]] std::unique_ptr<net::Stream> make_probed_stream(async::Clock& clock, ServerProbe& probe,
                                                              std::unique_ptr<net::Stream> stream);

}  // namespace keelson::kube
