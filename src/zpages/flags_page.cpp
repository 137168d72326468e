#include "keelson/detail/zpages/flags_page.hpp"

#include <algorithm>
#include <utility>

#include "keelson/detail/base/secret_names.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/json/writer.hpp"

namespace keelson::zpages {

namespace {

constexpr std::string_view kRedacted = "REDACTED";

// "host=db password=a", also in the query of a URL
bool has_password(std::string_view value) { return base::to_lower(value).find("password=") != std::string::npos; }

// A password may contain any character, so everything between the scheme and the last @ is replaced.
std::string without_user(std::string_view value) {
  const auto at = value.rfind('@');
  if (at == std::string_view::npos) return std::string(value);
  const auto scheme = value.find("://");
  const bool is_url = scheme != std::string_view::npos && scheme < at;
  const auto begin = is_url ? scheme + 3 : 0;
  // "user:password@tcp(host)/name" is the address of a database; "a@example.com" is not secret.
  if (!is_url && value.substr(0, at).find(':') == std::string_view::npos) return std::string(value);
  return std::string(value.substr(0, begin)).append(kRedacted).append(value.substr(at));
}

// Signed URLs have their signature in the query.
std::string without_query(std::string value) {
  const auto scheme = value.find("://");
  const auto query = scheme == std::string::npos ? scheme : value.find('?', scheme);
  return query == std::string::npos ? value : value.substr(0, query + 1).append(kRedacted);
}

std::string_view name_of(FlagSource source) {
  switch (source) {
    case FlagSource::kDefault:
      break;
    case FlagSource::kCommandLine:
      return "command line";
    case FlagSource::kConfigFile:
      return "config file";
    case FlagSource::kEnvironment:
      return "environment";
  }
  return "default";
}

bool is_changed(const FlagState& flag) {
  return flag.source != FlagSource::kDefault && flag.value != flag.default_value;
}

}  // namespace

std::string shown_value(const FlagState& flag, std::string_view value) {
  if (!flag.is_own) return without_user(value);
  const bool is_hidden = (!value.empty() && base::flag_names_secret(flag.name)) || has_password(value);
  return is_hidden ? std::string(kRedacted) : without_query(without_user(value));
}

Page flags_page(std::string program, const std::vector<FlagState>& flags, std::vector<std::string> links) {
  Page page{.title = "flagz", .program = std::move(program)};
  page.links = std::move(links);
  Table table{.columns = {{"Flag"}, {"Value"}, {"Source"}, {"Default"}}, .rows = {}};
  std::size_t changed = 0;
  for (const auto& flag : flags) {
    const bool is_bold = is_changed(flag);
    changed += is_bold ? 1 : 0;
    table.rows.push_back(
        {{"--" + flag.name, is_bold ? Tone::kWarning : Tone::kPlain},
         {shown_value(flag, flag.value), is_bold ? Tone::kWarning : Tone::kPlain},
         {std::string(name_of(flag.source)), flag.source == FlagSource::kDefault ? Tone::kDim : Tone::kPlain},
         {shown_value(flag, flag.default_value), Tone::kDim}});
  }
  page.facts = {{"Changed flags", std::to_string(changed), changed > 0 ? Tone::kWarning : Tone::kPlain}};
  page.sections.push_back({.title = "Flags", .tables = {std::move(table)}});
  return page;
}

std::string flags_json(std::string_view program, const std::vector<FlagState>& flags) {
  json::Writer writer;
  writer.begin_object().field("kind", "Flagz").field("program", program).key("flags").begin_array();
  for (const auto& flag : flags) {
    writer.begin_object().field("name", flag.name).field("value", shown_value(flag, flag.value));
    writer.field("default", shown_value(flag, flag.default_value)).field("source", name_of(flag.source));
    writer.field("isChanged", is_changed(flag)).end_object();
  }
  writer.end_array().end_object();
  return std::move(writer).take() + "\n";
}

std::string flags_text(std::string_view program, const std::vector<FlagState>& flags) {
  auto text = plain_text_of({.title = "flagz", .program = std::string(program)});
  for (const auto& flag : flags) {
    auto line = flag.name + "=" + shown_value(flag, flag.value);
    std::ranges::replace_if(line, base::is_control, ' ');
    if (flag.source != FlagSource::kDefault) line.append("  (").append(name_of(flag.source)).append(")");
    text += line + "\n";
  }
  return text;
}

}  // namespace keelson::zpages
