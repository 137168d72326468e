#include "src/sandbox/validation/rule_check.hpp"

#include <algorithm>

#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/parse_number.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/schema/short_text.hpp"
#include "src/sandbox/custom/schema_tree.hpp"
#include "src/sandbox/fields/go_values.hpp"
#include "src/sandbox/requests/texts.hpp"
#include "src/sandbox/validation/immutable_fields.hpp"
#include "src/sandbox/validation/internal_values.hpp"
#include "src/sandbox/validation/relations.hpp"
#include "src/sandbox/validation/text_formats.hpp"

namespace keelson::sandbox {

namespace {

const Tree& no_value() {
  static const Tree kNone;
  return kNone;
}

const Tree& empty_text() {
  static const Tree kEmpty("");
  return kEmpty;
}

std::string plain_word(const std::string& word) { return word.starts_with('"') ? word.substr(1) : word; }

// The values that a rule lists.
std::string supported_values(const std::vector<std::string>& words) {
  std::vector<std::string> values;
  for (const auto& word : words) {
    if (!word.starts_with("as=")) values.push_back(plain_word(word));
  }
  return quoted_words(values);
}

// The value with the path that its errors are reported for: "name" replaces the last part, "<name" the last two, "<" is
// the enclosing value, and "/a.b" begins at the root.
Spot renamed_spot(const Spot& at, std::string_view name) {
  auto renamed = at;
  if (name.starts_with('/')) {
    renamed.outer = nullptr;
    renamed.kind = Spot::Kind::kRoot;
    renamed.name = name.substr(1);
    return renamed;
  }
  const Spot* outer = &at;
  for (; name.starts_with('<') && outer->outer != nullptr; name.remove_prefix(1)) outer = outer->outer;
  renamed = *outer;
  renamed.value = at.value;
  renamed.before = at.before;
  renamed.frame = at.frame;
  if (name.empty()) return renamed;
  renamed.kind = Spot::Kind::kField;
  renamed.name = name;
  return renamed;
}

// The text of an error's value. The last argument "as=TYPE" is the Go type that the real server shows.
std::string error_text(const RuleStatement& statement, const Tree& value) {
  constexpr std::string_view kType = "as=";
  const auto last = statement.words.empty() ? std::string_view() : std::string_view(statement.words.back());
  if (last == "as=s") return shown_value(value.is_null() ? Tree("") : value);
  if (last.starts_with(kType)) return internal_text(value, last.substr(kType.size()));
  return shown_value(value);
}

std::string message_in(const RuleStatement& statement) {
  const bool has_message = !statement.words.empty() && statement.words[0].starts_with('"');
  return has_message ? statement.words[0].substr(1) : "";
}

}  // namespace

std::string Spot::path() const {
  if (outer == nullptr) return std::string(name);
  auto text = outer->path();
  if (kind == Kind::kItem) return index_path(text, index);
  if (kind == Kind::kKey) return key_path(text, name);
  if (!text.empty()) text += ".";
  return text.append(name);
}

Spot Spot::field(std::string_view member) const {
  return {&value_at(*value, member), &value_at(*before, member), this, frame, Kind::kField, member};
}

Spot Spot::item(std::size_t i) const {
  const auto& former = before->items();
  return {&value->items()[i], i < former.size() ? &former[i] : &no_value(), this, frame, Kind::kItem, {}, i};
}

Spot Spot::key(std::string_view member, const Tree& its_value) const {
  const Tree* former = before->find(member);
  return {&its_value, former != nullptr ? former : &no_value(), this, frame, Kind::kKey, member};
}

bool is_zero(const Tree& value) {
  if (value.is_null() || value.is_array() || value.is_object()) return value.is_empty();
  return value.scalar().empty() || (!value.is_string() && (value.scalar() == "0" || value.scalar() == "false"));
}

const Tree& value_at(const Tree& value, std::string_view path) {
  const Tree* at = &value;
  for (const auto part : parts_of(path, '.')) {
    at = at->find(part);
    if (at == nullptr) return no_value();
  }
  return *at;
}

std::int64_t number_in(const Tree& value) { return base::parse_number<std::int64_t>(value.scalar()).value_or(0); }

// Go leaves out nearly all empty parts of the types that it prints as JSON.
Tree without_empty_parts(Tree value) {
  for (auto& item : value.items()) item = without_empty_parts(std::move(item));
  for (auto& member : value.members()) member.second = without_empty_parts(std::move(member.second));
  std::erase_if(value.members(), [](const auto& member) {
    return (member.second.is_object() || member.second.is_array()) && member.second.is_empty();
  });
  return value;
}

std::string shown_value(const Tree& value) {
  if (value.is_string()) {
    const auto& text = value.scalar();
    return text.size() <= kShownBytes ? base::quote_go(text) : base::quote_go(kube::short_text(text, kShownBytes));
  }
  const bool has_parts = value.is_object() || value.is_array();
  return kube::short_text(has_parts ? without_empty_parts(value).text() : go_json(value), kShownBytes);
}

RuleCheck::RuleCheck(const Tree* before, const Tree& after, Subresource subresource, FieldErrors& errors)
    : before_(before), after_(after), subresource_(subresource), errors_(errors) {}

bool RuleCheck::run(std::string_view kind) {
  const auto* block = rule_block("kind", kind);
  if (block == nullptr) return false;
  run_block(*block, Spot{&after_, &before()});
  return true;
}

const Tree& RuleCheck::before() const { return before_ != nullptr ? *before_ : no_value(); }

void RuleCheck::invalid(const Spot& at, const std::string& why) {
  invalid(at, at.value->is_null() ? Tree("") : *at.value, why);
}

void RuleCheck::invalid(const Spot& at, const Tree& value, const std::string& why) {
  if (!errors_.is_full()) add({FieldReason::kInvalid, at.path(), shown_value(value), why});
}

void RuleCheck::run_block(const std::vector<RuleLine>& block, const Spot& base) {
  bool is_met = false;
  for (const auto& line : block) {
    if (is_stopped_ || errors_.is_full()) return;
    const bool is_branch = line.kind == RuleLine::Kind::kIf || line.kind == RuleLine::Kind::kElse;
    if (line.kind == RuleLine::Kind::kElse && is_met) continue;
    if (is_branch) {
      is_met = std::ranges::all_of(line.conditions, [&](const auto& one) { return holds(one, base); });
      if (is_met) run_block(line.block, base);
    } else if (line.kind == RuleLine::Kind::kChoose) {
      run_choice(line, base);
    } else {
      visit(line, 0, base, base);
    }
  }
}

void RuleCheck::run_choice(const RuleLine& line, const Spot& base) {
  const auto& words = line.statements[0].words;
  bool has_one = false;
  for (const auto& option : line.block) {
    auto at = base.field(option.path[0].name);
    if (at.value->is_null()) continue;
    if (has_one) {
      const auto bar = option.renamed.find('|');
      if (bar != std::string::npos) at.name = std::string_view(option.renamed).substr(bar + 1);
      const auto why = plain_word(words[0]);
      if (!why.empty()) add({FieldReason::kForbidden, at.path(), {}, why});
    } else {
      visit(option, 0, base, base);
    }
    has_one = true;
  }
  if (!has_one && words.size() > 1) add({FieldReason::kRequired, base.path(), {}, words[1].substr(1)});
}

void RuleCheck::visit(const RuleLine& line, std::size_t step, const Spot& at, const Spot& base) {
  if (step == line.path.size()) {
    if (line.only_present && at.value->is_null()) return;
    if (line.renamed.empty()) return run_line(line, at, base);
    const auto renamed = std::string_view(line.renamed);
    return run_line(line, renamed_spot(at, renamed.substr(0, renamed.find('|'))), base);
  }
  const auto& next = line.path[step];
  if (next.kind == RuleStep::Kind::kField) return visit(line, step + 1, at.field(next.name), base);
  if (next.kind == RuleStep::Kind::kItems) {
    for (std::size_t i = 0; i < at.value->items().size(); ++i) visit(line, step + 1, at.item(i), base);
    return;
  }
  for (const auto& [name, member] : at.value->members()) visit(line, step + 1, at.key(name, member), base);
}

void RuleCheck::run_line(const RuleLine& line, const Spot& at, const Spot& base) {
  const auto had = errors_.list().size();
  for (const auto& statement : line.statements) {
    run_statement(statement, at, base);
    if (errors_.list().size() != had) return;
  }
  if (!line.block.empty()) run_block(line.block, at);
}

void RuleCheck::run_statement(const RuleStatement& statement, const Spot& at, const Spot& base) {
  const auto& word = statement.word;
  if (word[0] >= 'A' && word[0] <= 'Z') {
    const auto* block = rule_block("type", word);
    KEELSON_ASSERT(block != nullptr);
    auto entered = at;
    entered.frame = &base;
    return run_block(*block, entered);
  }
  if (run_error(statement, at, base) || run_number(statement, at, base) || run_set(statement, at)) return;
  if (run_relation(word, *this, at, statement.words)) return;
  const bool is_checked = statement.takes_zero || !at.value->scalar().empty();
  if (!is_checked) return;
  for (const auto& why : format_errors(word, at.value->scalar())) invalid(at, why);
}

// Statements that report the value unless it is as required.
bool RuleCheck::run_error(const RuleStatement& statement, const Spot& at, const Spot& base) {
  const auto& word = statement.word;
  const auto why = message_in(statement);
  const auto& words = statement.words;
  if (word == "required") {
    if (is_zero(*at.value)) add({FieldReason::kRequired, at.path(), {}, filled(why, base)});
  } else if (word == "missing") {
    add({FieldReason::kRequired, at.path(), {}, filled(why, base)});
  } else if (word == "forbidden") {
    add({FieldReason::kForbidden, at.path(), {}, filled(why, base)});
  } else if (word == "invalid") {
    if (words.size() > 2) {
      const auto other = words[2].starts_with('"') ? Tree(plain_word(words[2])) : resolve(words[2], base);
      add({FieldReason::kInvalid, at.path(), error_text(statement, other), filled(why, base)});
    } else {
      const bool has_type = words.size() > 1;
      const auto& shown = at.value->is_null() && !has_type ? empty_text() : *at.value;
      add({FieldReason::kInvalid, at.path(), error_text(statement, shown), filled(why, base)});
    }
  } else if (word == "enum") {
    const auto& text = at.value->scalar();
    const bool is_known = text.empty()
                              ? !statement.takes_zero
                              : std::ranges::any_of(words, [&](const auto& one) { return plain_word(one) == text; });
    if (!is_known) {
      add({FieldReason::kNotSupported, at.path(), shown_value(at.value->is_null() ? Tree("") : *at.value),
           supported_values(words)});
    }
  } else if (word == "unsupported") {
    add({FieldReason::kNotSupported, at.path(), error_text(statement, *at.value), supported_values(words)});
  } else if (word == "unchanged") {
    if (!is_same(*at.before, *at.value)) add({FieldReason::kForbidden, at.path(), {}, why});
  } else if (word == "immutable") {
    if (is_same(*at.before, *at.value)) return true;
    const auto shown = error_text(statement, *at.value);
    add({FieldReason::kInvalid, at.path(), shown, why.empty() ? "field is immutable" : why});
  } else {
    return false;
  }
  return true;
}

bool RuleCheck::run_number(const RuleStatement& statement, const Spot& at, const Spot& base) {
  const auto& word = statement.word;
  const auto& words = statement.words;
  const bool is_size = word == "max_items" || word == "max_bytes";
  const bool is_range = word == "range" || word == "least" || word == "most";
  if (!is_size && !is_range) return false;
  const auto limit = base::parse_number<std::int64_t>(words[0]).value_or(0);
  if (word == "max_items") {
    const auto count = at.value->items().size() + at.value->members().size();
    if (count > static_cast<std::size_t>(limit)) add(FieldError::too_many(at.path(), count, limit));
  } else if (word == "max_bytes") {
    if (at.value->scalar().size() > static_cast<std::size_t>(limit)) add(FieldError::too_long(at.path(), limit));
  } else if (at.value->is_null() && !statement.takes_zero) {
    return true;
  } else if (const auto number = number_in(*at.value); word == "range") {
    const auto most = base::parse_number<std::int64_t>(words[1]).value_or(0);
    if (number < limit || number > most) {
      invalid(at, at.value->is_null() ? Tree(0) : *at.value,
              "must be between " + words[0] + " and " + words[1] + ", inclusive");
    }
  } else if (word == "least" ? number < limit : number > limit) {
    const std::string usual = word == "least" ? "must be greater than or equal to " : "must be less than or equal to ";
    invalid(at, at.value->is_null() ? Tree(0) : *at.value,
            words.size() > 1 ? filled(words[1].substr(1), base) : usual + words[0]);
  }
  return true;
}

// Sets of names: `set` empties them.
bool RuleCheck::run_set(const RuleStatement& statement, const Spot& at) {
  const auto& word = statement.word;
  const auto& name = at.value->scalar();
  if (word == "stop_if_errors") {
    is_stopped_ = !errors_.list().empty();
  } else if (word == "set") {
    for (const auto& set : statement.words) sets_[set].clear();
  } else if (word == "insert") {
    sets_[statement.words[0]].insert(name);
  } else if (word == "unique") {
    const bool is_skipped = name.empty() && !statement.takes_zero;
    if (is_skipped || sets_[statement.words[0]].insert(name).second) return true;
    if (statement.words.size() > 1) {
      invalid(at, statement.words[1].substr(1));
    } else {
      add({FieldReason::kDuplicate, at.path(), shown_value(*at.value)});
    }
  } else if (word == "belongs") {
    const bool is_member =
        std::ranges::any_of(statement.words, [&](const auto& set) { return sets_[set].contains(name); });
    if (!is_member) invalid(at, plain_word(statement.words.back()));
  } else if (word == "known") {
    const bool is_known =
        std::ranges::any_of(statement.words, [&](const std::string& set) { return sets_[set].contains(name); });
    if (!is_known) add({FieldReason::kNotFound, at.path(), shown_value(at.value->is_null() ? Tree("") : *at.value)});
  } else {
    return false;
  }
  return true;
}

bool RuleCheck::holds(const RuleCondition& condition, const Spot& base) const {
  const auto& left = condition.left;
  bool is_met = false;
  if (condition.op.empty() && (left == "new" || left == "update" || left == "status" || left == "main")) {
    is_met = left == "new"      ? is_new()
             : left == "status" ? is_status()
             : left == "main"   ? subresource_ == Subresource::kNone
                                : !is_new();
    return is_met != condition.is_negated;
  }
  if (left.starts_with('@')) {
    const auto set = sets_.find(left.substr(1));
    return (set != sets_.end() && !set->second.empty()) != condition.is_negated;
  }
  const auto& value = resolve(left, base);
  const auto number = [&](std::string_view text) {
    const auto literal = base::parse_number<std::int64_t>(text);
    return literal ? *literal : number_in(resolve(text, base));
  };
  const auto size = static_cast<std::int64_t>(value.items().size() + value.members().size());
  const auto amount = condition.is_count ? size : number_in(value);
  if (condition.op.empty()) {
    is_met = !is_zero(value);
  } else if (condition.op == "?") {
    is_met = !value.is_null();
  } else if (condition.op == "<>") {
    is_met = !is_same(resolve("~" + left, base), value);
  } else if (condition.op == "<") {
    is_met = amount < number(condition.right);
  } else if (condition.op == ">") {
    is_met = amount > number(condition.right);
  } else if (condition.op == "*=") {
    is_met = value.scalar().find(condition.right) != std::string::npos;
  } else if (condition.op == "^=") {
    is_met = value.scalar().starts_with(condition.right);
  } else if (condition.is_count) {
    is_met = (amount == number(condition.right)) == (condition.op == "=");
  } else {
    const auto options = parts_of(condition.right, '|');
    const bool may_be_empty = condition.right.empty() || condition.right.starts_with('|');
    const bool is_listed = value.scalar().empty() ? may_be_empty : contains(options, value.scalar());
    is_met = is_listed == (condition.op == "=");
  }
  return is_met != condition.is_negated;
}

const Tree& RuleCheck::resolve(std::string_view path, const Spot& base) const {
  bool is_former = false;
  const Spot* spot = &base;
  while (path.starts_with('~') || path.starts_with('^')) {
    if (path.front() == '~') is_former = true;
    if (path.front() == '^' && spot->frame != nullptr) spot = spot->frame;
    path.remove_prefix(1);
  }
  if (path.starts_with('/')) return value_at(is_former ? before() : after_, path.substr(1));
  const auto& value = is_former ? *spot->before : *spot->value;
  return path == "." ? value : value_at(value, path);
}

// Replaces {PATH} by the value.
std::string RuleCheck::filled(std::string_view text, const Spot& base) const {
  std::string out;
  for (auto open = text.find('{'); open != std::string_view::npos; open = text.find('{')) {
    const auto close = text.find('}', open);
    if (close == std::string_view::npos) break;
    out.append(text.substr(0, open));
    const auto& value = resolve(text.substr(open + 1, close - open - 1), base);
    out += value.is_object() || value.is_array() ? go_json(value) : value.scalar();
    text.remove_prefix(close + 1);
  }
  return out.append(text);
}

}  // namespace keelson::sandbox
