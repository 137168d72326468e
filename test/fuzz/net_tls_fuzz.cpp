// Records of a TLS 1.3 client, as the input describes them, against a server's TlsStream, also within another stream.
// The stream delivers a prefix of the data that was sent, all of it unless a record was invalid, and a flood of records
// without data fails it. Each input ends: the stream neither crashes nor hangs.
//
// The first byte chooses how both sides behave, the second how much the server reads at a time and into which pieces
// the handshake is cut. The rest is commands of one byte each, some with arguments behind them; or, without a
// handshake, raw bytes.
#include <algorithm>
#include <array>
#include <boost/asio/error.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/error.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/async/task_group.hpp"
#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/tls/context.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"
#include "src/net/tls_stream.hpp"
#include "test/fuzz/socket_pair.hpp"
#include "test/fuzz/tls_peer.hpp"
#include "test/support/certificates.hpp"

namespace {

using namespace keelson;
using namespace std::chrono_literals;
namespace asio = boost::asio;
using net::TlsStream;

struct Setting {
  Setting(std::uint8_t flags, std::uint8_t sizes)
      : is_within_tls((flags & 1) != 0),
        time_passes((flags & 2) != 0),
        rests((flags & 4) != 0),
        echoes((flags & 8) != 0),
        is_raw((flags & 16) != 0),
        read_bytes(std::array<std::size_t, 4>{4096, 7, 64, 500}.at(sizes & 3U)),
        cut_bytes(sizes >> 2U & 15U) {}

  bool is_within_tls;
  bool time_passes;  // whenever the stream reads the clock, so that it yields
  bool rests;        // between two reads
  bool echoes;
  bool is_raw;  // the client sends the input as it is, instead of a handshake
  std::size_t read_bytes;
  std::size_t cut_bytes;  // of the handshake, 16 at a time: 0 all at once
};

// The limits of src/net/tls_stream.cpp: a KeyUpdate counts twice, a record with data once, and each read of data makes
// up for one and for one more with each 32 bytes.
constexpr std::size_t kWithoutData = 2 * 16 + 1;
constexpr std::size_t kDataBytes = 32;
constexpr std::size_t kRecordBytes = 22;  // header, type and tag
// An input takes milliseconds.
constexpr int kMostRecords = 150;
constexpr std::size_t kManyBytes = 3000;  // in one record, as in a list

class TickingClock final : public async::Clock {
 public:
  explicit TickingClock(async::Clock& clock, bool passes) : clock_(clock), tick_(passes ? 100us : 0us) {}
  [[nodiscard]] async::TimePoint now() const override { return clock_.now() + tick_ * ++looks_; }
  [[nodiscard]] async::WallTime wall_now() const override { return clock_.wall_now(); }
  [[nodiscard]] std::unique_ptr<async::Timer> call_at(async::TimePoint when, std::function<void()> call) override {
    return clock_.call_at(when, std::move(call));
  }
  [[nodiscard]] std::unique_ptr<async::Timer> on_wall_set(std::function<void()> call) override {
    return clock_.on_wall_set(std::move(call));
  }

 private:
  async::Clock& clock_;
  async::Duration tick_;
  mutable int looks_ = 0;
};

asio::ssl::context& server_context() {
  static const auto context = [] {
    const testing::Authority authority;
    const auto pair = authority.issue_for_loopback();
    return tls::make_server_context({pair.certificate_pem, pair.key_pem, ""}).value();
  }();
  return *context;
}

// The server's side.
struct Server {
  bool is_open = false;
  bool has_ended = false;
  std::string delivered;
  std::string echoed;
  std::string failure;
  bool has_clean_end = false;
};

asio::awaitable<void> serve(TlsStream& stream, const Setting& setting, Server& server) {
  std::string buffer(setting.read_bytes, '\0');
  while (server.failure.empty()) {
    if (setting.rests) stream.rest();
    auto got = co_await stream.read_some(buffer);
    if (got.failed) {
      server.failure = tls::describe_tls_failure(got.failed);
      server.has_clean_end = got.failed == asio::error::eof || got.failed == asio::ssl::error::stream_truncated;
      break;
    }
    KEELSON_ASSERT(got.bytes > 0);
    server.delivered.append(buffer, 0, got.bytes);
    if (!setting.echoes) continue;
    auto put = co_await stream.write_some(std::span<const char>(buffer).first(got.bytes));
    if (put.failed) server.failure = tls::describe_tls_failure(put.failed);
    server.echoed.append(buffer, 0, put.bytes);
  }
}

asio::awaitable<void> run_server(asio::ip::tcp::socket socket, async::Clock& clock, const Setting& setting,
                                 Server& server) {
  {
    TlsStream stream(clock, std::move(socket), server_context());
    auto shaken = co_await stream.handshake(TlsStream::Side::kServer);
    if (shaken.failed) server.failure = tls::describe_tls_failure(shaken.failed);
    std::optional<TlsStream> within;
    if (server.failure.empty() && setting.is_within_tls) {
      within.emplace(stream, server_context());
      shaken = co_await within->handshake(TlsStream::Side::kServer);
      if (shaken.failed) server.failure = tls::describe_tls_failure(shaken.failed);
    }
    server.is_open = server.failure.empty();
    if (server.is_open) co_await serve(within ? *within : stream, setting, server);
  }
  server.has_ended = true;
}

// What the stream must have delivered.
class Model {
 public:
  Model(std::size_t levels, std::size_t read_bytes) : read_bytes_(read_bytes), without_data_(levels) {}

