// A lease in memory, and a lock on it for each candidate, whose requests fail as a test says.
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "keelson/base/task.hpp"
#include "keelson/detail/async/notify.hpp"
#include "keelson/detail/leader/lock.hpp"
#include "test/support/status_error.hpp"

namespace keelson::testing {

struct StoredLease {
  // A write by another client; nullopt for a deletion.
  void set(std::optional<leader::Record> value) {
    record = std::move(value);
    ++version;
    changed.notify_all();
  }
  [[nodiscard]] leader::Lease lease() const {
    auto json =
        R"({"metadata":{"name":"lease","namespace":"ns","resourceVersion":")" + std::to_string(version) + "\"}}";
    return {*record, *kube::Object::from_json(json)};
  }

  std::optional<leader::Record> record;
  std::uint64_t version = 1;
  async::Notify changed;
};

enum class Fate {
  kProceeds,
  kLost,       // not executed; the result is kTransport
  kReplyLost,  // executed; the result is kTransport
  kHangs,      // no reply
  kRejected,   // 403
};

class FakeLock final : public leader::Lock {
 public:
  template <class T>
  using Answer = Task<T>;

  FakeLock(async::Clock& clock, StoredLease& stored) : clock_(clock), stored_(stored) {}

  std::string describe() const override { return "ns/lease"; }
  Answer<std::optional<leader::Lease>> get() override {
    auto stopped = co_await pass("get");
    if (stopped) co_return std::move(*stopped);
    co_return stored_.record ? std::optional(stored_.lease()) : std::nullopt;
  }
  Answer<leader::Lease> create(leader::Record record) override { return write("create", std::nullopt, record); }
  Answer<leader::Lease> update(leader::Lease before, leader::Record record) override {
    return write("update", before.object.resource_version(), record);
  }
  Answer<void> watch(Observer callback) override {
    ++watches;
    auto stopped = co_await pass("watch");
    if (stopped) co_return std::move(*stopped);
    for (std::uint64_t told = 0;;) {
      if (watch_ends) co_return Result<void>();
      if (told != stored_.version && !is_deaf) {
        told = stored_.version;
        callback(stored_.record);
      }
      co_await stored_.changed.wait();
    }
  }
  Answer<void> record_event(leader::Lease, std::string message) override {
    events.push_back(std::move(message));
    co_return Result<void>();
  }

  // Called for each request except Events: "get", "create", "update", "watch". Empty: all requests succeed.
  std::function<Fate(const std::string& what)> decide;
  std::vector<std::string> calls;
  std::vector<std::string> events;
  async::Duration latency{0};
  int watches = 0;
  bool watch_ends = false;
  bool is_deaf = false;  // the watch reports nothing more

 private:
  [[nodiscard]] boost::asio::awaitable<std::optional<Error>> pass(std::string what) {
    if (latency > async::Duration{0}) co_await async::sleep_for(clock_, latency);
    calls.push_back(what);
    last_ = decide ? decide(what) : Fate::kProceeds;
    if (last_ == Fate::kHangs) co_await async::sleep_for(clock_, std::chrono::hours(1000));
    if (last_ == Fate::kLost) co_return transport_error("connection reset by peer");
    if (last_ == Fate::kRejected) co_return status_error(403, "Forbidden");
    co_return std::nullopt;
  }
  Answer<leader::Lease> write(std::string what, std::optional<std::uint64_t> version, leader::Record record) {
    auto stopped = co_await pass(what);
    if (stopped) co_return std::move(*stopped);
    bool reply_lost = last_ == Fate::kReplyLost;
    if (!version && stored_.record) co_return status_error(409, "AlreadyExists");
    if (version && !stored_.record) co_return status_error(404, "NotFound");
    if (version && *version != stored_.version) co_return status_error(409, "Conflict");
    stored_.set(std::move(record));
    if (reply_lost) co_return transport_error("connection reset by peer");
    co_return stored_.lease();
  }

  async::Clock& clock_;
  StoredLease& stored_;
  Fate last_ = Fate::kProceeds;
};

}  // namespace keelson::testing
