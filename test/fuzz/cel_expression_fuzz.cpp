// Any bytes as an expression: it is rejected with a text, or its evaluation ends within its steps, with a value or an
// error. The variables are an object, a list and a value of any type.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/cel/program.hpp"

namespace {

using namespace keelson;
using Kind = cel::Value::Kind;

std::vector<cel::Variable> fuzz_variables() {
  cel::Type object{.kind = Kind::kMap, .name = "object", .is_object = true};
  object.fields["a"] = cel::type_of(Kind::kString);
  object.fields["n"] = cel::type_of(Kind::kInt);
  object.fields["l"] = cel::list_type(cel::type_of(Kind::kString));
  object.fields["m"] = cel::map_type(cel::type_of(Kind::kString), cel::type_of(Kind::kInt));
  object.fields["t"] = cel::type_of(Kind::kTimestamp);
  return {{"self", std::make_shared<const cel::Type>(std::move(object))}, {"any", cel::dyn_type()}};
}

cel::Value fuzz_object() {
  cel::MapValue numbers;
  numbers.add(cel::Value::of_string("x"), cel::Value::of_int(1));
  cel::MapValue made;
  made.add(cel::Value::of_string("a"), cel::Value::of_string("10.0.0.1/8"));
  made.add(cel::Value::of_string("n"), cel::Value::of_int(-3));
  made.add(cel::Value::of_string("l"), cel::Value::of_list({cel::Value::of_string("b"), cel::Value::of_string("a")}));
  made.add(cel::Value::of_string("m"), cel::Value::of_map(std::move(numbers)));
  made.add(cel::Value::of_string("t"), cel::Value::of_timestamp(1'592'260'245, 500'000'000));
  return cel::Value::of_map(std::move(made));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  static const auto variables = fuzz_variables();
  static const auto self = fuzz_object();
  const auto program = cel::Program::compile(text, variables);
  if (!program) {
    KEELSON_ASSERT(!program.error().text.empty());
    return 0;
  }
  constexpr std::size_t kSteps = 20'000;
  auto steps = kSteps;
  const auto value = program->evaluate({{"self", self}, {"any", self}}, steps);
  KEELSON_ASSERT(steps <= kSteps);
  KEELSON_ASSERT(!value.is_error() || !value.text().empty());
  // The same again: nothing is kept between evaluations.
  auto again = kSteps;
  const auto same = program->evaluate({{"self", self}, {"any", self}}, again);
  KEELSON_ASSERT(again == steps && same.kind() == value.kind());
  return 0;
}
