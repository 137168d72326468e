#include "src/doctor/api_server.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>

namespace keelson::doctor {

using boost::asio::awaitable;

namespace {

constexpr int kOldestMinor = 29;
constexpr int kNewestMinor = 36;
// A header has whole seconds, and the request takes its time.
constexpr std::chrono::seconds kTolerance{5};

std::optional<int> number_in(std::string_view text) {
  int number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc() || end == text.data()) return std::nullopt;
  return number;
}

void check_version(json::View version, Findings& findings) {
  const auto major = text_at(version, {"major"});
  // "29+" at some providers.
  const auto minor = number_in(text_at(version, {"minor"}));
  const bool is_supported = major == "1" && minor && *minor >= kOldestMinor && *minor <= kNewestMinor;
  if (!is_supported) findings.add("version-unsupported", "", "Kubernetes " + text_at(version, {"gitVersion"}));
}

void check_clock(const StreamedReply& answer, async::WallTime now, Findings& findings) {
  const auto date = parse_http_date(answer.date);
  if (!date) return;
  const auto skew = std::chrono::round<std::chrono::seconds>(*date - now);
  if (std::chrono::abs(skew) <= kTolerance) return;
  findings.add("clock-skew", "",
               "the API server's is " + std::to_string(std::chrono::abs(skew).count()) + " s " +
                   (skew.count() > 0 ? "ahead" : "behind"));
}

}  // namespace

awaitable<void> examine_api_server(Reader& reader, async::Clock& clock, bool& is_usable, Findings& findings) {
  kube::ApiRequest version;
  version.raw_path = "/version";
  StreamedReply answer;
  co_await reader.stream(std::move(version), nullptr, answer);
  if (const auto date = parse_http_date(answer.date)) reader.set_server_time(*date);
  is_usable = check_server(answer, clock.wall_now(), findings);
}

std::optional<async::WallTime> parse_http_date(std::string_view text) {
  constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                        "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  if (text.size() != 29 || !text.ends_with(" GMT")) return std::nullopt;
  const auto month = std::ranges::find(kMonths, text.substr(8, 3));
  const auto day = number_in(text.substr(5, 2));
  const auto year = number_in(text.substr(12, 4));
  const auto hour = number_in(text.substr(17, 2));
  const auto minute = number_in(text.substr(20, 2));
  const auto second = number_in(text.substr(23, 2));
  if (month == kMonths.end() || !day || !year || !hour || !minute || !second) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(*year),
                                         std::chrono::month(static_cast<unsigned>(month - kMonths.begin()) + 1),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok()) return std::nullopt;
  return async::WallTime(std::chrono::sys_days(date)) + std::chrono::hours(*hour) + std::chrono::minutes(*minute) +
         std::chrono::seconds(*second);
}

bool check_server(const StreamedReply& answer, async::WallTime now, Findings& findings) {
  const auto document = !answer.opened        ? Reading(answer.opened.error())
                        : !answer.is_complete ? Reading(timeout_error("the reply did not end in time"))
                                              : json::Document::parse(answer.body);
  if (!document) {
    const auto& error = document.error();
    const bool is_rejected = error.kind == Error::Kind::kStatus && error.code == 401;
    const bool is_answered = error.kind == Error::Kind::kStatus || error.kind == Error::Kind::kMalformed;
    // /version may be closed to this user; the API server answers.
    if (kube::is_forbidden(error)) {
      findings.add_unreadable(Area::kApiServer, error);
      return true;
    }
    findings.add(is_rejected   ? "credentials-rejected"
                 : is_answered ? "check-failed"
                               : "api-server-unreachable",
                 "", error.message());
    return false;
  }
  const auto version = document->root();
  check_version(version, findings);
  check_clock(answer, now, findings);
  findings.summarize(Area::kApiServer, "Kubernetes " + text_at(version, {"gitVersion"}));
  return true;
}

}  // namespace keelson::doctor
