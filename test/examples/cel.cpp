// The example of include/keelson/cel.
#include <cstdint>
#include <vector>

#include "keelson/base/try.hpp"
#include "keelson/detail/cel/program.hpp"

namespace keelson::examples {

// [program]
Result<bool> is_small(std::int64_t replicas) {
  const std::vector<cel::Variable> variables{{"replicas", cel::type_of(cel::Value::Kind::kInt)}};
  KEELSON_LET(auto rule, cel::Program::compile("replicas <= 5", variables));  // once
  const auto value = cel::Value::of_int(replicas);
  std::size_t steps = 1'000'000;
  const auto result = rule.evaluate({{"replicas", value}}, steps);  // often
  if (result.is_error()) return invalid_error(result.text());
  return result.is_true();
}
// [end]

}  // namespace keelson::examples
