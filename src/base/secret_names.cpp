#include "keelson/detail/base/secret_names.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "keelson/detail/base/text.hpp"

namespace keelson::base {

namespace {

// Anywhere in the name, which is written in one word and in lower case: X-Api_Key is "xapikey".
constexpr std::array<std::string_view, 15> kParts{
    "token",      "passw",   "passphrase", "pwd",    "secret",     "credential",    "apikey",       "accesskey",
    "privatekey", "keydata", "accountkey", "cookie", "signingkey", "authorization", "encryptionkey"};
// At the end of a word.
constexpr std::array<std::string_view, 6> kEnds{"pass", "pwd", "cred", "creds", "dsn", "auth"};
constexpr std::array<std::string_view, 4> kSignatures{"sig", "signature", "x-amz-signature", "x-goog-signature"};
// The last word of a name whose value only leads to the secret.
constexpr std::array<std::string_view, 6> kHarmlessLast{"file", "path", "dir", "folder", "name", "namespace"};
// Keys that are not secret: topologyKey, public-key.
constexpr std::array<std::string_view, 7> kHarmlessKeys{"topology", "public", "label", "annotation",
                                                        "object",   "cache",  "queue"};

template <std::size_t size>
bool is_one_of(std::string_view text, const std::array<std::string_view, size>& words) {
  return std::ranges::find(words, text) != words.end();
}

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

bool is_separator(char c) { return c == '-' || c == '_' || c == '.' || c == '/'; }

// "dbPassword" and "DBPassword": the P begins a word.
bool begins_word(std::string_view name, std::size_t at) {
  if (at == 0 || !is_upper(name[at])) return false;
  const bool is_last = at + 1 >= name.size();
  return !is_upper(name[at - 1]) ||
         (!is_last && !is_upper(name[at + 1]) && !is_separator(name[at + 1]) && !is_digit(name[at + 1]));
}

// In lower case.
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words(1);
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (begins_word(name, i) || is_separator(name[i])) words.emplace_back();
    if (!is_separator(name[i])) words.back() += to_lower(name[i]);
  }
  std::erase_if(words, [](const auto& word) { return word.empty(); });
  return words;
}

bool is_secret_word(const std::string& word) {
  return std::ranges::any_of(kEnds, [&](auto end) { return word.ends_with(end); });
}

// "signing-key" and "accountKey"; in "tls.key" it is the end of a file's name.
bool is_secret_key(const std::vector<std::string>& words, std::string_view lower) {
  return words.size() > 1 && words.back() == "key" && !is_one_of(words[words.size() - 2], kHarmlessKeys) &&
         !lower.ends_with(".key");
}

bool is_secret(const std::vector<std::string>& words, std::string_view lower) {
  const auto plain = join(words, "");
  return is_one_of(lower, kSignatures) || is_secret_key(words, lower) || std::ranges::any_of(words, is_secret_word) ||
         std::ranges::any_of(kParts, [&](auto part) { return plain.find(part) != std::string::npos; });
}

bool names_secret_or(bool (*is_also)(std::string_view lower), std::string_view name) {
  const auto lower = to_lower(name);
  const auto words = words_of(name);
  if (words.empty() || is_one_of(words.back(), kHarmlessLast) || lower.ends_with(".k8s.io")) return false;
  return is_also(lower) || is_secret(words, lower);
}

}  // namespace

bool names_secret(std::string_view name) {
  return names_secret_or([](std::string_view) { return false; }, name);
}

bool flag_names_secret(std::string_view name) {
  return names_secret_or([](std::string_view lower) { return lower.find("key") != std::string_view::npos; }, name);
}

}  // namespace keelson::base
