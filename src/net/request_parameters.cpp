#include "keelson/detail/net/request_parameters.hpp"

#include <algorithm>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/percent_encoding.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/base/utf8.hpp"

namespace keelson::net {

namespace {

// What a request changes for a time is forgotten by its user after a month.
constexpr async::Duration kLongestTime = std::chrono::hours(24 * 31);

std::string listed(const std::vector<std::string_view>& names) {
  return base::join(std::vector<std::string>(names.begin(), names.end()), ", ");
}

std::optional<std::string> decoded(std::string_view text) {
  std::string spaced(text);
  std::ranges::replace(spaced, '+', ' ');
  auto value = base::percent_decode(spaced);
  if (!value || base::to_valid_utf8(*value) != *value) return std::nullopt;
  return value;
}

Result<void> add_parameters(Parameters& out, std::string_view form, const std::vector<std::string_view>& known) {
  while (!form.empty()) {
    const auto one = form.substr(0, form.find('&'));
    form.remove_prefix(std::min(form.size(), one.size() + 1));
    if (one.empty()) continue;
    const auto equals = std::min(one.find('='), one.size());
    const auto name = one.substr(0, equals);
    if (std::ranges::find(known, name) == known.end()) {
      return invalid_error("unknown parameter " + base::quote_go(name) + ": use " + listed(known));
    }
    auto value = decoded(one.substr(std::min(equals + 1, one.size())));
    if (!value) return invalid_error("the value of " + std::string(name) + " is not percent-encoded UTF-8");
    const bool is_new = out.emplace(std::string(name), std::move(*value)).second;
    if (!is_new) return invalid_error("the parameter " + std::string(name) + " is given twice");
  }
  return {};
}

}  // namespace

Result<Parameters> parameters_of(const Request& request, const std::vector<std::string_view>& known) {
  Parameters parameters;
  const std::string_view target = request.target;
  const auto question = target.find('?');
  if (question != std::string_view::npos) {
    KEELSON_TRY(add_parameters(parameters, target.substr(question + 1), known));
  }
  KEELSON_TRY(add_parameters(parameters, base::trim(request.body), known));
  return parameters;
}

Result<std::optional<async::Duration>> duration_parameter(const Parameters& parameters, std::string_view name) {
  const auto text = parameter(parameters, name);
  if (text.empty()) return std::optional<async::Duration>();
  const auto time = base::parse_go_duration(text);
  if (time && *time > async::Duration(0) && *time <= kLongestTime) return std::optional<async::Duration>(*time);
  return invalid_error(std::string(name) + "=" + base::quote_go(text) + " is not a duration of at most " +
                       base::format_go_duration(kLongestTime) + ": use for example 90s, 30m or 2h");
}

}  // namespace keelson::net
