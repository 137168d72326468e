// Requests that two parsers could understand differently, or that need unsupported features.
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "test/unit/net/fixture.hpp"

using namespace keelson;
using namespace keelson::testing;
using namespace std::chrono_literals;

namespace {

struct Row {
  std::string sent;
  std::string status;
};

// The rest of the reply's status line, after reading to the end of the connection.
std::string status_of(const Row& row) {
  NetFixture fixture;
  auto server = fixture.server(echo);
  std::string answer;
  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    server->start();
    auto raw = co_await connect_raw(server->port());
    co_await raw->write(row.sent);
    answer = co_await raw->read_some();
    co_await server->stop(0s);
  });
  return answer.substr(0, answer.find("\r\n")).substr(std::string("HTTP/1.1 ").size());
}

const std::string kGet = "GET / HTTP/1.1\r\n";
const std::string kPost = "POST / HTTP/1.1\r\nHost: a\r\n";
const std::string kChunks = "\r\n1\r\nx\r\n0\r\n\r\n";
constexpr const char* kBad = "400 Bad Request";
constexpr const char* kUnimplemented = "501 Not Implemented";
constexpr const char* kUnexpected = "417 Expectation Failed";
constexpr const char* kFine = "200 OK";

}  // namespace

// The statuses are those of net/http in Go 1.26.8 for the same bytes, except in the rows that say otherwise.
TEST_CASE("ambiguous requests are rejected as Go's server rejects them, or more strictly") {
  const std::vector<Row> rows = {
      {kGet + "Host: a\r\n\r\n", kFine},
      {kGet + "\r\n", kBad},
      {kGet + "Host:\r\n\r\n", kFine},
      {kGet + "Host: a\r\nHost: a\r\n\r\n", kBad},
      {kGet + "Host: a\r\nhost: b\r\n\r\n", kBad},
      {kGet + "Host: a b\r\n\r\n", kBad},
      {kGet + "Host: a/b\r\n\r\n", kBad},
      {kGet + "Host: a@b\r\n\r\n", kBad},
      {kGet + "Host: \xc3\xa9\r\n\r\n", kBad},
      {kGet + "Host: [::1]:80\r\n\r\n", kFine},
      {kGet + "Host : a\r\n\r\n", kBad},
      {"GET / HTTP/1.0\r\n\r\n", kFine},
      {"GET / HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n", kBad},
      {kPost + "Transfer-Encoding: chunked\r\n" + kChunks, kFine},
      {kPost + "Transfer-Encoding: CHUNKED\r\n" + kChunks, kFine},
      {kPost + "Transfer-Encoding: gzip\r\n\r\n", kUnimplemented},
      {kPost + "Transfer-Encoding: gzip, chunked\r\n" + kChunks, kUnimplemented},
      {kPost + "Transfer-Encoding: chunked, chunked\r\n" + kChunks, kUnimplemented},
      {kPost + "Transfer-Encoding: identity\r\n\r\n", kUnimplemented},
      {kPost + "Transfer-Encoding: xchunked\r\n\r\n", kUnimplemented},
      {kPost + "Transfer-Encoding:\r\n\r\n", kUnimplemented},
      // Go: 501.
      {kPost + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n" + kChunks, kBad},
      // Go uses the chunks and ignores the length.
      {kPost + "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n" + kChunks, kBad},
      {kPost + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n" + kChunks, kBad},
      // Go ignores the header.
      {"POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n" + kChunks, kBad},
      {"POST / HTTP/1.0\r\nTransfer-Encoding: gzip\r\n\r\n", kBad},
      {kPost + "Content-Length: 3\r\n\r\nabc", kFine},
      {kPost + "Content-Length: 003\r\n\r\nabc", kFine},
      {kPost + "Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc", kFine},
      {kPost + "Content-Length: 3, 3\r\n\r\nabc", kBad},
      {kPost + "Content-Length: 3\r\nContent-Length: 3, 3\r\n\r\nabc", kBad},
      {kPost + "Content-Length: 3\r\nContent-Length: 4\r\n\r\nabc", kBad},
      {kPost + "Content-Length: +3\r\n\r\nabc", kBad},
      {kPost + "Content-Length: 0x3\r\n\r\nabc", kBad},
      {kPost + "Content-Length: -1\r\n\r\nabc", kBad},
      {kPost + "Content-Length:\r\n\r\nabc", kBad},
      {kPost + "Content-Length: 99999999999999999999\r\n\r\nabc", kBad},
      {kPost + "Expect: 100-Continue\r\nContent-Length: 3\r\n\r\nabc", kFine},
      {kPost + "Expect:\r\nContent-Length: 3\r\n\r\nabc", kFine},
      {kPost + "Expect: 200-ok\r\nContent-Length: 3\r\n\r\nabc", kUnexpected},
      {kGet + "Host: a\r\nExpect: 200-ok\r\n\r\n", kUnexpected},
      {"GET / HTTP/1.0\r\nExpect: x\r\n\r\n", kUnexpected},
      {"GET / HTTP/1.0\r\nExpect: 100-continue\r\n\r\n", kFine},
      {kPost + "Expect: x\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\nabc", kUnexpected},
      // Go finds the known word and ignores the other one.
      {kPost + "Expect: 100-continue, x\r\nContent-Length: 3\r\n\r\nabc", kUnexpected},
  };

  for (const auto& row : rows) {
    INFO(row.sent);
    CHECK(status_of(row) == row.status);
  }
}
