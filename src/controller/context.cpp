#include "keelson/controller/context.hpp"

#include <array>

#include "keelson/detail/base/misuse.hpp"

namespace keelson::controller {

FlagValues with_defaults(const std::vector<Flag>& declared, FlagValues given) {
  for (const auto& flag : declared) given.try_emplace(flag.name, flag.default_value);
  return given;
}

std::string_view flag_type_name(const FlagValue& value) {
  constexpr std::array<std::string_view, std::variant_size_v<FlagValue>> kNames = {
      "nothing", "bool", "number", "text", "duration", "list of texts"};
  return kNames.at(value.index());
}

namespace detail {

const FlagValue& look_up(const FlagValues& values, std::string_view name) {
  const auto found = values.find(name);
  if (found != values.end()) return found->second;
  throw base::Misuse("the flag --" + std::string(name) + " is read and not declared: add .flag<T>(\"" +
                     std::string(name) + "\", default, help) to the controller or to the Operator");
}

void misuse_flag(std::string_view name, const FlagValue& value, const FlagValue& asked) {
  const std::string type(flag_type_name(value));
  throw base::Misuse("the flag --" + std::string(name) + " is declared as a " + type + " and read as a " +
                     std::string(flag_type_name(asked)) + ": use the same type in both places");
}

}  // namespace detail

}  // namespace keelson::controller
