#include "src/net/connection.hpp"

#include <algorithm>
#include <cstring>

#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/base/limits.hpp"
#include "keelson/detail/net/limits.hpp"

namespace keelson::net {

std::string_view Connection::unread() const { return {buffer_.data() + begin_, end_ - begin_}; }

void Connection::consume(std::size_t bytes) {
  KEELSON_ASSERT(bytes <= end_ - begin_);
  begin_ += bytes;
  if (begin_ == end_) begin_ = end_ = 0;
}

Task<std::size_t> Connection::fill() {
  auto held = end_ - begin_;
  if (held > limits::kHeaderBytes) co_return malformed_error("malformed HTTP message: a line is too long");
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, held);
    begin_ = 0;
    end_ = held;
  }
  if (buffer_.size() < held + limits::kReadBytes) buffer_.resize(held + limits::kReadBytes);
  auto got = co_await read_some(std::span(buffer_).subspan(end_, limits::kReadBytes));
  if (got) end_ += *got;
  co_return got;
}

std::size_t Connection::buffer_bytes() const { return std::max(buffer_.size(), limits::kReadBytes); }

void Connection::rest() {
  if (begin_ == end_) std::vector<char>().swap(buffer_);
}

}  // namespace keelson::net
