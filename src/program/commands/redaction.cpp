#include "src/program/commands/redaction.hpp"

#include <algorithm>
#include <array>

#include "keelson/detail/base/secret_names.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/json/writer.hpp"

namespace keelson::program {

namespace {

// The library's own flags, whose values are names of a Secret and of files.
constexpr std::array<std::string_view, 3> kHarmlessFlags{"--webhook-secret", "--webhook-cert-key",
                                                         "--metrics-cert-key"};
constexpr std::array<std::string_view, 5> kSchemes{"bearer", "basic", "digest", "negotiate", "token"};
// Prefixes of tokens of GitHub, GitLab, Slack and AWS, of JSON web tokens, and of PEM in base64.
constexpr std::array<std::string_view, 11> kTokenPrefixes{"eyJ",   "ghp_",  "gho_", "ghs_", "github_pat_",   "glpat-",
                                                          "xoxb-", "xoxp-", "AKIA", "ASIA", "LS0tLS1CRUdJTi"};
constexpr std::size_t kShortestToken = 16;

bool is_name_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || base::is_digit(c) || c == '-' || c == '_' || c == '.';
}

// Of base64 in both alphabets, and of the parts of a JSON web token.
bool is_token_byte(char c) { return is_name_byte(c) || c == '+' || c == '/' || c == '=' || c == '~'; }

bool is_blank(char c) { return c == ' ' || c == '\t'; }

bool is_quote(char c) { return c == '"' || c == '\'' || c == '`'; }

bool is_flag_word(std::string_view word) { return word.starts_with("-"); }

bool has_secret_value(std::string_view word) {
  if (!is_flag_word(word)) return base::names_secret(word);
  const auto& harmless = kHarmlessFlags;
  return base::flag_names_secret(word) && std::ranges::find(harmless, word) == harmless.end();
}

// The headers whose values have blanks: "Bearer abc", "a=b; c=d".
bool is_header(std::string_view word) {
  const auto lower = base::to_lower(word);
  return lower.find("authorization") != std::string::npos || lower.find("cookie") != std::string::npos;
}

// The end of the word that begins at `at`.
std::size_t end_of(std::string_view text, std::size_t at, bool (*belongs)(char)) {
  while (at < text.size() && belongs(text[at])) ++at;
  return at;
}

class Redactor {
 public:
  explicit Redactor(std::string_view text) : text_(text) {}

  std::string run() {
    while (at_ < text_.size()) {
      if (replaces_key() || replaces_user() || replaces_word()) continue;
      out_ += text_[at_++];
    }
    return std::move(out_);
  }

 private:
  bool starts(std::string_view word) const { return text_.substr(at_).starts_with(word); }

  void replace_until(std::size_t end) {
    out_ += kRedactedText;
    at_ = end;
  }

  // A private key ends with its last line; one that is cut off ends with the text.
  bool replaces_key() {
    if (!starts("-----BEGIN ")) return false;
    const auto line = text_.substr(at_, 64);
    const auto kind = line.find("PRIVATE KEY-----");
    if (kind == std::string_view::npos) return false;
    constexpr std::string_view kEnd = "PRIVATE KEY-----";
    const auto end = text_.find(kEnd, at_ + kind + kEnd.size());
    replace_until(end == std::string_view::npos ? text_.size() : end + kEnd.size());
    return true;
  }

  // "://user:password@": a password may contain a slash, but no blank and no quote.
  bool replaces_user() {
    if (!starts("://")) return false;
    out_ += "://";
    at_ += 3;
    const auto end = std::min(text_.find_first_of(" \t\r\n\"'`<>\\", at_), text_.size());
    const auto at = text_.substr(at_, end - at_).rfind('@');
    if (at != std::string_view::npos) replace_until(at_ + at);
    return true;
  }

  // A whole name or token from its beginning.
  bool replaces_word() {
    if (!is_name_byte(text_[at_])) return false;
    const auto end = end_of(text_, at_, is_name_byte);
    const auto word = text_.substr(at_, end - at_);
    const bool is_token = std::ranges::any_of(kTokenPrefixes, [&](auto prefix) { return word.starts_with(prefix); });
    const auto token_end = is_token ? end_of(text_, at_, is_token_byte) : at_;
    if (token_end - at_ >= kShortestToken) {
      replace_until(token_end);
      return true;
    }
    out_ += word;
    at_ = end;
    const auto lower = base::to_lower(word);
    if (lower == "bearer" || lower == "basic") return replaces_credentials();
    if (has_secret_value(word)) replace_value(word);
    return true;
  }

