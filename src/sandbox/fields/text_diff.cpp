#include "src/sandbox/fields/text_diff.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "keelson/detail/base/text_hash.hpp"
#include "src/sandbox/requests/texts.hpp"

namespace keelson::sandbox {

namespace {

using Lines = std::vector<std::string_view>;

struct Match {
  std::size_t a = 0;
  std::size_t b = 0;
  std::size_t size = 0;
};

// A range of lines of both texts.
struct Ranges {
  std::size_t a = 0;
  std::size_t a_end = 0;
  std::size_t b = 0;
  std::size_t b_end = 0;
};

// Replaced lines; without any of the first or second text, inserted or deleted ones.
struct Edit {
  bool is_equal = false;
  Ranges at;
};

// Finds the blocks of equal lines: the longest one first, then those before and after it.
class LineMatcher {
 public:
  LineMatcher(const Lines& a, const Lines& b) : a_(a), b_(b), lengths_(b.size() + 1), next_lengths_(b.size() + 1) {
    for (std::size_t j = 0; j < b.size(); ++j) places_[b[j]].push_back(j);
    if (b.size() < kPopularFrom) return;
    // Lines that are frequent do not begin a match; they only extend one.
    const auto most = b.size() / 100 + 1;
    std::erase_if(places_, [most](const auto& line) { return line.second.size() > most; });
  }

  // nullopt after too many steps.
  [[nodiscard]] std::optional<std::vector<Match>> blocks() {
    std::vector<Ranges> waiting{{0, a_.size(), 0, b_.size()}};
    std::vector<Match> found;
    while (!waiting.empty()) {
      const auto range = waiting.back();
      waiting.pop_back();
      const auto match = longest_match(range);
      if (steps_ > kMostDiffSteps) return std::nullopt;
      if (match.size == 0) continue;
      found.push_back(match);
      const auto [a_end, b_end] = std::pair(match.a + match.size, match.b + match.size);
      if (range.a < match.a && range.b < match.b) waiting.push_back({range.a, match.a, range.b, match.b});
      if (a_end < range.a_end && b_end < range.b_end) waiting.push_back({a_end, range.a_end, b_end, range.b_end});
    }
    std::ranges::sort(found, {}, &Match::a);
    return found;
  }

 private:
  static constexpr std::size_t kPopularFrom = 200;

  [[nodiscard]] Match longest_match(const Ranges& range) {
    Match best{range.a, range.b, 0};
    std::vector<std::size_t> touched;
    std::vector<std::size_t> next_touched;
    for (auto i = range.a; i < range.a_end && steps_ <= kMostDiffSteps; ++i, ++steps_) {
      const auto found = places_.find(a_[i]);
      if (found != places_.end()) {
        auto j = std::ranges::lower_bound(found->second, range.b);
        for (; j != found->second.end() && *j < range.b_end; ++j, ++steps_) {
          // lengths_[j] is the length of the match that ends before line j.
          const auto size = lengths_[*j] + 1;
          next_lengths_[*j + 1] = size;
          next_touched.push_back(*j + 1);
          if (size > best.size) best = {i + 1 - size, *j + 1 - size, size};
        }
      }
      for (const auto j : touched) lengths_[j] = 0;
      std::swap(lengths_, next_lengths_);
      touched = std::exchange(next_touched, {});
    }
    for (const auto j : touched) lengths_[j] = 0;
    return extended(best, range);
  }

  [[nodiscard]] Match extended(Match match, const Ranges& range) {
    while (match.a > range.a && match.b > range.b && a_[match.a - 1] == b_[match.b - 1]) {
      --match.a;
      --match.b;
      ++match.size;
    }
    while (match.a + match.size < range.a_end && match.b + match.size < range.b_end &&
           a_[match.a + match.size] == b_[match.b + match.size]) {
      ++match.size;
    }
    steps_ += match.size;
    return match;
  }

  const Lines& a_;
  const Lines& b_;
  base::TextMap<std::string_view, std::vector<std::size_t>> places_;  // in the second text
  std::vector<std::size_t> lengths_;
  std::vector<std::size_t> next_lengths_;
  std::size_t steps_ = 0;
};

std::vector<Edit> edits_between(const Lines& a, const Lines& b, const std::vector<Match>& blocks) {
  std::vector<Edit> edits;
  std::size_t i = 0;
  std::size_t j = 0;
  const auto change_up_to = [&](std::size_t next_i, std::size_t next_j) {
    if (i < next_i || j < next_j) edits.push_back({false, {i, next_i, j, next_j}});
    i = next_i;
    j = next_j;
  };
  for (const auto& block : blocks) {
    change_up_to(block.a, block.b);
    const bool continues = !edits.empty() && edits.back().is_equal;
    if (continues) {
      edits.back().at.a_end += block.size;
      edits.back().at.b_end += block.size;
    } else {
      edits.push_back({true, {i, i + block.size, j, j + block.size}});
    }
    i += block.size;
    j += block.size;
  }
  change_up_to(a.size(), b.size());
  return edits;
}

constexpr std::size_t kContext = 3;

// The edits in groups, each with its context.
std::vector<std::vector<Edit>> grouped(const std::vector<Edit>& edits) {
  std::vector<std::vector<Edit>> groups;
  std::vector<Edit> group;
  for (std::size_t n = 0; n < edits.size(); ++n) {
    auto edit = edits[n];
    const auto size = edit.at.a_end - edit.at.a;
    const bool is_first = n == 0;
    const bool is_last = n + 1 == edits.size();
    if (edit.is_equal && is_first && size > kContext) {
      edit.at.a = edit.at.a_end - kContext;
      edit.at.b = edit.at.b_end - kContext;
    } else if (edit.is_equal && is_last && size > kContext) {
      edit.at.a_end = edit.at.a + kContext;
      edit.at.b_end = edit.at.b + kContext;
    } else if (edit.is_equal && !is_first && size > 2 * kContext) {
      group.push_back({true, {edit.at.a, edit.at.a + kContext, edit.at.b, edit.at.b + kContext}});
      groups.push_back(std::exchange(group, {}));
      edit.at.a = edit.at.a_end - kContext;
      edit.at.b = edit.at.b_end - kContext;
    }
    group.push_back(edit);
  }
  const bool has_change = group.size() > 1 || (group.size() == 1 && !group[0].is_equal);
  if (has_change) groups.push_back(std::move(group));
  return groups;
}

std::string range_text(std::size_t begin, std::size_t end) {
  const auto count = end - begin;
  const auto first = std::to_string(count == 0 ? begin : begin + 1);
  return count == 1 ? first : first + "," + std::to_string(count);
}

void append_lines(std::string& out, char mark, const Lines& lines, std::size_t begin, std::size_t end) {
  for (auto i = begin; i < end; ++i) out.append(1, mark).append(lines[i]).append(1, '\n');
}

}  // namespace

std::string unified_diff(std::string_view before, std::string_view after) {
  const auto a = parts_of(before, '\n');
  const auto b = parts_of(after, '\n');
  const auto blocks = LineMatcher(a, b).blocks();
  if (!blocks) return "";
  std::string out;
  for (const auto& group : grouped(edits_between(a, b, *blocks))) {
    const auto& first = group.front().at;
    const auto& last = group.back().at;
    out += "@@ -" + range_text(first.a, last.a_end) + " +" + range_text(first.b, last.b_end) + " @@\n";
    for (const auto& [is_equal, at] : group) {
      append_lines(out, is_equal ? ' ' : '-', a, at.a, at.a_end);
      if (!is_equal) append_lines(out, '+', b, at.b, at.b_end);
    }
  }
  return out;
}

}  // namespace keelson::sandbox
