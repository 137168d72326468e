#include "keelson/cel/pattern.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#include "keelson/base/try.hpp"
#include "keelson/base/utf8.hpp"
#include "src/cel/pattern_syntax.hpp"

namespace keelson::cel {

namespace {

// Limits the calls of the compiler, some of which emit no instruction.
constexpr std::size_t kCallsPerInstruction = 4;

struct Instruction {
  enum class Op : std::uint8_t { kClass, kAssertion, kSplit, kMatch };
  Op op = Op::kMatch;
  Assertion assertion = Assertion::kTextBegin;
  std::uint32_t ranges = 0;  // of kClass: its index in `classes`
  std::uint32_t next = 0;
  std::uint32_t other = 0;  // of kSplit
};

}  // namespace

struct Pattern::Program {
  std::vector<Instruction> code;
  std::vector<CodeRanges> classes;
  std::uint32_t start = 0;
  std::size_t calls = 0;  // of the compiler: the cost of compilation
};

namespace {

using Op = Instruction::Op;

// Emits the code of a node; it continues at `next`.
class PatternCompiler {
 public:
  explicit PatternCompiler(Pattern::Program& program) : program_(program) {}

  [[nodiscard]] bool is_too_large() const {
    return program_.code.size() > Pattern::kMostSize || program_.calls > Pattern::kMostSize * kCallsPerInstruction;
  }

  std::uint32_t emit(Instruction instruction) {
    if (!is_too_large()) program_.code.push_back(instruction);
    return static_cast<std::uint32_t>(program_.code.size() - 1);
  }

  std::uint32_t compile(const PatternNode& node, std::uint32_t next) {
    ++program_.calls;
    if (is_too_large()) return next;
    switch (node.kind) {
      case PatternNode::Kind::kEmpty:
        return next;
      case PatternNode::Kind::kClass:
        return emit({.op = Op::kClass, .ranges = class_of(node), .next = next});
      case PatternNode::Kind::kAssertion:
        return emit({.op = Op::kAssertion, .assertion = node.assertion, .next = next});
      case PatternNode::Kind::kSequence:
        for (auto part = node.parts.rbegin(); part != node.parts.rend(); ++part) next = compile(*part, next);
        return next;
      case PatternNode::Kind::kChoice:
        return choice(node, next);
      case PatternNode::Kind::kRepeat:
        return repeat(node, next);
    }
    return next;
  }

 private:
  // All instructions of a repeated node share a class.
  std::uint32_t class_of(const PatternNode& node) {
    auto [found, is_new] = classes_.try_emplace(&node, static_cast<std::uint32_t>(program_.classes.size()));
    if (is_new) program_.classes.push_back(node.ranges);
    return found->second;
  }

  std::uint32_t choice(const PatternNode& node, std::uint32_t next) {
    auto start = compile(node.parts.back(), next);
    for (std::size_t i = node.parts.size() - 1; i-- > 0;) {
      start = emit({.op = Op::kSplit, .next = compile(node.parts[i], next), .other = start});
    }
    return start;
  }

  std::uint32_t repeat(const PatternNode& node, std::uint32_t next) {
    const auto& inner = node.parts[0];
    auto start = next;
    if (node.most < 0) {
      start = emit({.op = Op::kSplit, .other = next});
      auto body = compile(inner, start);
      if (!is_too_large()) program_.code[start].next = body;
    } else {
      for (int i = node.least; i < node.most && !is_too_large(); ++i) {
        start = emit({.op = Op::kSplit, .next = compile(inner, start), .other = next});
      }
    }
    for (int i = 0; i < node.least && !is_too_large(); ++i) start = compile(inner, start);
    return start;
  }