  bool replaces_credentials() {
    const auto begin = end_of(text_, at_, is_blank);
    const auto end = end_of(text_, begin, is_token_byte);
    // "basic authentication" and "bearer token" are words.
    if (begin == at_ || end - begin < 8) return true;
    out_ += text_.substr(at_, begin - at_);
    replace_until(end);
    return true;
  }

  // After the name: its closing quote, perhaps escaped, then = or :, and the value.
  void replace_value(std::string_view name) {
    auto at = at_;
    while (at < text_.size() && (text_[at] == '\\' || text_[at] == '"' || text_[at] == '\'')) ++at;
    at = end_of(text_, at, is_blank);
    const bool has_sign = at < text_.size() && (text_[at] == '=' || text_[at] == ':');
    const bool is_next_word = is_flag_word(name) && at > at_;
    if (!has_sign && !is_next_word) return;
    if (has_sign) at = end_of(text_, at + 1, is_blank);
    if (is_header(name) && at < text_.size() && text_[at] == '[') return replace_bracket(at + 1);
    const auto quote_begin = at;
    while (at < text_.size() && text_[at] == '\\') ++at;
    const bool is_quoted = at < text_.size() && (text_[at] == '"' || text_[at] == '\'');
    if (!is_quoted && is_header(name)) return replace_header(quote_begin);
    if (!is_quoted && replaces_block(name, quote_begin)) return;
    if (!is_quoted) return replace_bare(quote_begin);
    const auto quote = text_.substr(quote_begin, at + 1 - quote_begin);
    replace_quoted(at + 1, quote);
  }

  // The scheme stays: "Bearer REDACTED".
  std::size_t after_scheme(std::size_t begin) const {
    const auto end = end_of(text_, begin, is_name_byte);
    const auto scheme = base::to_lower(text_.substr(begin, end - begin));
    const auto next = end_of(text_, end, is_blank);
    const bool is_scheme = std::ranges::find(kSchemes, scheme) != kSchemes.end();
    return is_scheme && next > end ? next : begin;
  }

  void replace_between(std::size_t begin, std::size_t end) {
    out_ += text_.substr(at_, begin - at_);
    at_ = begin;
    if (end > begin) replace_until(end);
  }

  void replace_bare(std::size_t name_end) {
    const auto begin = after_scheme(name_end);
    const auto end = std::min(text_.find_first_of(" \t\r\n\"'`,;&)]}\\", begin), text_.size());
    // An object or a list, and no value at all.
    if (end == begin || text_[begin] == '{' || text_[begin] == '[') return;
    replace_between(begin, end);
  }

  // A header has blanks, commas and semicolons in its value, which ends with the line or with the text in quotes that
  // has the header: curl -H "Cookie: a=b; c=d" URL.
  void replace_header(std::size_t value) {
    const auto quote = open_quote();
    const auto begin = after_scheme(value);
    const auto end = std::min(text_.find_first_of("\r\n", begin), text_.size());
    const auto line = text_.substr(0, end);
    auto closing = quote == 0 ? std::string_view::npos : line.find(quote, begin);
    while (closing != std::string_view::npos && line[closing - 1] == '\\') closing = line.find(quote, closing + 1);
    replace_between(begin, std::min(end, closing));
  }

  // The quote in which at_ is, or 0. Each part of the text is read once.
  char open_quote() {
    for (; read_ < at_; ++read_) {
      const auto c = text_[read_];
      const bool is_escaped = read_ > 0 && text_[read_ - 1] == '\\';
      if (c == '\n') quote_ = 0;
      if (!is_quote(c) || is_escaped) continue;
      // An apostrophe follows a letter: "isn't".
      const bool is_apostrophe = c == '\'' && read_ > 0 && is_name_byte(text_[read_ - 1]);
      if (quote_ == c) {
        quote_ = 0;
      } else if (quote_ == 0 && !is_apostrophe) {
        quote_ = c;
      }
    }
    return quote_;
  }

  // As Go prints a header, [a=b c=d], and as JSON has it, ["a=b"]. A bracket within the value is followed by more of
  // it.
  void replace_bracket(std::size_t value) {
    const auto line = text_.substr(0, text_.find('\n', value));
    auto end = std::min(line.find(']', value), line.size());
    while (end + 1 < line.size() && is_token_byte(line[end + 1])) end = std::min(line.find(']', end + 1), line.size());
    replace_between(after_scheme(value), end);
  }

