// The validation rules of the built-in kinds, as the lines of data/rules.txt describe them.
//
// The file has a line per rule, in the order in which the API server reports the errors. A block is indented by two
// spaces more than the line that begins it.
//
//   format NAME BYTES REGEX "MESSAGE"    a form of texts; {} in the message is the regular expression
//   type NAME                            the rules of a type of values
//   kind KIND.GROUP                      the rules of the objects of a kind
//   PATH: STATEMENT; STATEMENT           checks of a field, up to the first one that fails, then those of its block
//   if CONDITION CONDITION               the block, if all conditions hold; `else` is its alternative
//   choose "MANY" "NONE"                 of the fields of the block one may be present: the others are forbidden, or
//                                        ignored if "MANY" is empty; `a as b|c` forbids it as c
//
// A path is `a.b`, `a[]` (each item), `a{}` (each member) or `.` (the value itself); `?` skips an absent field, and
// `PATH as NAME` reports its errors for another field: of the same object, of an outer one for each "<" before NAME (of
// which nothing but "<" is the outer value itself), or from the root if NAME begins with "/". A condition is a path
// that must not be empty, absent, zero or false, `PATH?` (present), `PATH=A|B`, `PATH!=A|B`, `PATH<5`, `PATH>OTHER`,
// `PATH^=a` (prefix), `PATH*=a` (part), `PATH<>` (differs from the value before), `#PATH>2` (number of items), `new`,
// `update`, `status`, `main` (no subresource), or `@SET` (a set with names); `!` negates it. Paths in conditions begin
// at the value of the block, or with `/` at the object, with `^` at the value from whose block the type was entered,
// and with `~` in the object before the update.
//
// Ownership: all texts are constant data of the program.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace keelson::sandbox {

struct RuleStep {
  enum class Kind { kField, kItems, kMembers };
  Kind kind = Kind::kField;
  std::string name;
};

struct RuleStatement {
  std::string word;
  bool takes_zero = false;         // "word!": also an absent or empty value is checked
  std::vector<std::string> words;  // the arguments; those in quotes begin with a quote
};

struct RuleCondition {
  bool is_negated = false;
  bool is_count = false;
  std::string left;
  std::string op;  // "", "?", "=", "!=", "<", ">", "^=", "*=", "<>"
  std::string right;
};

struct RuleLine {
  enum class Kind { kFields, kIf, kElse, kChoose };
  Kind kind = Kind::kFields;
  std::vector<RuleStep> path;
  std::string renamed;
  bool only_present = false;
  std::vector<RuleStatement> statements;
  std::vector<RuleCondition> conditions;
  std::vector<RuleLine> block;
};

// A form of texts.
struct RuleFormat {
  std::size_t most_bytes = 0;  // 0: no limit
  std::string regex;
  std::string message;
};

// The block of a "type" or "kind". Null if it has no rules.
[[nodiscard]] const std::vector<RuleLine>* rule_block(std::string_view what, std::string_view name);
// Null if there is no format of this name.
[[nodiscard]] const RuleFormat* rule_format(std::string_view name);

}  // namespace keelson::sandbox
