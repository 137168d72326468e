#include "keelson/detail/zpages/endpoint.hpp"

#include <algorithm>
#include <array>
#include <memory>

#include "keelson/detail/base/parse_number.hpp"
#include "keelson/detail/base/text.hpp"

namespace keelson::zpages {
namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

constexpr auto kFresh = 1s;
constexpr int kLongestRefresh = 3600;
constexpr int kBestQuality = 1000;

struct Type {
  Format format;
  std::string_view type;
  std::string_view subtype;
  std::string_view header;
};
// In the order of preference among equals.
constexpr std::array kTypes{Type{Format::kText, "text", "plain", "text/plain; charset=utf-8"},
                            Type{Format::kHtml, "text", "html", "text/html; charset=utf-8"},
                            Type{Format::kJson, "application", "json", "application/json"}};

const Type& type_of(Format format) {
  return *std::ranges::find_if(kTypes, [format](const Type& type) { return type.format == format; });
}

std::string_view take_part(std::string_view& text, char separator) {
  const auto end = std::min(text.find(separator), text.size());
  const auto part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return base::trim(part);
}

// A media range of the header: "text/*;q=0.5".
struct Range {
  std::string type;
  std::string subtype;
  int quality = kBestQuality;

  // The more specific range decides: 3 for the type itself, 2 for type/*, 1 for */*, 0 if it does not match.
  [[nodiscard]] int matches(const Type& offered) const {
    if (type == "*" && subtype == "*") return 1;
    if (type != offered.type) return 0;
    if (subtype == "*") return 2;
    return subtype == offered.subtype ? 3 : 0;
  }
};

// In thousandths: "1", "0.5", "0.123"; 0 for anything else.
int quality_of(std::string_view text) {
  const auto whole = take_part(text, '.');
  if (whole == "1") return kBestQuality;
  if (whole != "0" || text.size() > 3) return 0;
  int quality = 0;
  for (std::size_t digit = 0; digit < 3; ++digit) {
    if (digit < text.size() && !base::is_digit(text[digit])) return 0;
    quality = quality * 10 + (digit < text.size() ? text[digit] - '0' : 0);
  }
  return quality;
}

Range parse_range(std::string_view text) {
  auto media = take_part(text, ';');
  Range range;
  range.type = base::to_lower(take_part(media, '/'));
  range.subtype = base::to_lower(media);
  while (!text.empty()) {
    auto parameter = take_part(text, ';');
    const auto name = take_part(parameter, '=');
    if (name == "q" || name == "Q") range.quality = quality_of(parameter);
  }
  return range;
}

// The value of ?refresh=5; empty if it is absent or invalid.
std::string refresh_of(std::string_view target) {
  auto query = target.substr(std::min(target.find('?'), target.size()));
  if (!query.empty()) query.remove_prefix(1);
  while (!query.empty()) {
    auto parameter = take_part(query, '&');
    if (take_part(parameter, '=') != "refresh") continue;
    const auto seconds = base::parse_number<int>(parameter).value_or(0);
    return seconds >= 1 && seconds <= kLongestRefresh ? std::to_string(seconds) : std::string();
  }
  return {};
}

struct Rendered {
  std::string text;
  async::TimePoint at{};
  bool is_rendered = false;
};

struct PageServer {
  PageServer(async::Clock& c, std::function<std::string(Format)> r) : clock(c), render(std::move(r)) {}

  [[nodiscard]] const std::string& text(Format format) {
    auto& cached = rendered.at(static_cast<std::size_t>(format));
    const auto now = clock.now();
    if (cached.is_rendered && now - cached.at < kFresh) return cached.text;
    cached = {render(format), now, true};
    return cached.text;
  }

  async::Clock& clock;
  std::function<std::string(Format)> render;
  std::array<Rendered, kTypes.size()> rendered;
};

net::Response answer(PageServer& page, const net::Request& request) {
  if (request.method != "GET" && request.method != "HEAD") {
    auto response = net::text_response(405, "405 method not allowed: use GET\n");
    response.headers.emplace_back("Allow", "GET, HEAD");
    return response;
  }
  const auto format = choose_format(net::header(request.headers, "Accept"));
  if (!format) return net::text_response(406, "406 not acceptable: use text/plain, text/html or application/json\n");
  net::Response response;
  response.status = 200;
  response.headers = {{"Content-Type", std::string(type_of(*format).header)},
                      {"X-Content-Type-Options", "nosniff"},
                      {"Cache-Control", "no-store"},
                      {"Vary", "Accept"}};
  if (*format == Format::kHtml) {
    // The page contains names and errors that users of the cluster write: nothing in it may run, load or be framed.
    response.headers.emplace_back("Content-Security-Policy",
                                  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
                                  "frame-ancestors 'none'");
    response.headers.emplace_back("Referrer-Policy", "no-referrer");
    if (auto seconds = refresh_of(request.target); !seconds.empty()) {
      response.headers.emplace_back("Refresh", std::move(seconds));
    }
  }
  response.body = page.text(*format);
  return response;
}

asio::awaitable<net::ServerReply> serve_page(std::shared_ptr<PageServer> page, net::Request request) {
  net::ServerReply reply;
  reply.response = answer(*page, request);
  co_return reply;
}

}  // namespace

std::optional<Format> choose_format(std::string_view accept) {
  accept = base::trim(accept);
  if (accept.empty() || accept.size() > limits::kAcceptBytes) return Format::kText;
  std::array<int, kTypes.size()> specific{};
  std::array<int, kTypes.size()> quality{};
  while (!accept.empty()) {
    const auto range = parse_range(take_part(accept, ','));
    for (std::size_t i = 0; i < kTypes.size(); ++i) {
      const auto matches = range.matches(kTypes.at(i));
      if (matches <= specific.at(i)) continue;
      specific.at(i) = matches;
      quality.at(i) = range.quality;
    }
  }
  const auto best = std::ranges::max_element(quality);
  if (*best <= 0) return std::nullopt;
  return kTypes.at(static_cast<std::size_t>(best - quality.begin())).format;
}

net::Handler make_page_handler(async::Clock& clock, std::function<std::string(Format)> render) {
  // Shared, because a std::function can be copied; all copies use the same rendered texts.
  auto page = std::make_shared<PageServer>(clock, std::move(render));
  return [page](net::Request request) { return serve_page(page, std::move(request)); };
}

}  // namespace keelson::zpages
