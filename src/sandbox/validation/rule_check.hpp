// Checks objects of built-in kinds by the rules of data/rules.txt (rule_table.hpp).
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "src/sandbox/custom/field_errors.hpp"
#include "src/sandbox/kinds/subresource.hpp"
#include "src/sandbox/validation/rule_table.hpp"

namespace keelson::sandbox {

// The part of a value that an error shows: whole values of usual size, as the real server, which has no limit.
inline constexpr std::size_t kShownBytes = std::size_t{64} << 10;

// A value in the object and its path. It lives as long as the check of the value.
struct Spot {
  enum class Kind { kRoot, kField, kItem, kKey };

  const Tree* value;            // never null
  const Tree* before;           // the former value; never null
  const Spot* outer = nullptr;  // null at the root
  const Spot* frame = nullptr;  // the value from whose block the type was entered; null at the root
  Kind kind = Kind::kRoot;
  std::string_view name = {};  // of a field or key; at the root, the path itself
  std::size_t index = 0;       // of an item

  [[nodiscard]] std::string path() const;
  [[nodiscard]] Spot field(std::string_view name) const;
  [[nodiscard]] Spot item(std::size_t index) const;
  [[nodiscard]] Spot key(std::string_view name, const Tree& value) const;
};

// The nodes of null, "", 0, false and of empty lists and objects: Go's zero values.
[[nodiscard]] bool is_zero(const Tree& value);
// The member at a path such as "metadata.name"; a null tree if there is none.
[[nodiscard]] const Tree& value_at(const Tree& value, std::string_view path);
[[nodiscard]] std::int64_t number_in(const Tree& value);
// As field.Error prints a value of a built-in kind.
[[nodiscard]] std::string shown_value(const Tree& value);

class RuleCheck {
 public:
  // `before` is null for a creation.
  RuleCheck(const Tree* before, const Tree& after, Subresource subresource, FieldErrors& errors);

  // Checks the object by the rules of its kind, "Pod" or "Deployment.apps". False if the kind has none.
  bool run(std::string_view kind);

  // Of an absent value: that of an empty text.
  void invalid(const Spot& at, const std::string& why);
  void invalid(const Spot& at, const Tree& value, const std::string& why);
  void add(FieldError error) { errors_.add(std::move(error)); }
  [[nodiscard]] FieldErrors& errors() { return errors_; }
  // The rest of the rules is not checked.
  void stop() { is_stopped_ = true; }

  [[nodiscard]] bool is_new() const { return before_ == nullptr; }
  [[nodiscard]] const Tree& after() const { return after_; }
  [[nodiscard]] const Tree& before() const;
  [[nodiscard]] bool is_status() const { return subresource_ == Subresource::kStatus; }
  [[nodiscard]] std::set<std::string>& names(const std::string& set) { return sets_[set]; }

 private:
  void run_block(const std::vector<RuleLine>& block, const Spot& base);
  void run_choice(const RuleLine& line, const Spot& base);
  void visit(const RuleLine& line, std::size_t step, const Spot& at, const Spot& base);
  void run_line(const RuleLine& line, const Spot& at, const Spot& base);
  void run_statement(const RuleStatement& statement, const Spot& at, const Spot& base);
  bool run_error(const RuleStatement& statement, const Spot& at, const Spot& base);
  bool run_number(const RuleStatement& statement, const Spot& at, const Spot& base);
  bool run_set(const RuleStatement& statement, const Spot& at);
  [[nodiscard]] bool holds(const RuleCondition& condition, const Spot& base) const;
  [[nodiscard]] const Tree& resolve(std::string_view path, const Spot& base) const;
  [[nodiscard]] std::string filled(std::string_view text, const Spot& base) const;

  const Tree* before_;
  const Tree& after_;
  Subresource subresource_;
  FieldErrors& errors_;
  bool is_stopped_ = false;
  std::map<std::string, std::set<std::string>> sets_;
};

}  // namespace keelson::sandbox
