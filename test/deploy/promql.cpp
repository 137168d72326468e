#include "test/deploy/promql.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace keelson::testing {

namespace {

constexpr std::array kLabelLists{"by", "without", "on", "ignoring", "group_left", "group_right"};
constexpr std::array kWords{"and", "or", "unless", "bool", "offset"};

bool begins_word(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' || c == ':'; }
bool goes_on(char c) { return begins_word(c) || std::isdigit(static_cast<unsigned char>(c)) != 0; }

template <class Words>
bool is_one_of(const Words& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  NamedByPromql read() {
    while (!skip_spaces().empty()) {
      if (peek() == '"') {
        skip_string();
      } else if (peek() == '[') {
        text_.remove_prefix(std::min(text_.find(']'), text_.size()));
      } else if (begins_word(peek())) {
        read_word();
      } else {
        skip_number_or_sign();
      }
    }
    return std::move(found_);
  }

 private:
  [[nodiscard]] char peek() const { return text_.empty() ? '\0' : text_.front(); }

  std::string_view skip_spaces() {
    while (std::isspace(static_cast<unsigned char>(peek())) != 0) text_.remove_prefix(1);
    return text_;
  }

  std::string take_word() {
    auto end = std::ranges::find_if_not(text_, goes_on);
    std::string word(text_.begin(), end);
    text_.remove_prefix(word.size());
    return word;
  }

  void skip_string() {
    text_.remove_prefix(1);
    while (!text_.empty() && peek() != '"') text_.remove_prefix(peek() == '\\' ? 2 : 1);
    if (!text_.empty()) text_.remove_prefix(1);
  }

  // As a whole, because `5m` is not a series m.
  void skip_number_or_sign() {
    const bool is_number = goes_on(peek());
    text_.remove_prefix(1);
    if (is_number) take_word();
  }

  void read_word() {
    auto word = take_word();
    skip_spaces();
    if (is_one_of(kLabelLists, word)) {
      read_label_list();
    } else if (!is_one_of(kWords, word) && !is_function()) {
      found_.series.push_back({std::move(word), read_matchers()});
    }
  }

  // A function, or an aggregation as in `sum by (le) (…)`.
  [[nodiscard]] bool is_function() const {
    return peek() == '(' || text_.starts_with("by ") || text_.starts_with("without ");
  }

  void read_label_list() {
    if (peek() != '(') return;
    for (text_.remove_prefix(1); !skip_spaces().empty() && peek() != ')'; text_.remove_prefix(1)) {
      if (begins_word(peek())) found_.labels.insert(take_word());
      if (skip_spaces().empty() || peek() == ')') break;
    }
  }

  std::set<std::string> read_matchers() {
    std::set<std::string> labels;
    if (peek() != '{') return labels;
    text_.remove_prefix(1);
    while (!skip_spaces().empty() && peek() != '}') {
      if (peek() == '"') {
        skip_string();
      } else if (begins_word(peek())) {
        labels.insert(take_word());
      } else {
        text_.remove_prefix(1);
      }
    }
    return labels;
  }

  std::string_view text_;
  NamedByPromql found_;
};

}  // namespace

NamedByPromql named_by(std::string_view expression) { return Reader(expression).read(); }

}  // namespace keelson::testing
