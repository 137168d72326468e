#include "src/net/connection_pool.hpp"

#include "keelson/base/limits.hpp"

namespace keelson::net {
namespace asio = boost::asio;

asio::awaitable<Result<ConnectionPool::Lease>> ConnectionPool::acquire(Choice choice) {
  if (in_use_ < limits::kConnections) {
    ++in_use_;
  } else {
    if (freed_.waiters() >= limits::kWaitingRequests) co_return transport("too many requests wait for a connection");
    co_await freed_.wait();  // end_use hands its place over: in_use_ stays as it is
  }
  Lease lease(*this, generation_);
  if (choice == Choice::kIdleOrNew) lease.connection_ = take_idle();
  lease.reused_ = lease.connection_ != nullptr;
  if (lease.reused_) co_return std::move(lease);
  auto opened = co_await dialer_.open();
  if (!opened) co_return std::move(opened).error();
  lease.connection_ = std::move(*opened);
  co_return std::move(lease);
}

void ConnectionPool::close_idle() {
  ++generation_;
  idle_.clear();
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
    // A peer that has closed it, or said something unasked, is found out before a byte is written.
    if (connection->is_silent()) return connection;
  }
  return nullptr;
}

void ConnectionPool::put_idle(std::unique_ptr<Connection> connection, std::uint64_t generation) {
  close_expired();
  bool usable = generation == generation_ && connection->unread().empty();
  if (!usable || idle_.size() >= limits::kIdleConnections) return;
  connection->rest();
  idle_.push_back({std::move(connection), clock_.now()});
}

void ConnectionPool::end_use() {
  if (!freed_.notify_one()) --in_use_;
}

ConnectionPool::Lease::Lease(Lease&& other) noexcept
    : pool_(std::exchange(other.pool_, nullptr)),
      generation_(other.generation_),
      connection_(std::move(other.connection_)),
      reused_(other.reused_) {}

ConnectionPool::Lease::~Lease() {
  connection_.reset();
  if (pool_ != nullptr) pool_->end_use();
}

void ConnectionPool::Lease::give_back() {
  auto* pool = std::exchange(pool_, nullptr);
  pool->put_idle(std::move(connection_), generation_);
  pool->end_use();
}

}  // namespace keelson::net
