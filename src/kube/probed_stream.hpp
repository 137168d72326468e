// A watch that is given up when nothing comes on it and its server does not answer either.
//
// HTTP/1.1 has no pings. A watch may be silent for a minute, until the next bookmark, and a proxy in between keeps its
// connection open when the server behind it is gone.
#pragma once

#include <memory>

#include "keelson/net/http.hpp"
#include "src/kube/server_probe.hpp"

namespace keelson::kube {

// A read without a byte for ServerProbe::kSilence asks the probe, and again after each such time; if the server does
// not answer, the read is a kTransport error. The clock and the probe must outlive the stream.
[[nodiscard]] std::unique_ptr<net::Stream> make_probed_stream(async::Clock& clock, ServerProbe& probe,
                                                              std::unique_ptr<net::Stream> stream);

}  // namespace keelson::kube
