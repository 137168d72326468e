#include "test/support/fake_stream.hpp"

#include <utility>

namespace keelson::testing {

void FakeBody::push(std::string piece) {
  pieces.push_back(std::move(piece));
  changed.notify_all();
}

void FakeBody::close() {
  closed = true;
  changed.notify_all();
}

void FakeBody::break_off() {
  broken = transport_error("read: connection reset by peer");
  changed.notify_all();
}

std::shared_ptr<FakeBody> whole_body(std::string text) {
  auto body = std::make_shared<FakeBody>();
  body->push(std::move(text));
  body->close();
  return body;
}

FakeStream::FakeStream(std::shared_ptr<FakeBody> body, net::Headers headers)
    : body_(std::move(body)), headers_(std::move(headers)) {}

Task<std::size_t> FakeStream::read_some(std::span<char> buffer) {
  if (body_->pieces.empty() && body_->broken_at_end) body_->break_off();
  while (body_->pieces.empty() && !body_->closed && !body_->broken) co_await body_->changed.wait();
  if (body_->broken) co_return *body_->broken;
  if (body_->pieces.empty()) co_return std::size_t{0};
  auto& piece = body_->pieces.front();
  const auto count = piece.copy(buffer.data(), buffer.size());
  piece.erase(0, count);
  if (piece.empty()) body_->pieces.pop_front();
  co_return count;
}

}  // namespace keelson::testing