  void send_data(std::string_view data) {
    count(without_data_.size() - 1, 1, data.size());
    sent_ += data;
  }
  void send_without_data(std::size_t level, std::size_t weight, std::size_t bytes) {
    count(level, weight, 0);
    if (level > 0) count(level - 1, 1, bytes + kRecordBytes);
  }
  // The stream may fail at any time from now on.
  void break_rules() { is_exact_ = false; }
  // The stream fails, and delivers nothing that is sent later.
  void end() {
    break_rules();
    most_ = std::min(most_, sent_.size());
  }

  void check(const Server& server) const {
    KEELSON_ASSERT(server.delivered.size() <= std::min(most_, sent_.size()));
    KEELSON_ASSERT(sent_.starts_with(server.delivered));
    if (!is_exact_) return;
    KEELSON_ASSERT(server.delivered.size() == std::min(most_, sent_.size()));
    // It fails with our error, or with OpenSSL's own for more than 32 empty records.
    if (is_flooded_) KEELSON_ASSERT(!server.has_clean_end);
  }

 private:
  // Records and messages for which no data made up. The stream within reads the one below into OpenSSL's buffer, in
  // pieces of unknown size: there are at least and at most so many.
  struct Count {
    std::size_t least = 0;
    std::size_t most = 0;
  };

  // A record of one level, which is data of the level below.
  void count(std::size_t level, std::size_t weight, std::size_t data_bytes) {
    auto& counted = without_data_.at(level);
    counted.least += weight;
    counted.most += weight;
    if (counted.least > kWithoutData && is_exact_ && !is_flooded_) {
      is_flooded_ = true;
      most_ = std::min(most_, sent_.size());
    }
    if (counted.most > kWithoutData && !is_flooded_) is_exact_ = false;
    if (data_bytes == 0) return;
    const bool is_top = level + 1 == without_data_.size();
    counted.least -= std::min(counted.least, is_top ? made_up_by_reads(data_bytes) : data_bytes);
    counted.most -= std::min(counted.most, is_top ? made_up_by_reads(data_bytes) : made_up(data_bytes));
    if (is_top && level > 0) count(level - 1, 1, data_bytes + kRecordBytes);
  }
  static std::size_t made_up(std::size_t bytes) { return bytes == 0 ? 0 : 1 + bytes / kDataBytes; }
  [[nodiscard]] std::size_t made_up_by_reads(std::size_t bytes) const {
    return bytes / read_bytes_ * made_up(read_bytes_) + made_up(bytes % read_bytes_);
  }

  std::string sent_;
  std::size_t read_bytes_;
  std::vector<Count> without_data_;  // of each level
  bool is_exact_ = true;
  bool is_flooded_ = false;
  std::size_t most_ = std::string::npos;
};

// The client's side; a level is a TLS connection within the one of the level before.
class Client {
 public:
  Client(sandbox::loop::TestLoop& loop, fuzz::SocketPair& pair, const Setting& setting)
      : loop_(loop), pair_(pair), setting_(setting), model_(levels(), setting.read_bytes) {}

  asio::awaitable<void> send_raw(std::string_view input) {
    pending_ = input;
    co_await flush_cut();
  }

  // False when the server does not complete the handshake.
  asio::awaitable<bool> open() {
    for (std::size_t level = 0; level < levels(); ++level) {
      peers_.push_back(std::make_unique<fuzz::TlsPeer>());
      bool is_done = false;
      for (int flights = 0; !is_done; ++flights) {
        if (flights == 4) co_return false;
        is_done = peers_.back()->shake();
        send_bytes(level, peers_.back()->give());
        co_await flush_cut();
        receive();
      }
    }
    co_return true;
  }

  asio::awaitable<void> follow(std::string_view commands) {
    std::size_t level = levels() - 1;
    while (!commands.empty() && records_ < kMostRecords) {
      const auto command = static_cast<unsigned char>(commands.front());
      const auto argument = command & 31U;
      commands.remove_prefix(1);
      const auto take = [&commands](std::size_t bytes) {
        const auto taken = commands.substr(0, bytes);
        commands.remove_prefix(taken.size());
        return taken;
      };
      switch (command >> 5U) {
        case 0:
          send_data(argument == 31 ? kManyBytes : argument + 1);
          break;
        case 1:
          for (std::size_t i = 0; i <= argument; ++i) update_keys(level, '\0');
          break;
        case 2:
          for (std::size_t i = 0; i <= argument; ++i) update_keys(level, '\1');
          break;
        case 3:
          for (std::size_t i = 0; i <= argument; ++i) {
            model_.send_without_data(level, 1, 0);
            send(level, fuzz::kData, "");
          }
          break;
        case 4:
          co_await flush(argument == 0 ? pending_.size() : argument);
          receive();
          break;
        case 5:
          model_.break_rules();
          send_bytes(level, take(argument + 1));
          break;
        case 6: {
          const auto type = take(1);
          if (!type.empty()) send_record(level, static_cast<unsigned char>(type[0]), take(argument));
          break;
        }
        case 7:
          level = argument % levels();
          break;
      }
    }
    co_await flush(pending_.size());
  }

