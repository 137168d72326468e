#include "src/sandbox/requests/query_numbers.hpp"

#include <cstdint>
#include <string_view>

#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/parse_number.hpp"

namespace keelson::sandbox {

namespace {

template <class Number>
std::optional<std::string> number_error(const std::string& text, const char* parser, bool may_be_negative) {
  if (base::parse_number<Number>(text)) return std::nullopt;
  std::string_view digits = text;
  if (may_be_negative && digits.starts_with('-')) digits.remove_prefix(1);
  const bool is_large = !digits.empty() && digits.find_first_not_of("0123456789") == std::string_view::npos;
  return std::string("strconv.") + parser + ": parsing " + base::quote_go(text) +
         (is_large ? ": value out of range" : ": invalid syntax");
}

}  // namespace

std::optional<std::string> version_error(const std::string& version) {
  return version.empty() ? std::nullopt : number_error<std::uint64_t>(version, "ParseUint", false);
}

std::optional<std::string> query_version_error(const Call& call) {
  const auto version = call.parameter("resourceVersion");
  const auto error = version_error(version);
  if (!error) return std::nullopt;
  return FieldError{FieldReason::kInvalid, "resourceVersion", base::quote_go(version), *error}.message();
}

RejectionOr<void> check_query_numbers(const Call& call) {
  for (const char* name : {"limit", "timeoutSeconds"}) {
    const auto given = call.query.find(name);
    if (given == call.query.end()) continue;
    if (auto error = number_error<std::int64_t>(given->second, "ParseInt", true)) return bad_request(*error);
  }
  return {};
}

}  // namespace keelson::sandbox
