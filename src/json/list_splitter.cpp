#include <algorithm>
#include <array>

#include "keelson/base/try.hpp"
#include "keelson/detail/json/limits.hpp"
#include "keelson/detail/json/scan.hpp"
#include "keelson/json/value.hpp"
#include "src/json/blocks.hpp"
#include "src/json/grammar.hpp"

namespace keelson::json {
namespace {

// The state of the scan of an item between chunks.
struct ItemScan {
  std::size_t depth;
  StringState strings;
};

template <class Code>
std::size_t find_item_end(std::string_view chunk, ItemScan& scan);

}  // namespace

Result<void> ListSplitter::feed(std::string_view chunk, const OnPiece& on_item) {
  while (!chunk.empty()) {
    Result<std::size_t> used = 0;
    switch (state_) {
      case State::kEnvelope:
        used = feed_envelope(chunk);
        break;
      case State::kBeforeItem:
      case State::kAfterItem:
        used = feed_between(chunk);
        break;
      case State::kInItem:
        used = feed_item(chunk, on_item);
        break;
      case State::kFailed:
        return malformed_error("list: feed() after an error");
    }
    if (!used) {
      state_ = State::kFailed;
      return std::move(used).error();
    }
    chunk.remove_prefix(*used);
    offset_ += *used;
  }
  return {};
}

Result<std::string> ListSplitter::finish() {
  if (state_ == State::kFailed) return malformed_error("list: finish() after an error");
  if (state_ != State::kEnvelope || depth_ != 0 || envelope_.empty()) return fail("incomplete response");
  auto parsed = Document::parse(envelope_);
  if (!parsed) return std::move(parsed).error().with_context("list: around its items");
  return std::move(envelope_);
}

Result<std::size_t> ListSplitter::feed_envelope(std::string_view chunk) {
  std::size_t used = 0;
  while (used < chunk.size() && state_ == State::kEnvelope) {
    const auto taken = envelope_byte(chunk[used]);
    if (!taken) {
      offset_ += used;
      return fail(taken.error().text);
    }
    ++used;
  }
  return used;
}

// The envelope is small, so it is read byte by byte and stored. finish() parses it, so only what is needed to find the
// items is checked here.
Result<void> ListSplitter::envelope_byte(char byte) {
  if (!in_string_ && is_space(byte)) return {};
  if (depth_ == 0 && (byte != '{' || !envelope_.empty())) return malformed_error("expected an object and nothing else");
  if (envelope_.size() == limits::kListEnvelopeBytes) return malformed_error("the envelope of the items is too large");
  envelope_ += byte;

  if (in_string_) {
    if (byte == '"' && !escaped_) return end_of_string();
    escaped_ = byte == '\\' && !escaped_;
    return {};
  }
  const bool begins_items = at_items_ && byte == '[';
  if (byte != ':') at_items_ = false;
  if (begins_items) {
    state_ = State::kBeforeItem;
    may_end_items_ = true;
  } else if (byte == '"') {
    in_string_ = true;
    string_start_ = envelope_.size();
  } else if (byte == '{' || byte == '[') {
    if (++depth_ > limits::kJsonDepth) return malformed_error("nested too deep");
    expects_key_ = depth_ == 1;
  } else if (byte == '}' || byte == ']') {
    --depth_;
  } else if (byte == ',') {
    expects_key_ = depth_ == 1;
  }
  return {};
}

Result<void> ListSplitter::end_of_string() {
  in_string_ = false;
  if (!expects_key_ || depth_ != 1) return {};
  expects_key_ = false;
  const auto body = std::string_view(envelope_).substr(string_start_, envelope_.size() - 1 - string_start_);
  std::string name;
  at_items_ = decode_string(body, name) && name == "items";
  if (at_items_ && has_items_) return malformed_error("duplicate member \"items\"");
  has_items_ = has_items_ || at_items_;
  return {};
}

Result<std::size_t> ListSplitter::feed_between(std::string_view chunk) {
  std::size_t used = 0;
  while (used < chunk.size() && is_space(chunk[used])) ++used;
  if (used == chunk.size()) return used;

  const char byte = chunk[used];
  if (byte == ']' && may_end_items_) {
    envelope_ += ']';
    state_ = State::kEnvelope;
    return used + 1;
  }
  if (state_ == State::kAfterItem && byte == ',') {
    state_ = State::kBeforeItem;
    may_end_items_ = false;
    return used + 1;
  }
  if (state_ == State::kBeforeItem && byte == '{') {
    state_ = State::kInItem;
    return used;
  }
  offset_ += used;
  return fail(state_ == State::kBeforeItem ? "expected an item" : "expected a comma or ]");
}

Result<std::size_t> ListSplitter::feed_item(std::string_view chunk, const OnPiece& on_item) {
  ItemScan scan{item_depth_, StringState(item_in_string_, item_escaped_)};
  const std::size_t end =
      code_ == ScanCode::kScalar ? find_item_end<Plain>(chunk, scan) : find_item_end<Fastest>(chunk, scan);
  const std::size_t length = std::min(end, chunk.size());
  if (partial_.size() + length > limits::kObjectBytes) return fail("an item is too large");

  const std::string_view piece = chunk.substr(0, length);
  if (end == kNone) {
    partial_ += piece;
    item_depth_ = scan.depth;
    item_in_string_ = scan.strings.in_string();
    item_escaped_ = scan.strings.is_escaped();
    return length;
  }
  const bool is_whole = partial_.empty();
  if (!is_whole) partial_ += piece;
  KEELSON_TRY(on_item(is_whole ? piece : std::string_view(partial_)));
  partial_.clear();
  item_depth_ = 0;
  item_in_string_ = false;
  item_escaped_ = false;
  state_ = State::kAfterItem;
  may_end_items_ = true;
  return length;
}

Error ListSplitter::fail(std::string text) { return malformed_error("list: " + std::move(text) + at_byte(offset_)); }

namespace {

// The end of the item at the start of the chunk, or kNone if it is not in this chunk.
template <class Code>
std::size_t find_item_end(std::string_view chunk, ItemScan& scan) {
  std::array<char, kBlock> tail;
  for (std::size_t start = 0; start < chunk.size(); start += kBlock) {
    const std::size_t length = std::min(kBlock, chunk.size() - start);
    const BracketMasks masks = Code::brackets(padded(chunk.data() + start, length, tail));
    const auto strings = scan.strings.next(masks.backslash, masks.quote, length);
    const std::size_t end = container_end(masks.open & ~strings.inside, masks.close & ~strings.inside, scan.depth);
    if (end != kNone) return start + end;
  }
  return kNone;
}

}  // namespace
}  // namespace keelson::json
