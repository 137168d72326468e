#include <algorithm>
#include <array>
#include <chrono>
#include <optional>

#include "keelson/detail/base/parse_number.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/cel/url.hpp"
#include "src/cel/functions.hpp"

namespace keelson::cel {

namespace {

using Kind = Value::Kind;
using Texts = std::vector<std::string>;

constexpr const char* kLabel = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
constexpr const char* kSubdomain = "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*";
constexpr const char* kQualified = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";

// A format that is a regular expression, with the reason for a text that does not match it.
struct NamePattern {
  std::string pattern;
  std::size_t most_bytes;
  const char* unit;
  std::string why;
};

bool matches_whole(const std::string& pattern, const std::string& text, Budget& budget) {
  const auto* compiled = budget.pattern("^(?:" + pattern + ")$");
  if (compiled == nullptr || !*compiled) return false;
  const auto found = (*compiled)->matches(text, budget.left());
  if (!found) budget.exhaust();
  return found.value_or(false);
}

Texts pattern_problems(const NamePattern& format, const std::string& text, Budget& budget) {
  Texts problems;
  if (text.size() > format.most_bytes) {
    problems.push_back("must be no more than " + std::to_string(format.most_bytes) + " " + format.unit);
  }
  if (!matches_whole(format.pattern, text, budget)) {
    problems.push_back(format.why + "regex used for validation is '" + format.pattern + "')");
  }
  return problems;
}

const NamePattern& label_1123() {
  static const NamePattern format{
      kLabel, 63, "characters",
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end "
      "with an alphanumeric character (e.g. 'my-name',  or '123-abc', "};
  return format;
}

const NamePattern& subdomain_1123() {
  static const NamePattern format{
      kSubdomain, 253, "characters",
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start "
      "and end with an alphanumeric character (e.g. 'example.com', "};
  return format;
}

const NamePattern& label_1035() {
  static const NamePattern format{
      "[a-z]([-a-z0-9]*[a-z0-9])?", 63, "characters",
      "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, "
      "and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', "};
  return format;
}

const NamePattern& label_value() {
  static const NamePattern format{"(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?", 63, "bytes",
                                  "a valid label must be an empty string or consist of alphanumeric characters, '-', "
                                  "'_' or '.', and must start and "
                                  "end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', "};
  return format;
}

// A text that other characters follow may end with a dash.
std::string with_prefix(const std::string& text) {
  return text.size() > 1 && text.ends_with('-') ? text.substr(0, text.size() - 2) + "a" : text;
}

Texts label_problems(const std::string& text, Budget& budget) {
  auto problems = pattern_problems(label_1123(), text, budget);
  // A subdomain is not a label because of its dots.
  const bool has_dots = !problems.empty() && problems.back().starts_with('a') && text.find('.') != std::string::npos;
  if (has_dots && matches_whole(kSubdomain, text, budget)) problems.back() = "must not contain dots";
  return problems;
}
Texts subdomain_problems(const std::string& text, Budget& budget) {
  return pattern_problems(subdomain_1123(), text, budget);
}
Texts label_1035_problems(const std::string& text, Budget& budget) {
  return pattern_problems(label_1035(), text, budget);
}
Texts label_value_problems(const std::string& text, Budget& budget) {
  return pattern_problems(label_value(), text, budget);
}

Texts qualified_problems(const std::string& text, Budget& budget) {
  static const std::string characters =
      "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character "
      "(e.g. 'MyName',  or 'my.name',  or '123-abc', ";
  static const NamePattern name{kQualified, 63, "bytes", characters};
  const auto slash = text.find('/');
  if (std::ranges::count(text, '/') > 1) {
    return {"a valid label key " + characters + "regex used for validation is '" + kQualified +
            "') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"};
  }
  Texts problems;
  if (slash == 0) problems.emplace_back("prefix part must be non-empty");
  if (slash != std::string::npos && slash > 0) {
    for (const auto& problem : subdomain_problems(text.substr(0, slash), budget)) {
      problems.push_back("prefix part " + problem);
    }
  }
  const auto rest = slash == std::string::npos ? text : text.substr(slash + 1);
  if (rest.empty()) problems.emplace_back("name part must be non-empty");
  for (const auto& problem : pattern_problems(name, rest, budget)) problems.push_back("name part " + problem);
  return problems;
}

Texts url_problems(const std::string& text, Budget&) {
  const auto parsed = parse_request_url(text);
  return parsed ? Texts() : Texts{parsed.error().text};
}

Texts uuid_problems(const std::string& text, Budget& budget) {
  const bool fits = matches_whole("(?i)[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}", text, budget);
  return fits ? Texts() : Texts{"does not match the UUID format"};
}

Texts byte_problems(const std::string& text, Budget& budget) {
  const bool fits =
      matches_whole("(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})", text, budget);
  return fits ? Texts() : Texts{"invalid base64"};
}

bool is_day(const std::string& text, Budget& budget) {
  if (!matches_whole("[0-9]{4}-[0-9]{2}-[0-9]{2}", text, budget)) return false;
  const auto number = [&text](std::size_t at, std::size_t size) {
    return base::parse_number<int>(std::string_view(text).substr(at, size)).value_or(0);
  };
  return std::chrono::year_month_day(std::chrono::year(number(0, 4)),
                                     std::chrono::month(static_cast<unsigned>(number(5, 2))),
                                     std::chrono::day(static_cast<unsigned>(number(8, 2))))
      .ok();
}
Texts date_problems(const std::string& text, Budget& budget) {
  return is_day(text, budget) ? Texts() : Texts{"invalid date"};
}
Texts datetime_problems(const std::string& text, Budget& budget) {
  const auto t = text.find_first_of("tT");
  const bool fits = t != std::string::npos && is_day(text.substr(0, t), budget) &&
                    matches_whole("([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](.[0-9]+)?([zZ]|([+-][0-9]{2}:[0-9]{2}))",
                                  text.substr(t + 1), budget);
  return fits ? Texts() : Texts{"invalid datetime"};
}

struct NamedFormat {
  std::string_view name;
  bool is_prefix;
  Texts (*problems)(const std::string& text, Budget& budget);
};

constexpr std::array<NamedFormat, 13> kFormats{{
    {"dns1123Label", false, label_problems},
    {"dns1123LabelPrefix", true, label_problems},
    {"dns1123Subdomain", false, subdomain_problems},
    {"dns1123SubdomainPrefix", true, subdomain_problems},
    {"dns1035Label", false, label_1035_problems},
    {"dns1035LabelPrefix", true, label_1035_problems},
    {"qualifiedName", false, qualified_problems},
    {"labelValue", false, label_value_problems},
    {"uri", false, url_problems},
    {"uuid", false, uuid_problems},
    {"byte", false, byte_problems},
    {"date", false, date_problems},
    {"datetime", false, datetime_problems},
}};

template <std::size_t kIndex>
Value format_value(const Values&, Budget&) {
  return Value::of_text(Kind::kFormat, std::string(kFormats[kIndex].name));
}

Value named_format(const Values& a, Budget&) {
  const auto found = std::ranges::find(kFormats, a[0].text(), &NamedFormat::name);
  return found == kFormats.end() ? Value::none() : Value::some(Value::of_text(Kind::kFormat, a[0].text()));
}

Value validate(const Values& a, Budget& budget) {
  const auto found = std::ranges::find(kFormats, a[0].text(), &NamedFormat::name);
  if (found == kFormats.end()) return no_such_overload();
  Values list;
  for (auto& problem : found->problems(found->is_prefix ? with_prefix(a[1].text()) : a[1].text(), budget)) {
    list.push_back(Value::of_string(std::move(problem)));
  }
  return list.empty() ? Value::none() : Value::some(Value::of_list(std::move(list)));
}

}  // namespace

std::vector<Signature> format_signatures() {
  return {
      {"format.dns1123Label", false, "", "F", format_value<0>},
      {"format.dns1123LabelPrefix", false, "", "F", format_value<1>},
      {"format.dns1123Subdomain", false, "", "F", format_value<2>},
      {"format.dns1123SubdomainPrefix", false, "", "F", format_value<3>},
      {"format.dns1035Label", false, "", "F", format_value<4>},
      {"format.dns1035LabelPrefix", false, "", "F", format_value<5>},
      {"format.qualifiedName", false, "", "F", format_value<6>},
      {"format.labelValue", false, "", "F", format_value<7>},
      {"format.uri", false, "", "F", format_value<8>},
      {"format.uuid", false, "", "F", format_value<9>},
      {"format.byte", false, "", "F", format_value<10>},
      {"format.date", false, "", "F", format_value<11>},
      {"format.datetime", false, "", "F", format_value<12>},
      {"format.named", false, "s", "oF", named_format},
      {"validate", true, "Fs", "ols", validate, CallCost::kValidate},
  };
}

}  // namespace keelson::cel
