// Two connected sockets without a network: data from one side is available to the other immediately, so that a run
// depends only on its input. The server's end is a socket as from accept(), the client's end a descriptor.
#pragma once

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <boost/asio/ip/tcp.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "keelson/detail/base/assert.hpp"

namespace keelson::fuzz {

class SocketPair {
 public:
  explicit SocketPair(const boost::asio::any_io_executor& executor) : server_(executor) {
    std::array<int, 2> ends{};
    KEELSON_ASSERT(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) == 0);
    client_ = ends[0];
    server_.assign(boost::asio::ip::tcp::v4(), ends[1]);
  }
  SocketPair(const SocketPair&) = delete;
  SocketPair& operator=(const SocketPair&) = delete;
  ~SocketPair() { close(); }

  [[nodiscard]] boost::asio::ip::tcp::socket take_server() { return std::move(server_); }

  // False if the server has closed the connection, or does not read and the socket is full.
  bool write(std::string_view bytes) const {
    return ::send(client_, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL) ==
           static_cast<ssize_t>(bytes.size());
  }
  // All received data.
  [[nodiscard]] std::string read() const {
    std::string text;
    std::array<char, 16384> buffer{};
    for (;;) {
      auto got = ::recv(client_, buffer.data(), buffer.size(), MSG_DONTWAIT);
      if (got <= 0) return text;
      text.append(buffer.data(), static_cast<std::size_t>(got));
    }
  }
  void stop_writing() const { ::shutdown(client_, SHUT_WR); }
  void close() {
    if (client_ >= 0) ::close(std::exchange(client_, -1));
  }

 private:
  boost::asio::ip::tcp::socket server_;
  int client_ = -1;
};

}  // namespace keelson::fuzz