  asio::awaitable<void> finish(const Server& server) {
    pair_.stop_writing();
    for (int waits = 0; !server.has_ended; ++waits) {
      KEELSON_ASSERT(waits < 1000);
      co_await async::sleep_for(loop_.clock(), 1ms);
      receive();
    }
    receive();
  }

  void check(const Server& server) const {
    model_.check(server);
    KEELSON_ASSERT(server.echoed.starts_with(received_));
  }

 private:
  [[nodiscard]] std::size_t levels() const { return setting_.is_within_tls ? 2 : 1; }

  void send_bytes(std::size_t level, std::string_view bytes) {
    if (level == 0) {
      pending_ += bytes;
    } else if (!bytes.empty()) {
      send(level - 1, fuzz::kData, bytes);
    }
  }
  void send(std::size_t level, unsigned char type, std::string_view content) {
    ++records_;
    send_bytes(level, peers_.at(level)->seal(type, content));
  }

  void send_data(std::size_t bytes) {
    std::string data;
    while (data.size() < bytes) data += static_cast<char>('a' + data_++ % 26);
    model_.send_data(data);
    send(levels() - 1, fuzz::kData, data);
    if (bytes == kManyBytes) records_ += 30;
  }
  void update_keys(std::size_t level, char request) {
    const std::string message{'\x18', '\0', '\0', '\1', request};
    model_.send_without_data(level, 2, message.size());
    send(level, fuzz::kHandshake, message);
    peers_.at(level)->use_next_keys();
  }
  // Zeros behind the type are padding, so the type may be the last byte of the content.
  static unsigned char type_of(unsigned char type, std::string_view content) {
    const auto last = content.find_last_not_of('\0');
    return type != 0 || last == std::string_view::npos ? type : static_cast<unsigned char>(content[last]);
  }
  void send_record(std::size_t level, unsigned char type, std::string_view content) {
    constexpr char kUserCanceled = 90;
    // Data has its own commands: the stream delivers it, or it is a record of the level above.
    if (type_of(type, content) == fuzz::kData) return;
    // Every other alert ends a connection of TLS 1.3.
    if (type == fuzz::kAlert && content.size() == 2 && content[1] != kUserCanceled) model_.end();
    model_.break_rules();
    send(level, type, content);
  }

  asio::awaitable<void> flush(std::size_t bytes) {
    pair_.write(std::string_view(pending_).substr(0, bytes));
    pending_.erase(0, bytes);
    // Virtual time advances when there is nothing else to do.
    co_await async::sleep_for(loop_.clock(), 1ms);
  }
  asio::awaitable<void> flush_cut() {
    while (setting_.cut_bytes != 0 && !pending_.empty()) co_await flush(16 * setting_.cut_bytes);
    co_await flush(pending_.size());
  }

  void receive() {
    auto bytes = pair_.read();
    for (auto& peer : peers_) {
      peer->take(bytes);
      // During a handshake shake() reads the received data.
      bytes = peer->is_open() ? peer->read() : std::string();
    }
    received_ += bytes;
  }

  sandbox::loop::TestLoop& loop_;
  fuzz::SocketPair& pair_;
  const Setting& setting_;
  Model model_;
  std::vector<std::unique_ptr<fuzz::TlsPeer>> peers_;
  std::string pending_;
  std::string received_;
  std::size_t data_ = 0;
  int records_ = 0;
};

asio::awaitable<void> converse(Client& client, const Setting& setting, std::string_view input, const Server& server) {
  if (setting.is_raw) {
    co_await client.send_raw(input);
    co_await client.finish(server);
    KEELSON_ASSERT(!server.failure.empty() && !server.is_open);
    co_return;
  }
  auto is_open = co_await client.open();
  KEELSON_ASSERT(is_open);
  co_await client.follow(input);
  co_await client.finish(server);
  KEELSON_ASSERT(server.is_open && !server.failure.empty());
  client.check(server);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const Setting setting(data[0], data[1]);
  const std::string_view input(reinterpret_cast<const char*>(data) + 2, size - 2);
  sandbox::loop::TestLoop loop;
  TickingClock clock(loop.clock(), setting.time_passes);
  fuzz::SocketPair pair(loop.executor());
  Client client(loop, pair, setting);
  Server server;
  async::TaskGroup group(loop.executor());
  loop.run([&]() -> asio::awaitable<void> {
    group.spawn(run_server(pair.take_server(), clock, setting, server));
    co_await converse(client, setting, input, server);
    co_await group.join();
  });
  return 0;
}