  Pattern::Program& program_;
  std::unordered_map<const PatternNode*, std::uint32_t> classes_;
};

bool is_in(const CodeRanges& ranges, std::uint32_t point) {
  auto after = std::upper_bound(ranges.begin(), ranges.end(), point,
                                [](std::uint32_t one, const auto& range) { return one < range.first; });
  return after != ranges.begin() && point <= std::prev(after)->second;
}

bool is_word(std::string_view text, std::size_t at) {
  if (at >= text.size()) return false;
  auto c = static_cast<unsigned char>(text[at]);
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

bool holds(Assertion assertion, std::string_view text, std::size_t at) {
  switch (assertion) {
    case Assertion::kTextBegin:
      return at == 0;
    case Assertion::kTextEnd:
      return at == text.size();
    case Assertion::kLineBegin:
      return at == 0 || text[at - 1] == '\n';
    case Assertion::kLineEnd:
      return at == text.size() || text[at] == '\n';
    default:
      bool is_boundary = (at > 0 && is_word(text, at - 1)) != is_word(text, at);
      return is_boundary == (assertion == Assertion::kWordBoundary);
  }
}

// Simulates all states of the automaton at once, so each character is read once.
class PatternRun {
 public:
  PatternRun(const Pattern::Program& program, std::string_view text, std::size_t& steps)
      : program_(program), text_(text), steps_(steps), seen_(program.code.size(), 0) {}

  std::optional<bool> run() {
    std::vector<std::uint32_t> current;
    std::vector<std::uint32_t> next;
    for (std::size_t at = 0;;) {
      add(program_.start, at, current);
      if (has_matched_) return true;
      if (at == text_.size() || (current.empty() && is_anchored())) return false;
      auto rune = base::first_rune(text_.substr(at));
      auto point = rune.bytes > 0 ? rune.code_point : 0xFFFDU;
      auto after = at + std::max<std::size_t>(rune.bytes, 1);
      ++round_;
      next.clear();
      for (auto state : current) {
        const auto& code = program_.code[state];
        if (is_in(program_.classes[code.ranges], point)) add(code.next, after, next);
        if (has_matched_) return true;
      }
      if (is_out_of_steps_ || !spend(current.size() + 1)) return std::nullopt;
      current.swap(next);
      at = after;
    }
  }

 private:
  [[nodiscard]] bool is_anchored() const {
    const auto& first = program_.code[program_.start];
    return first.op == Op::kAssertion && first.assertion == Assertion::kTextBegin;
  }
  bool spend(std::size_t steps) {
    is_out_of_steps_ = is_out_of_steps_ || steps > steps_;
    steps_ -= std::min(steps, steps_);
    return !is_out_of_steps_;
  }

  void add(std::uint32_t start, std::size_t at, std::vector<std::uint32_t>& states) {
    pending_.assign(1, start);
    while (!pending_.empty() && spend(1)) {
      auto state = pending_.back();
      pending_.pop_back();
      if (seen_[state] == round_ + 1) continue;
      seen_[state] = round_ + 1;
      const auto& code = program_.code[state];
      switch (code.op) {
        case Op::kMatch:
          has_matched_ = true;
          return;
        case Op::kClass:
          states.push_back(state);
          break;
        case Op::kAssertion:
          if (holds(code.assertion, text_, at)) pending_.push_back(code.next);
          break;
        case Op::kSplit:
          pending_.push_back(code.other);
          pending_.push_back(code.next);
          break;
      }
    }
  }

  const Pattern::Program& program_;
  std::string_view text_;
  std::size_t& steps_;
  std::vector<std::size_t> seen_;  // the last round, plus 1, in which a state was added
  std::vector<std::uint32_t> pending_;
  std::size_t round_ = 0;
  bool has_matched_ = false;
  bool is_out_of_steps_ = false;
};

}  // namespace

Result<Pattern> Pattern::compile(std::string_view expression) {
  KEELSON_LET(auto node, parse_pattern(expression));
  auto program = std::make_shared<Program>();
  PatternCompiler compiler(*program);
  auto end = compiler.emit({});
  program->start = compiler.compile(node, end);
  if (compiler.is_too_large()) {
    return invalid_error("error parsing regexp: expression too large: `" + std::string(expression) + "`");
  }
  return Pattern(std::move(program));
}

std::size_t Pattern::size() const { return std::max(program_->code.size(), program_->calls / kCallsPerInstruction); }

std::optional<bool> Pattern::matches(std::string_view text, std::size_t& steps) const {
  return PatternRun(*program_, text, steps).run();
}

}  // namespace keelson::cel
