// LineSplitter and ListSplitter: split a streamed response into the lines of a watch or the items of a list, without a
// tree.
//
// Feed chunks of any size as they arrive from the socket. Each piece is passed on as soon as it is complete: as a view
// of the chunk if it is entirely within it, otherwise of a buffer for one piece. The view is valid during the call
// only. After an error the splitter cannot be used any more: drop it with its connection.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "keelson/base/result.hpp"
#include "keelson/detail/json/limits.hpp"

namespace keelson::limits {

// A line of a watch stream: an event is an object in a small envelope.
inline constexpr std::size_t kWatchLineBytes = kObjectBytes + 4096;

// The envelope of a list: everything except its items.
inline constexpr std::size_t kListEnvelopeBytes = std::size_t{64} << 10;

}  // namespace keelson::limits

namespace keelson::json {

// Called with each piece. Its error ends the feed, and feed() returns it.
using OnPiece = std::function<Result<void>(std::string_view piece)>;

// The implementation that finds brackets: with SIMD, or portable. Both give the same results; tests compare them.
enum class ScanCode { kFastest, kScalar };

// Splits a watch stream into lines, without their newlines; blank lines are skipped. A line that is longer than
// limits::kWatchLineBytes is kMalformed.
class LineSplitter {
 public:
  // Calls `on_line` with each line that this chunk completes.
  [[nodiscard]] Result<void> feed(std::string_view chunk, const OnPiece& on_line);

  // True if the stream so far ends in the middle of a line: at its end this is a truncated response.
  [[nodiscard]] bool has_partial_line() const { return !partial_.empty(); }

 private:
  std::string partial_;
};

// Splits a list response, `{"kind":"PodList","metadata":{…},"items":[{…},{…}]}`, whose members may have any order. The
// brackets of an item are balanced; whether it is well-formed is checked by its reader (Projection, Document). Rejected
// as kMalformed: items that are not objects, a second "items", an unmatched bracket, an item over limits::kObjectBytes,
// an envelope over limits::kListEnvelopeBytes.
class ListSplitter {
 public:
  explicit ListSplitter(ScanCode code = ScanCode::kFastest) : code_(code) {}

  // Calls `on_item` with each item that this chunk completes.
  [[nodiscard]] Result<void> feed(std::string_view chunk, const OnPiece& on_item);

  // Call it after the last chunk. It returns the envelope with an empty `items`, which is well-formed, or kMalformed if
  // the list is not complete. A response without items (a Status) is returned as a whole.
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
