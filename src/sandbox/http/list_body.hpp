// The body of a list, rendered in pieces while it is sent, so that a long list neither blocks the loop nor needs memory
// for its whole text.
#pragma once

#include <memory>
#include <string>

#include "keelson/detail/async/time_slice.hpp"
#include "keelson/detail/net/http_server.hpp"
#include "src/sandbox/http/rendering.hpp"
#include "src/sandbox/verbs/listing.hpp"

namespace keelson::sandbox {

class ListBody {
 public:
  ListBody(async::Clock& clock, Listing listing, Rendering rendering);

  // The next piece: about limits::kSandboxPieceBytes, or what can be rendered in one slice of time. A list in YAML is
  // one piece.
  [[nodiscard]] std::string next_piece();
  [[nodiscard]] bool is_at_end() const { return is_at_end_; }
  // Whether the client has exceeded the time limit for a list.
  [[nodiscard]] bool is_late() const { return clock_.now() > deadline_; }
  [[nodiscard]] async::TimeSlice& slice() { return slice_; }

 private:
  async::Clock& clock_;
  Listing listing_;
  Rendering rendering_;
  async::TimeSlice slice_;
  async::TimePoint deadline_;
  std::size_t next_ = 0;  // index into the listing's objects
  bool is_at_begin_ = true;
  bool is_at_end_ = false;
};

// `first` is the piece that is already rendered.
[[nodiscard]] net::StreamingBody stream_of(std::shared_ptr<ListBody> body, std::string first);

}  // namespace keelson::sandbox
