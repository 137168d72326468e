#include "keelson/detail/cel/program.hpp"

#include <catch2/catch_test_macros.hpp>

namespace keelson::cel {
namespace {

Value evaluated(std::string_view text, std::size_t steps = 100'000) {
  auto program = Program::compile(text, {{"x", dyn_type()}});
  if (!program) return Value::error(program.error().text);
  const auto x = Value::of_list({Value::of_int(1), Value::of_int(2)});
  return program->evaluate({{"x", x}}, steps);
}

TEST_CASE("expressions have their values") {
  for (const char* text : {
           "1 + 2 * 3 == 7",
           "(1 + 2) * 3 == 9",
           "-7 / 2 == -3 && -7 % 2 == -1",
           "1 < 2 && 2 >= 2 || false",
           "!(1 == 2)",
           "1 == 2 ? false : true",
           "'a' + \"b\" == 'ab'",
           R"(r'\n'.size() == 2 && '\n'.size() == 1 && '\u00e4' == 'ä')",
           "'''a'b''' == \"a'b\"",
           "b'a' == bytes('a')",
           "0x10 == 16 && 1u == uint(1) && 1.5e1 == 15.0",
           "-9223372036854775808 < 0",
           "--1 == 1 && ---1 == -1 && -1 - -1 == 0 && -1.0 == 1.0 - 2.0",
           R"('\u00a0 a\u3000'.trim() == 'a' && '\u200b'.trim() != '' && b'\xff'.size() == 1)",
           "timestamp(253402300799) > timestamp(0)",
           "[1, 2][1] == 2 && size([1]) == 1",
           "{'a': 1}.a == 1 && {'a': 1}['a'] == 1 && 'a' in {'a': 1}",
           "has({'a': 1}.a) && !has({'a': 1}.b)",
           "[1, 2] + [3] == [1, 2, 3]",
           "x.all(i, i > 0) && x.exists(i, i == 2) && x.exists_one(i, i == 1)",
           "x.filter(i, i > 1) == [2] && x.map(i, i * 2) == [2, 4] && x.map(i, i > 1, i) == [2]",
           "x.all(i, v, v == i + 1)",
           "[].sum() == 0 && x.sum() == 3 && x.max() == 2 && x.isSorted()",
           "'a,b'.split(',') == ['a', 'b'] && ['a', 'b'].join('-') == 'a-b'",
           "'Hello'.lowerAscii().startsWith('he') && 'abc'.substring(1, 2) == 'b'",
           "'aXbX'.replace('X', '') == 'ab' && ' a '.trim() == 'a' && 'abc'.indexOf('c') == 2",
           "'abc'.matches('^a.c$') && matches('abc', 'b')",
           "int('3') == 3 && string(3) == '3' && double(1) == 1.0 && type(1) == int",
           "duration('1h') > duration('59m') && duration('90s').getMinutes() == 1",
           "timestamp('2020-01-01T00:00:00Z') + duration('24h') == timestamp('2020-01-02T00:00:00Z')",
           "timestamp('2020-02-03T04:05:06Z').getMonth() == 1 && timestamp('2020-02-03T04:05:06Z').getHours() == 4",
           "string(timestamp('2020-01-01T01:00:00+01:00')) == '2020-01-01T00:00:00Z'",
           "quantity('1Gi').isGreaterThan(quantity('1G')) && isQuantity('1k') && !isQuantity('x')",
           "optional.of(1).hasValue() && optional.none().orValue(2) == 2 && {'a': 1}.?b.orValue(3) == 3",
           "{'a': 1}[?'a'].value() == 1 && optional.of(1).optMap(v, v + 1).value() == 2",
           "sets.contains([1, 2], [2]) && sets.equivalent([1, 1], [1]) && !sets.intersects([1], [2])",
           "dyn(1) == 1.0 && dyn(1) != 'a'",
           "true || 1 / 0 == 1",
           "!(false && 1 / 0 == 1)",
           "// a comment\n true",
       }) {
    INFO(text);
    auto value = evaluated(text);
    INFO(value.text());
    CHECK(value.is_true());
  }
}

TEST_CASE("errors are those of cel-go") {
  const std::pair<const char*, const char*> rows[] = {
      {"1 / 0 == 1", "division by zero"},
      {"1 % 0 == 1", "modulus by zero"},
      {"9223372036854775807 + 1 == 1", "integer overflow"},
      {"x[5] == 1", "index out of bounds: 5"},
      {"{'a': 1}['b'] == 1", "no such key: b"},
      {"dyn(1) + dyn('a') == 1", "no such overload"},
      {"int('x') == 1", "type conversion error from 'string' to 'int'"},
      {"optional.none().value() == 1", "optional.none() dereference"},
      {"timestamp(x[0] * 253402300800) > timestamp(0)", "timestamp overflow"},
  };
  for (const auto& [text, why] : rows) {
    INFO(text);
    CHECK(evaluated(text).text() == why);
  }
}

TEST_CASE("a malformed expression has an error with its place") {
  const std::pair<const char*, const char*> rows[] = {
      {"x ==",
       "ERROR: <input>:1:5: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', "
       "'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | x ==\n | ....^"},
      {"y == 1", "ERROR: <input>:1:1: undeclared reference to 'y' (in container '')\n | y == 1\n | ^"},
      {"x.foo()", "ERROR: <input>:1:6: undeclared reference to 'foo' (in container '')\n | x.foo()\n | .....^"},
      {"1 + 'a'",
       "ERROR: <input>:1:3: found no matching overload for '_+_' applied to '(int, string)'\n | 1 + 'a'\n | ..^"},
      {"0 - 9223372036854775808 < 0",
       "ERROR: <input>:1:5: invalid int literal\n | 0 - 9223372036854775808 < 0\n | ....^"},
      {"--9223372036854775808 < 0", "ERROR: <input>:1:3: invalid int literal\n | --9223372036854775808 < 0\n | ..^"},
      {R"(b'\u00e9' == b'a')", "ERROR: <input>:1:1: unable to unescape string\n | b'\\u00e9' == b'a'\n | ^"},
      {R"('\ud800' == 'a')", "ERROR: <input>:1:1: invalid unicode code point\n | '\\ud800' == 'a'\n | ^"},
      {R"('\U00110000' == 'a')", "ERROR: <input>:1:1: invalid unicode code point\n | '\\U00110000' == 'a'\n | ^"},
      {"timestamp(253402300800) > timestamp(0)",
       "ERROR: <input>:1:11: invalid timestamp argument\n | timestamp(253402300800) > timestamp(0)\n | ..........^"},
      {"(x", "ERROR: <input>:1:3: Syntax error: missing ')' at '<EOF>'\n | (x\n | ..^"},
  };
  for (const auto& [text, why] : rows) CHECK(evaluated(text).text() == why);
}

TEST_CASE("a deeply nested or long expression is an error and does not end the process") {
  CHECK(evaluated(std::string(100'000, '(')).is_error());
  CHECK(evaluated(std::string(60'000, '!') + "true").is_true());
  CHECK(evaluated(std::string(60'000, '[')).is_error());
  std::string sum = "1";
  for (int i = 0; i < 10'000; ++i) sum += "+1";
  CHECK(evaluated(sum + " == 1").is_error());
  std::string either = "true";
  for (int i = 0; i < 5'000; ++i) either += "&&true";
  CHECK(evaluated(either).is_true());
  CHECK(evaluated(std::string(100'000, ' ') + "true").is_error());
}

TEST_CASE("an evaluation ends when its steps are exhausted") {
  auto value = evaluated("x.all(a, x.all(b, x.all(c, x.all(d, a + b + c + d > 0))))", 50);

  CHECK(value.text() == Program::kOutOfSteps);
}

TEST_CASE("long separators count toward the limit of steps") {
  auto joined = evaluated("['', '', ''].join('" + std::string(4000, 'a') + "').size() > 0", 1000);

  CHECK(joined.text() == Program::kOutOfSteps);
}

TEST_CASE("an invalid pattern costs its length, and one that is too large costs its compilation") {
  auto matched = [](const std::string& pattern, std::size_t steps) {
    return evaluated("'a'.matches(dyn('" + pattern + "'))", steps).text();
  };

  CHECK(matched("(", 200) == "error parsing regexp: missing closing ): `(`");
  CHECK(matched("(" + std::string(2000, 'a'), 400) == Program::kOutOfSteps);
  CHECK(matched("[" + std::string(200, 'a'), 1000).starts_with("error parsing regexp: missing closing ]"));
  CHECK(matched(std::string(60'000, '.'), 75'000) == Program::kOutOfSteps);
  CHECK(matched(std::string(60'000, '.'), 900'000).starts_with("error parsing regexp: expression too large"));
}

TEST_CASE("types that would double with each step become dyn") {
  std::string text = "[1]";
  for (int i = 0; i < 18; ++i) text += ".map(a, {a: a})";
  auto value = evaluated(text + ".foo");

  CHECK(value.is_error());
  CHECK(value.text().size() < 10'000);
}

Value evaluated_of(std::string_view text, const Value& x, const Value& y) {
  auto program = Program::compile(text, {{"x", dyn_type()}, {"y", dyn_type()}});
  if (!program) return Value::error(program.error().text);
  std::size_t steps = 250'000;
  return program->evaluate({{"x", x}, {"y", y}}, steps);
}

TEST_CASE("a value that repeats its parts is not visited beyond the cost of a rule") {
  std::string doubled = "[1]";
  for (int i = 0; i < 60; ++i) doubled += ".map(i, [i, i])";
  for (const char* call : {".indexOf([]) < 5", ".isSorted()", ".max() == []"}) {
    INFO(call);
    CHECK(evaluated(doubled + call, 1'000'000).is_error());
  }
}

TEST_CASE("a chain of thousands of operands is read in linear time") {
  std::string chain = "true";
  for (int i = 0; i < 6000; ++i) chain += i % 2 == 0 ? " || true" : " && true";
  const auto value = evaluated(chain, 1'000'000);
  INFO(value.text());
  CHECK(value.is_true());
}

TEST_CASE("a number that is none equals and orders nothing, and a filter needs a bool") {
  CHECK(evaluated("double('nan') != double('nan') && !(double('nan') == 1.0)").is_true());
  CHECK(evaluated("!(double('nan') <= 1.0) && !(double('nan') >= 1.0) && !(1.0 < double('nan'))").is_true());
  CHECK(evaluated("[1].filter(i, dyn('a')).size() == 0").is_error());
  CHECK(evaluated("[1].map(i, dyn('a'), i).size() == 0").is_error());
}

TEST_CASE("sets are not compared when the steps are exhausted") {
  Values ones;
  Values others;
  for (int i = 0; i < 100'000; ++i) {
    ones.push_back(Value::of_int(i));
    others.push_back(Value::of_int(-1 - i));
  }

  CHECK(evaluated_of("sets.intersects(x, y)", Value::of_list(ones), Value::of_list(others)).text() ==
        Program::kOutOfSteps);
  CHECK(evaluated_of("(x + y).size() > 0", Value::of_set(ones), Value::of_set(others)).text() == Program::kOutOfSteps);
}

TEST_CASE("long texts in comparisons and as keys count toward the limit of steps") {
  const auto text = Value::of_string(std::string(20'000'000, 'a'));
  const auto list = Value::of_list({text, text});
  MapValue made;
  made.add(Value::of_string("a"), Value::of_int(1));
  const auto map = Value::of_map(made);

  for (const char* rule : {"x < x", "x in y", "has(y[?x].a)", "y[x] == 1", "{x: 1} == y"}) {
    INFO(rule);
    CHECK(evaluated_of(rule, text, map).text() == Program::kOutOfSteps);
  }
  for (const char* rule : {"x.isSorted()", "[x.min()].size() == 1", "[x.max()].size() == 1"}) {
    INFO(rule);
    CHECK(evaluated_of(rule, list, map).text() == Program::kOutOfSteps);
  }
}

TEST_CASE("a search in a text takes linear time") {
  const auto text = Value::of_string(std::string(400'000, 'a'));
  const auto needle = Value::of_string(std::string(200'000, 'a') + "b");

  CHECK(evaluated_of("x.lastIndexOf(y) == -1 && x.indexOf(y) == -1", text, needle).is_true());
  CHECK(evaluated("'abcabc'.lastIndexOf('bc') == 4 && 'abcabc'.lastIndexOf('bc', 3) == 1").is_true());
  CHECK(evaluated("'abcabc'.lastIndexOf('') == 6 && 'abc'.lastIndexOf('', 1) == 1").is_true());
  CHECK(evaluated("'abc'.lastIndexOf('abcd') == -1 && 'abc'.indexOf('', 3) == 3 && ''.contains('')").is_true());
}

TEST_CASE("a program returns the names of the variables that it uses") {
  auto program = Program::compile("self.a == oldSelf.a", {{"self", dyn_type()}, {"oldSelf", dyn_type()}});
  auto other = Program::compile("[1].all(oldSelf, oldSelf == 1)", {{"self", dyn_type()}, {"oldSelf", dyn_type()}});

  CHECK(program->uses("oldSelf"));
  CHECK_FALSE(other->uses("oldSelf"));
}

}  // namespace
}  // namespace keelson::cel
