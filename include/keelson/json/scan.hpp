// Cutting what streams in: lines of a watch, items of a list, by a byte scanner that never builds a tree.
//
// Feed chunks as they come from the socket, of any size. Each piece is handed out as soon as it is complete: as a
// slice of the chunk when it lies wholly within it, else from a buffer that holds one piece. The slice is valid during
// the call only. After an error the splitter is finished: drop it with its connection.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "keelson/base/result.hpp"

namespace keelson::json {

// What is called with each piece; its error ends the feed and comes back from it.
using OnPiece = std::function<Result<void>(std::string_view piece)>;

// Which code finds the brackets. Both give the same results; tests hold one against the other.
enum class ScanCode { kFastest, kScalar };

// Lines of a watch stream, without their line end; blank lines are skipped. A line longer than
// limits::kWatchLineBytes is an error.
class LineSplitter {
 public:
  [[nodiscard]] Result<void> feed(std::string_view chunk, const OnPiece& on_line);

  // True when the stream ended in the middle of a line.
  [[nodiscard]] bool has_partial_line() const { return !partial_.empty(); }

 private:
  std::string partial_;
};

// Items of a list response, `{"kind":"PodList","metadata":{…},"items":[{…},{…}]}`, whose members may come in any order.
// An item is balanced, but only what reads it (Projection, Document) tells whether it is well-formed.
// Refused: items that are not objects, a second "items", a stray bracket, an item over limits::kObjectBytes, an
// envelope over limits::kListEnvelopeBytes.
class ListSplitter {
 public:
  explicit ListSplitter(ScanCode code = ScanCode::kFastest) : code_(code) {}

  [[nodiscard]] Result<void> feed(std::string_view chunk, const OnPiece& on_item);

  // After the last chunk: the envelope with an empty `items`, checked to be well-formed; or an error when the list is
  // not complete. A reply without items (a Status) comes back whole.
  [[nodiscard]] Result<std::string> finish();

 private:
  enum class State { kEnvelope, kBeforeItem, kInItem, kAfterItem, kFailed };

  Result<std::size_t> feed_envelope(std::string_view chunk);
  Result<void> envelope_byte(char byte);
  Result<void> end_of_string();
  Result<std::size_t> feed_between(std::string_view chunk);
  Result<std::size_t> feed_item(std::string_view chunk, const OnPiece& on_item);
  Error fail(std::string text);

  ScanCode code_;
  State state_ = State::kEnvelope;
  std::size_t offset_ = 0;  // of the current chunk's remainder in the whole stream

  std::string envelope_;
  std::size_t depth_ = 0;  // open brackets of the envelope
  bool in_string_ = false;
  bool escaped_ = false;
  bool expects_key_ = false;  // the next string at depth 1 is a member's name
  bool at_items_ = false;     // the name just read is "items"
  bool has_items_ = false;
  bool may_end_items_ = false;    // "[" was just read: "]" is allowed
  std::size_t string_start_ = 0;  // in envelope_

  std::string partial_;  // the beginning of an item that spans chunks
  std::size_t item_depth_ = 0;
  bool item_in_string_ = false;
  bool item_escaped_ = false;
};

}  // namespace keelson::json
