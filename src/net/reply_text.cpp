#include "src/net/reply_text.hpp"

#include <array>
#include <charconv>
#include <ctime>
#include <utility>

#include "keelson/detail/base/assert.hpp"
#include "src/net/text.hpp"

namespace keelson::net {

namespace {

bool is_ours_in_replies(std::string_view name) {
  return equal_ignoring_case(name, "Content-Length") || equal_ignoring_case(name, "Connection") ||
         equal_ignoring_case(name, "Transfer-Encoding") || equal_ignoring_case(name, "Date");
}

// The date format of RFC 9110, independent of the locale.
std::string http_date(async::WallTime now) {
  constexpr std::array kDays = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  constexpr std::array kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now.time_since_epoch()).count();
  std::time_t time = seconds;
  std::tm parts{};
  ::gmtime_r(&time, &parts);
  std::array<char, 64> text{};
  auto length = std::snprintf(text.data(), text.size(), "%s, %02d %s %04d %02d:%02d:%02d GMT",
                              kDays[static_cast<std::size_t>(parts.tm_wday)], parts.tm_mday,
                              kMonths[static_cast<std::size_t>(parts.tm_mon)], parts.tm_year + 1900, parts.tm_hour,
                              parts.tm_min, parts.tm_sec);
  return {text.data(), static_cast<std::size_t>(length)};
}

}  // namespace

std::string_view reason_phrase(int status) {
  static constexpr auto kPhrases = std::to_array<std::pair<int, std::string_view>>({
      {100, "Continue"},
      {101, "Switching Protocols"},
      {200, "OK"},
      {201, "Created"},
      {202, "Accepted"},
      {204, "No Content"},
      {301, "Moved Permanently"},
      {302, "Found"},
      {304, "Not Modified"},
      {307, "Temporary Redirect"},
      {308, "Permanent Redirect"},
      {400, "Bad Request"},
      {401, "Unauthorized"},
      {403, "Forbidden"},
      {404, "Not Found"},
      {405, "Method Not Allowed"},
      {406, "Not Acceptable"},
      {408, "Request Timeout"},
      {409, "Conflict"},
      {410, "Gone"},
      {413, "Request Entity Too Large"},
      {415, "Unsupported Media Type"},
      {417, "Expectation Failed"},
      {422, "Unprocessable Entity"},
      {429, "Too Many Requests"},
      {431, "Request Header Fields Too Large"},
      {500, "Internal Server Error"},
      {501, "Not Implemented"},
      {502, "Bad Gateway"},
      {503, "Service Unavailable"},
      {504, "Gateway Timeout"},
  });
  for (const auto& [code, phrase] : kPhrases) {
    if (code == status) return phrase;
  }
  return {};
}

std::string reply_head(const Response& response, ReplyFrame frame, async::WallTime now) {
  auto status = std::to_string(response.status);
  std::string head = "HTTP/1.1 " + status + " " + std::string(reason_phrase(response.status)) + "\r\n";
  for (const auto& [name, value] : response.headers) {
    if (is_ours_in_replies(name) || !is_token(name) || !is_header_value(value)) continue;
    head += name + ": " + value + "\r\n";
  }
  if (frame.framing == Framing::kFrames) return head + "Connection: Upgrade\r\n\r\n";
  head += "Date: " + http_date(now) + "\r\n";
  if (frame.framing == Framing::kLength) head += "Content-Length: " + std::to_string(response.body.size()) + "\r\n";
  if (frame.framing == Framing::kChunks) head += "Transfer-Encoding: chunked\r\n";
  if (frame.after == After::kClose) {
    head += "Connection: close\r\n";
  } else if (frame.is_http_1_0) {
    head += "Connection: keep-alive\r\n";
  }
  head += "\r\n";
  return head;
}

std::string chunk(std::string_view piece) {
  KEELSON_ASSERT(!piece.empty());
  std::array<char, 16> size{};
  auto end = std::to_chars(size.data(), size.data() + size.size(), piece.size(), 16).ptr;
  std::string text(size.data(), end);
  text.reserve(text.size() + piece.size() + 4);
  text += "\r\n";
  text += piece;
  text += "\r\n";
  return text;
}

bool has_no_body(int status) { return status / 100 == 1 || status == 204 || status == 304; }

}  // namespace keelson::net
