#include "src/cel/functions.hpp"

#include <algorithm>
#include <map>
#include <set>

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

const FunctionTable& function_table() {
  static const auto table = [] {
    FunctionTable made;
    for (const auto& part :
         {text_signatures(), list_signatures(), conversion_signatures(), time_signatures(), resource_signatures()}) {
      made.all.insert(made.all.end(), part.begin(), part.end());
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

bool is_missing_function(std::string_view name) {
  static const std::set<std::string_view> missing{"find",
                                                  "findAll",
                                                  "ip",
                                                  "cidr",
                                                  "url",
                                                  "format",
                                                  "containsIP",
                                                  "containsCIDR",
                                                  "prefixLength",
                                                  "masked",
                                                  "family",
                                                  "isUnspecified",
                                                  "isLoopback",
                                                  "getScheme",
                                                  "getHost",
                                                  "getPort",
                                                  "getQuery",
                                                  "semver",
                                                  "isSemver",
                                                  "add",
                                                  "sub",
                                                  "asApproximateFloat",
                                                  "getHostname",
                                                  "getEscapedPath",
                                                  "flatten",
                                                  "distinct",
                                                  "transformList",
                                                  "transformMap",
                                                  "transformMapEntry",
                                                  "optFlatMap",
                                                  "jsonpatch.escapeKey",
                                                  "format.dns1123Label",
                                                  "format.named",
                                                  "validate",
                                                  "authorizer",
                                                  "sortBy",
                                                  "reverse"};
  return missing.contains(name);
}

bool fits_letter(const Value& value, char letter) {
  switch (letter) {
    case 's':
      return value.is(Kind::kString);
    case 'i':
      return value.is(Kind::kInt);
    case 'u':
      return value.is(Kind::kUint);
    case 'd':
      return value.is(Kind::kDouble);
    case 'b':
      return value.is(Kind::kBool);
    case 'y':
      return value.is(Kind::kBytes);
    case 'l':
      return value.is(Kind::kList);
    case 'm':
      return value.is(Kind::kMap);
    case 't':
      return value.is(Kind::kTimestamp);
    case 'D':
      return value.is(Kind::kDuration);
    case 'o':
      return value.is(Kind::kOptional);
    case 'q':
      return value.is(Kind::kQuantity);
    default:
      return true;
  }
}

Value no_such_overload() { return Value::error("no such overload"); }

}  // namespace keelson::cel