  // A block of YAML, "password: |" and the lines with a larger indentation. In a text with escapes, such as JSON, its
  // end is not known: all up to the end of the text in quotes is replaced.
  bool replaces_block(std::string_view name, std::size_t value) {
    auto header = value;
    if (header >= text_.size() || (text_[header] != '|' && text_[header] != '>')) return false;
    header = std::min(text_.find_first_not_of("|>+-0123456789 \t\r", header), text_.size());
    if (text_.substr(header).starts_with("\\")) {
      auto end = std::min(text_.find_first_of("\"\n", header), text_.size());
      while (end < text_.size() && text_[end] == '"' && text_[end - 1] == '\\') {
        end = std::min(text_.find_first_of("\"\n", end + 1), text_.size());
      }
      replace_between(value, end);
      return true;
    }
    if (!text_.substr(header).starts_with("\n")) return false;
    const auto name_begin = static_cast<std::size_t>(name.data() - text_.data());
    const auto line = name_begin == 0 ? std::string_view::npos : text_.rfind('\n', name_begin - 1);
    const auto line_begin = line == std::string_view::npos ? 0 : line + 1;
    const auto column = text_.find_first_not_of(" -", line_begin) - line_begin;
    auto end = header;
    while (end < text_.size()) {
      const auto next = std::min(text_.find('\n', end + 1), text_.size());
      const auto content = std::min(text_.find_first_not_of(" \r", end + 1), text_.size());
      const bool is_empty = content >= next;
      if (!is_empty && content - end - 1 <= column) break;
      end = next;
    }
    replace_between(value, end);
    return true;
  }

  // The same quote ends the value, with as many backslashes; one with more of them belongs to the value.
  void replace_quoted(std::size_t begin, std::string_view quote) {
    auto end = text_.find(quote, begin);
    while (end != std::string_view::npos && end > begin && text_[end - 1] == '\\') end = text_.find(quote, end + 1);
    out_ += text_.substr(at_, begin - at_);
    if (end == std::string_view::npos) end = text_.size();
    // An empty value is no secret.
    if (end > begin) out_ += kRedactedText;
    at_ = end;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t read_ = 0;  // by open_quote()
  char quote_ = 0;
  std::string out_;
};

bool is_flag_of_secret(const std::string& word) {
  return is_flag_word(word) && word.find('=') == std::string::npos && has_secret_value(word);
}

void write_value(json::Writer& writer, json::View value);

// {"name": …, "value": …} of an environment variable or an HTTP header; a reference to a Secret stays.
void write_variable(json::Writer& writer, json::View variable) {
  writer.begin_object();
  for (const auto& [name, value] : variable.members()) {
    if (name == "value") {
      writer.field(name, kRedactedText);
    } else {
      writer.key(name);
      write_value(writer, value);
    }
  }
  writer.end_object();
}

void write_words(json::Writer& writer, json::View list) {
  std::vector<std::string> words;
  for (const auto word : list.items()) words.emplace_back(word.string().value_or(""));
  writer.begin_array();
  for (const auto& word : redacted_arguments(std::move(words))) writer.string(word);
  writer.end_array();
}

bool is_content(std::string_view name, json::View value) {
  return (name == "data" || name == "stringData") && value.is_object();
}

void write_member(json::Writer& writer, std::string_view name, json::View value) {
  writer.key(name);
  if (name == "annotations" && value.is_object()) {
    writer.begin_object();
    for (const auto& [annotation, text] : value.members()) writer.field(annotation, kRedactedText);
    writer.end_object();
  } else if (name == "env" || name == "httpHeaders") {
    writer.begin_array();
    for (const auto variable : value.items()) write_variable(writer, variable);
    writer.end_array();
  } else if (name == "args" || name == "command") {
    write_words(writer, value);
  } else if (is_content(name, value) || (value.is_string() && base::names_secret(name))) {
    writer.string(kRedactedText);
  } else {
    write_value(writer, value);
  }
}

void write_value(json::Writer& writer, json::View value) {
  if (value.is_object()) {
    writer.begin_object();
    for (const auto& [name, member] : value.members()) {
      if (name != "managedFields") write_member(writer, name, member);
    }
    writer.end_object();
  } else if (const auto text = value.string()) {
    writer.string(redacted(*text));
  } else if (value.is_array()) {
    writer.begin_array();
    for (const auto item : value.items()) write_value(writer, item);
    writer.end_array();
  } else {
    writer.raw(value.text());
  }
}

}  // namespace

std::string redacted(std::string_view text) { return Redactor(text).run(); }

std::vector<std::string> redacted_arguments(std::vector<std::string> arguments) {
  bool is_value = false;
  for (auto& word : arguments) {
    const bool names_next = !is_value && is_flag_of_secret(word);
    word = is_value ? std::string(kRedactedText) : redacted(word);
    is_value = names_next;
  }
  return arguments;
}

std::string redacted_object(json::View object) {
  json::Writer writer;
  write_value(writer, object);
  return std::move(writer).take();
}

}  // namespace keelson::program
