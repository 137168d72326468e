#include <cstring>

#include "keelson/detail/json/scan.hpp"

namespace keelson::json {
namespace {

// A watch is long-lived, so the memory of a large event is freed.
constexpr std::size_t kKeptCapacity = std::size_t{64} << 10;

Error too_long() {
  return malformed_error("a line is longer than " + std::to_string(limits::kWatchLineBytes) + " bytes");
}

Result<void> hand_out(std::string_view line, const OnPiece& on_line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.find_first_not_of(" \t") == std::string_view::npos) return {};
  return on_line(line);
}

}  // namespace

Result<void> LineSplitter::feed(std::string_view chunk, const OnPiece& on_line) {
  while (!chunk.empty()) {
    const std::size_t length = std::min(chunk.find('\n'), chunk.size());
    if (partial_.size() + length > limits::kWatchLineBytes) return too_long();
    const std::string_view line = chunk.substr(0, length);
    if (length == chunk.size()) {
      partial_ += line;
      return {};
    }
    chunk.remove_prefix(length + 1);

    const bool is_whole = partial_.empty();
    if (!is_whole) partial_ += line;
    auto handed = hand_out(is_whole ? line : std::string_view(partial_), on_line);
    if (partial_.capacity() > kKeptCapacity) std::string().swap(partial_);  // an assignment would keep the capacity
    partial_.clear();
    if (!handed) return handed;
  }
  return {};
}

}  // namespace keelson::json
