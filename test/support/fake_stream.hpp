// A response whose body a test pushes in pieces while the code under test reads it.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "keelson/base/task.hpp"
#include "keelson/detail/async/notify.hpp"
#include "keelson/net/http.hpp"

namespace keelson::testing {

// The body: the pieces that were pushed, then later ones, until it is closed or breaks off.
struct FakeBody {
  std::deque<std::string> pieces;
  std::optional<Error> broken;
  bool closed = false;
  bool broken_at_end = false;  // breaks off when all pieces have been read
  async::Notify changed;

  void push(std::string piece);
  void close();
  void break_off();
};

// A complete body.
[[nodiscard]] std::shared_ptr<FakeBody> whole_body(std::string text);

// Each read returns bytes of a single piece.
class FakeStream final : public net::Stream {
 public:
  explicit FakeStream(std::shared_ptr<FakeBody> body, net::Headers headers = {});
  int status() const override { return 200; }
  const net::Headers& headers() const override { return headers_; }
  Task<std::size_t> read_some(std::span<char> buffer) override;
  void stop_reading() override { body_->break_off(); }

 private:
  std::shared_ptr<FakeBody> body_;
  net::Headers headers_;
};

}  // namespace keelson::testing
