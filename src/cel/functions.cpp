#include "src/cel/functions.hpp"

#include <algorithm>
#include <map>

namespace keelson::cel {

namespace {

using Kind = Value::Kind;

// Of an evaluation: patterns may be computed, and thus differ for each value.
constexpr std::size_t kMostPatterns = 16;
constexpr std::size_t kCompileSteps = 4;  // for each instruction

struct FunctionTable {
  std::vector<Signature> all;
  std::map<std::string, std::vector<const Signature*>, std::less<>> by_name;
};

std::vector<Signature> operator_signatures() {
  std::vector<Signature> all{
      {"_+_", false, "ii", "i", nullptr},
      {"_+_", false, "uu", "u", nullptr},
      {"_+_", false, "dd", "d", nullptr},
      {"_+_", false, "ss", "s", nullptr, CallCost::kTexts},
      {"_+_", false, "yy", "y", nullptr, CallCost::kTexts},
      {"_+_", false, "lAlA", "lA", nullptr, CallCost::kLists},
      {"_+_", false, "tD", "t", nullptr},
      {"_+_", false, "Dt", "t", nullptr},
      {"_+_", false, "DD", "D", nullptr},
      {"_-_", false, "ii", "i", nullptr},
      {"_-_", false, "uu", "u", nullptr},
      {"_-_", false, "dd", "d", nullptr},
      {"_-_", false, "tt", "D", nullptr},
      {"_-_", false, "tD", "t", nullptr},
      {"_-_", false, "DD", "D", nullptr},
      {"_%_", false, "ii", "i", nullptr},
      {"_%_", false, "uu", "u", nullptr},
      {"-_", false, "i", "i", nullptr},
      {"-_", false, "d", "d", nullptr},
      {"!_", false, "b", "b", nullptr},
      {"_==_", false, "AA", "b", nullptr, CallCost::kEquality},
      {"_!=_", false, "AA", "b", nullptr, CallCost::kEquality},
      {"@in", false, "AlA", "b", nullptr, CallCost::kMembership},
      {"@in", false, "AmAB", "b", nullptr},
      {"_[_]", false, "lAi", "A", nullptr, CallCost::kIndex},
      {"_[_]", false, "mABA", "B", nullptr, CallCost::kIndex},
      {"_[_]", false, "olAi", "oA", nullptr},
      {"_[_]", false, "omABA", "oB", nullptr},
      {"_[?_]", false, "lAi", "oA", nullptr},
      {"_[?_]", false, "olAi", "oA", nullptr},
      {"_[?_]", false, "mABA", "oB", nullptr},
      {"_[?_]", false, "omABA", "oB", nullptr},
      {"_?_:_", false, "bAA", "A", nullptr, CallCost::kNone},
  };
  for (const char* name : {"_*_", "_/_"}) {
    for (const auto& [pair, number] : {std::pair("ii", "i"), std::pair("uu", "u"), std::pair("dd", "d")}) {
      all.push_back({name, false, pair, number, nullptr});
    }
  }
  for (const char* name : {"_<_", "_<=_", "_>_", "_>=_"}) {
    all.push_back({name, false, "cc", "b", nullptr, CallCost::kOrder});
    all.push_back({name, false, "##", "b", nullptr});
  }
  return all;
}

const FunctionTable& function_table() {
  static const auto table = [] {
    FunctionTable made;
    for (const auto part :
         {operator_signatures, text_signatures, list_signatures, conversion_signatures, time_signatures,
          resource_signatures, address_signatures, url_signatures, version_signatures, format_signatures}) {
      const auto rows = part();
      made.all.insert(made.all.end(), rows.begin(), rows.end());
    }
    for (const auto& one : made.all) made.by_name[one.name].push_back(&one);
    return made;
  }();
  return table;
}

}  // namespace

bool Budget::spend(std::size_t steps) {
  is_exhausted_ = is_exhausted_ || steps > left_;
  left_ -= std::min(steps, left_);
  return !is_exhausted_;
}

bool Budget::charge(std::uint64_t cost) {
  is_exhausted_ = is_exhausted_ || cost > cost_left_;
  cost_left_ -= std::min<std::uint64_t>(cost, cost_left_);
  return !is_exhausted_;
}

const Result<Pattern>* Budget::pattern(const std::string& text) {
  if (const auto found = patterns_.find(text); found != patterns_.end()) return &found->second;
  if (patterns_.size() == kMostPatterns) patterns_.clear();
  if (!spend(text.size())) return nullptr;
  std::size_t cost = 0;
  const auto made = patterns_.emplace(text, Pattern::compile(text, cost)).first;
  return spend(cost * kCompileSteps) ? &made->second : nullptr;
}

const std::vector<const Signature*>& signatures_of(std::string_view name) {
  static const std::vector<const Signature*> kNone;
  auto found = function_table().by_name.find(name);
  return found == function_table().by_name.end() ? kNone : found->second;
}

std::optional<Kind> kind_of_letter(char letter) {
  static constexpr std::pair<char, Kind> kLetters[] = {
      {'s', Kind::kString},    {'i', Kind::kInt},      {'u', Kind::kUint},     {'d', Kind::kDouble},
      {'b', Kind::kBool},      {'y', Kind::kBytes},    {'l', Kind::kList},     {'m', Kind::kMap},
      {'t', Kind::kTimestamp}, {'D', Kind::kDuration}, {'o', Kind::kOptional}, {'q', Kind::kQuantity},
      {'T', Kind::kType},      {'z', Kind::kNull},     {'U', Kind::kUrl},      {'I', Kind::kIp},
      {'C', Kind::kCidr},      {'F', Kind::kFormat},   {'V', Kind::kVersion}};
  for (const auto& [known, kind] : kLetters) {
    if (known == letter) return kind;
  }
  return std::nullopt;
}

std::size_t length_of_type(std::string_view letters) {
  switch (letters.empty() ? '\0' : letters[0]) {
    case '\0':
      return 0;
    case 'l':
    case 'o':
      return 1 + length_of_type(letters.substr(1));
    case 'm': {
      const auto key = 1 + length_of_type(letters.substr(1));
      return key + length_of_type(letters.substr(key));
    }
    default:
      return 1;
  }
}

Value no_such_overload() { return Value::error("no such overload"); }

}  // namespace keelson::cel
