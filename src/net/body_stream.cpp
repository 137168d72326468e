#include "src/net/body_stream.hpp"

#include <optional>

#include "keelson/detail/base/assert.hpp"
#include "src/net/message_io.hpp"

namespace keelson::net {
namespace asio = boost::asio;

namespace {

class BodyStream final : public Stream {
 public:
  BodyStream(Exchange exchange, std::string what)
      : lease_(std::move(exchange.lease)), parser_(std::move(exchange.parser)), what_(std::move(what)) {
    end_if_done();
  }

  int status() const override { return parser_->response().status; }
  const Headers& headers() const override { return parser_->response().headers; }

  Task<std::size_t> read_some(std::span<char> buffer) override {
    KEELSON_ASSERT(!buffer.empty());
    if (failure_) co_return *failure_;
    if (!lease_) co_return std::size_t{0};
    auto got = co_await read_piece(lease_->connection(), *parser_, buffer);
    if (!got) {
      lease_.reset();
      failure_ = std::move(got).error().with_context(what_);
      co_return *failure_;
    }
    end_if_done();
    co_return got;
  }

  void stop_reading() override {
    if (lease_) lease_->connection().stop_reading();
  }

 private:
  void end_if_done() {
    if (!parser_->done()) return;
    if (parser_->keep_alive()) lease_->give_back();
    lease_.reset();
  }

  std::optional<ConnectionPool::Lease> lease_;  // absent when the body has ended or broken off
  std::unique_ptr<MessageParser> parser_;
  std::string what_;
  std::optional<Error> failure_;
};

}  // namespace

std::unique_ptr<Stream> make_body_stream(Exchange exchange, std::string what) {
  return std::make_unique<BodyStream>(std::move(exchange), std::move(what));
}

}  // namespace keelson::net
