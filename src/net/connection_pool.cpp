#include "src/net/connection_pool.hpp"

#include <string>

#include "keelson/base/try.hpp"
#include "keelson/detail/net/limits.hpp"

namespace keelson::net {

namespace {

// Idle connections that a client retains for reuse, as in client-go (MaxIdleConnsPerHost).
constexpr std::size_t kIdleConnections = 25;

// Requests that wait for a connection; further ones fail immediately.
constexpr std::size_t kWaitingRequests = 4096;

}  // namespace

Task<ConnectionPool::Lease> ConnectionPool::acquire(Use use, Choice choice) {
  KEELSON_CO_TRY(co_await begin_use(use));
  Lease lease(*this, use, generation_);
  auto ends = stream_ends_;
  if (choice == Choice::kIdleOrNew) lease.connection_ = take_idle();
  lease.reused_ = lease.connection_ != nullptr;
  if (!lease.reused_) {
    KEELSON_CO_LET(lease.connection_, co_await dialer_.open());
  }
  bool has_ended = use == Use::kStream && ends != stream_ends_;
  if (has_ended) co_return transport_error("all streams were ended while this one was opening");
  if (use == Use::kStream) streaming_.insert(lease.connection_.get());
  co_return std::move(lease);
}

void ConnectionPool::close_idle() {
  ++generation_;
  idle_.clear();
}

void ConnectionPool::end_streams() {
  ++stream_ends_;
  for (auto* connection : streaming_) connection->stop_reading();
}

void ConnectionPool::close_expired() {
  auto oldest_allowed = clock_.now() - idle_timeout_;
  while (!idle_.empty() && idle_.front().since < oldest_allowed) idle_.pop_front();
}

std::unique_ptr<Connection> ConnectionPool::take_idle() {
  close_expired();
  while (!idle_.empty()) {
    auto connection = std::move(idle_.back().connection);
    idle_.pop_back();
    // Detects a peer that has disconnected or sent unexpected bytes, before a byte is written.
    if (connection->is_silent()) return connection;
  }
  return nullptr;
}

void ConnectionPool::put_idle(std::unique_ptr<Connection> connection, std::uint64_t generation) {
  close_expired();
  bool usable = generation == generation_ && connection->unread().empty();
  if (!usable || idle_.size() >= kIdleConnections) return;
  connection->limit_delivery({});
  connection->rest();
  idle_.push_back({std::move(connection), clock_.now()});
}

Task<void> ConnectionPool::begin_use(Use use) {
  if (use == Use::kStream) {
    if (streams_ >= stream_limit_) {
      co_return transport_error("too many streams: " + std::to_string(stream_limit_) + " are open, which is the limit");
    }
    ++streams_;
  } else if (requests_ < limits::kConnections) {
    ++requests_;
  } else {
    if (freed_.waiters() >= kWaitingRequests) {
      co_return transport_error("too many requests are waiting for a connection");
    }
    co_await freed_.wait();  // end_use passes its place on: requests_ does not change
  }
  co_return Result<void>();
}

void ConnectionPool::end_use(Use use, Connection* connection) {
  if (use == Use::kStream) {
    streaming_.erase(connection);
    --streams_;
  } else if (!freed_.notify_one()) {
    --requests_;
  }
}

ConnectionPool::Lease::Lease(Lease&& other) noexcept
    : pool_(std::exchange(other.pool_, nullptr)),
      use_(other.use_),
      generation_(other.generation_),
      connection_(std::move(other.connection_)),
      reused_(other.reused_) {}

ConnectionPool::Lease::~Lease() {
  if (pool_ != nullptr) pool_->end_use(use_, connection_.get());
}

void ConnectionPool::Lease::give_back() {
  auto* pool = std::exchange(pool_, nullptr);
  auto* connection = connection_.get();
  pool->put_idle(std::move(connection_), generation_);
  pool->end_use(use_, connection);
}

}  // namespace keelson::net
