#include "src/program/commands/redaction.hpp"

#include <algorithm>
#include <array>

#include "keelson/base/text.hpp"
#include "keelson/json/writer.hpp"

namespace keelson::program {

namespace {

constexpr std::array<std::string_view, 11> kSecretWords{"token",         "passw",  "pwd",       "secret",
                                                        "credential",    "apikey", "accesskey", "privatekey",
                                                        "authorization", "cookie", "dsn"};
constexpr std::array<std::string_view, 6> kHarmlessEnds{"file", "path", "dir", "folder", "name", "namespace"};
// Prefixes of tokens of GitHub, GitLab, Slack and AWS, and of JSON web tokens.
constexpr std::array<std::string_view, 10> kTokenPrefixes{"eyJ",    "ghp_",  "gho_",  "ghs_", "github_pat_",
                                                          "glpat-", "xoxb-", "xoxp-", "AKIA", "ASIA"};
constexpr std::array<std::string_view, 4> kSignatures{"sig", "signature", "x-amz-signature", "x-goog-signature"};
constexpr std::size_t kShortestToken = 16;

bool is_name_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || base::is_digit(c) || c == '-' || c == '_' || c == '.';
}

// Of base64 in both alphabets, and of the parts of a JSON web token.
bool is_token_byte(char c) { return is_name_byte(c) || c == '+' || c == '/' || c == '=' || c == '~'; }

bool is_blank(char c) { return c == ' ' || c == '\t'; }

// "X-Api_Key" becomes "xapikey".
std::string plain_name(std::string_view name) {
  std::string plain;
  for (const char c : name) {
    if (c != '-' && c != '_' && c != '.') plain += base::to_lower(c);
  }
  return plain;
}

bool names_secret(std::string_view name) {
  const auto plain = plain_name(name);
  if (std::any_of(kHarmlessEnds.begin(), kHarmlessEnds.end(), [&](auto end) { return plain.ends_with(end); })) {
    return false;
  }
  if (std::find(kSignatures.begin(), kSignatures.end(), base::to_lower(name)) != kSignatures.end()) return true;
  return std::any_of(kSecretWords.begin(), kSecretWords.end(),
                     [&](auto word) { return plain.find(word) != std::string::npos; });
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
    const bool is_token = std::any_of(kTokenPrefixes.begin(), kTokenPrefixes.end(),
                                      [&](auto prefix) { return word.starts_with(prefix); });
    const auto token_end = is_token ? end_of(text_, at_, is_token_byte) : at_;
    if (token_end - at_ >= kShortestToken) {
      replace_until(token_end);
      return true;
    }
    out_ += word;
    at_ = end;
    const auto lower = base::to_lower(word);
    if (lower == "bearer" || lower == "basic") return replaces_credentials();
    if (names_secret(word)) replace_value(word.starts_with("--") || word.starts_with("-"));
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
  void replace_value(bool is_flag) {
    auto at = at_;
    while (at < text_.size() && (text_[at] == '\\' || text_[at] == '"' || text_[at] == '\'')) ++at;
    at = end_of(text_, at, is_blank);
    const bool has_sign = at < text_.size() && (text_[at] == '=' || text_[at] == ':');
    if (!has_sign && !(is_flag && at > at_)) return;
    if (has_sign) at = end_of(text_, at + 1, is_blank);
    const auto quote_begin = at;
    while (at < text_.size() && text_[at] == '\\') ++at;
    const bool is_quoted = at < text_.size() && (text_[at] == '"' || text_[at] == '\'');
    if (!is_quoted) return replace_bare(quote_begin);
    const auto quote = text_.substr(quote_begin, at + 1 - quote_begin);
    replace_quoted(at + 1, quote);
  }

  void replace_bare(std::size_t begin) {
    // "Authorization: Bearer x" and "Cookie: a=b; c=d" have blanks in their value.
    if (text_.substr(begin).starts_with("Bearer ") || text_.substr(begin).starts_with("Basic ")) return;
    const auto end = std::min(text_.find_first_of(" \t\r\n\"'`,;&)]}\\", begin), text_.size());
    // An object or a list, and no value at all.
    if (end == begin || text_[begin] == '{' || text_[begin] == '[') return;
    out_ += text_.substr(at_, begin - at_);
    replace_until(end);
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
  std::string out_;
};

bool is_flag_of_secret(const std::string& word) {
  return word.starts_with("-") && word.find('=') == std::string::npos && names_secret(word);
}

void write_value(json::Writer& writer, json::View value);

// {"name": …, "value": …} of an environment variable; a reference to a Secret stays.
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

void write_member(json::Writer& writer, std::string_view name, json::View value) {
  writer.key(name);
  if (name == "annotations" && value.is_object()) {
    writer.begin_object();
    for (const auto& [annotation, text] : value.members()) writer.field(annotation, kRedactedText);
    writer.end_object();
  } else if (name == "env") {
    writer.begin_array();
    for (const auto variable : value.items()) write_variable(writer, variable);
    writer.end_array();
  } else if (name == "args" || name == "command") {
    write_words(writer, value);
  } else if ((name == "data" || name == "stringData") && value.is_object()) {
    writer.string(kRedactedText);
  } else if (value.is_string() && names_secret(name)) {
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
