#include "src/sandbox/faults/chaos.hpp"

#include <cmath>
#include <set>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/parse_number.hpp"
#include "keelson/detail/base/text.hpp"

namespace keelson::sandbox {

namespace {

// With a longer delay, clients would time out without any reply of the API server.
constexpr auto kMostLatency = std::chrono::seconds(30);
// With a shorter life, clients would do nothing but connect.
constexpr auto kShortestWatchLife = std::chrono::milliseconds(10);
constexpr auto kLongestWatchLife = std::chrono::hours(24);

Result<void> read_rate(std::string_view text, double& rate) {
  bool is_percent = text.ends_with('%');
  if (is_percent) text.remove_suffix(1);
  const double value = base::parse_number<double>(text).value_or(-1) / (is_percent ? 100 : 1);
  const bool is_in_range = value >= 0 && value <= 1;  // false for NaN
  if (!is_in_range) return invalid_error("give a share of the requests from 0 to 1, for example 0.05 or 5%");
  rate = value;
  return {};
}

Result<void> read_watch_life(const std::string& text, async::Duration& life) {
  auto duration = base::parse_go_duration(text);
  bool is_off = duration && duration->count() == 0;
  bool is_in_range = duration && *duration >= kShortestWatchLife && *duration <= kLongestWatchLife;
  if (!is_off && !is_in_range) {
    return invalid_error("give how long a watch lasts on average, from 10ms to 24h, for example 30s; 0s breaks none");
  }
  life = *duration;
  return {};
}

Result<void> read_latency(const std::string& text, async::Duration& latency) {
  auto duration = base::parse_go_duration(text);
  if (!duration || *duration < async::Duration::zero() || *duration > kMostLatency) {
    return invalid_error("give the longest delay of a request, from 0s to 30s, for example 50ms");
  }
  latency = *duration;
  return {};
}

Result<void> read_part(const std::string& name, const std::string& value, ChaosOptions& options) {
  if (name == "seed") {
    const auto seed = base::parse_number<std::uint64_t>(value);
    if (!seed) return invalid_error("give a number of at most 20 digits");
    options.seed = *seed;
    return {};
  }
  if (name == "409") return read_rate(value, options.conflicts);
  if (name == "429") return read_rate(value, options.too_many_requests);
  if (name == "500") return read_rate(value, options.internal_errors);
  if (name == "drop-watches") return read_watch_life(value, options.watch_life);
  if (name == "latency") return read_latency(value, options.most_latency);
  return invalid_error("give seed, 409, 429, 500, drop-watches or latency");
}

Rejection too_many_requests() {
  auto rejected = rejection(429, "TooManyRequests", "Too many requests, please try again later.");
  rejected.status["details"] = Tree::object({{"retryAfterSeconds", 1}});
  return rejected;
}

Rejection broken_server() {
  const std::string why = "injected by --chaos";
  auto rejected = rejection(500, "InternalError", "Internal error occurred: " + why);
  rejected.status["details"] = Tree::object({{"causes", Tree::array({Tree::object({{"message", why}})})}});
  return rejected;
}

Tree number_of(double value) { return Tree::raw(base::format_go_number(value)); }

}  // namespace

void Chaos::set(const ChaosOptions& options) {
  options_ = options;
  injected_ = {};
  random_.emplace(options.seed);
}

// Every request takes the same number of random numbers, so that a change of one rate does not affect the others.
Chaos::Disturbance Chaos::disturb(const kube::ApiRequest& request) {
  if (!options_.is_on()) return {};
  auto wait = std::chrono::duration<double>(options_.most_latency) * random_->unit();
  auto share = random_->unit();
  return {std::chrono::duration_cast<async::Duration>(wait), failure_at(share, request)};
}

std::optional<Rejection> Chaos::failure_at(double share, const kube::ApiRequest& request) {
  share -= options_.too_many_requests;
  if (share < 0) {
    ++injected_.too_many_requests;
    return too_many_requests();
  }
  share -= options_.internal_errors;
  if (share < 0) {
    ++injected_.internal_errors;
    return broken_server();
  }
  share -= options_.conflicts;
  bool may_conflict = request.verb == kube::Verb::kUpdate || request.verb == kube::Verb::kPatch;
  if (share >= 0 || !may_conflict || request.resource.plural.empty()) return std::nullopt;
  ++injected_.conflicts;
  return outdated(request.resource, request.key.name);
}

std::optional<async::Duration> Chaos::next_watch_life() {
  if (options_.watch_life.count() == 0) return std::nullopt;
  // Exponentially distributed: a watch is as likely to break whether it is old or new.
  auto life = std::chrono::duration<double>(options_.watch_life) * -std::log(1 - random_->unit());
  return std::chrono::duration_cast<async::Duration>(life);
}

Result<ChaosOptions> parse_chaos(std::string_view text) {
  ChaosOptions options;
  std::set<std::string> seen;
  while (!text.empty()) {
    auto part = text.substr(0, text.find(','));
    text.remove_prefix(std::min(part.size() + 1, text.size()));
    auto equals = part.find('=');
    auto name = std::string(base::trim(part.substr(0, equals)));
    if (equals == std::string_view::npos) return invalid_error(base::quote_go(part) + ": write NAME=VALUE");
    auto value = std::string(base::trim(part.substr(equals + 1)));
    auto read = read_part(name, value, options);
    if (!read) return invalid_error(base::quote_go(part) + ": " + read.error().text);
    if (!seen.insert(name).second) return invalid_error(base::quote_go(name) + " is given twice");
  }
  if (options.conflicts + options.too_many_requests + options.internal_errors > 1) {
    return invalid_error("the sum of 409, 429 and 500 is more than 1: give shares whose sum is at most 1");
  }
  return options;
}

Tree chaos_tree(const ChaosOptions& options) {
  return Tree::object({{"seed", Tree::raw(std::to_string(options.seed))},
                       {"409", number_of(options.conflicts)},
                       {"429", number_of(options.too_many_requests)},
                       {"500", number_of(options.internal_errors)},
                       {"drop-watches", base::format_go_duration(options.watch_life)},
                       {"latency", base::format_go_duration(options.most_latency)}});
}

Result<ChaosOptions> read_chaos(const std::string& body) {
  auto text = base::trim(body);
  if (!text.starts_with('{')) return parse_chaos(text);
  KEELSON_LET(auto tree, Tree::parse(body));
  std::string parts;
  for (const auto& [name, value] : tree.members()) {
    if (name == "injected") continue;  // GET shows it in addition to the settings
    bool is_plain = value.is_string() || value.type() == Tree::Type::kNumber;
    if (!is_plain) return invalid_error(base::quote_go(name) + ": give a number or a text");
    parts += (parts.empty() ? "" : ",") + name + "=" + value.scalar();
  }
  return parse_chaos(parts);
}

}  // namespace keelson::sandbox
