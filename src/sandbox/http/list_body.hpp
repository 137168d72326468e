// The body of a list, rendered in pieces while it is sent, so that a long list neither blocks the loop nor needs memory
// for its whole text.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "keelson/detail/async/time_slice.hpp"
#include "keelson/detail/net/http_server.hpp"
#include "src/sandbox/http/rendering.hpp"
#include "src/sandbox/verbs/listing.hpp"

namespace keelson::sandbox {

class ListBody {
 public:
  ListBody(async::Clock& clock, Listing listing, Rendering rendering);

  // The next piece: about limits::kSandboxPieceBytes, or what can be rendered in one slice of time. A list in YAML or
  // protobuf is one piece: before it, pieces in protobuf are empty, because its length precedes a message.
  [[nodiscard]] std::string next_piece();
  [[nodiscard]] bool is_at_end() const { return is_at_end_; }
  // Whether the client has exceeded the time limit for a list, or the memory for all slow clients was exceeded.
  [[nodiscard]] bool is_broken() const { return snapshot()->is_abandoned || clock_.now() > deadline_; }
  [[nodiscard]] const std::shared_ptr<Snapshot>& snapshot() const { return listing_.all; }
  [[nodiscard]] async::TimeSlice& slice() { return slice_; }

 private:
  [[nodiscard]] std::string next_protobuf();

  async::Clock& clock_;
  Listing listing_;
  Rendering rendering_;
  async::TimeSlice slice_;
  async::TimePoint deadline_;
  std::size_t next_ = 0;  // index into the listing's objects
  std::optional<ProtobufList> protobuf_;
  bool is_at_begin_ = true;
  bool is_at_end_ = false;
};

// `first` is the piece that is already rendered.
[[nodiscard]] net::StreamingBody stream_of(std::shared_ptr<ListBody> body, std::string first);

}  // namespace keelson::sandbox
