#include "keelson/detail/schema/field_error.hpp"

#include <array>
#include <set>
#include <utility>

#include "keelson/detail/schema/short_text.hpp"
#include "keelson/json/writer.hpp"

namespace keelson::kube {

namespace {

struct ReasonTexts {
  std::string_view name;
  std::string_view text;
};

// In the order of FieldReason.
constexpr auto kReasons = std::to_array<ReasonTexts>({
    {"FieldValueInvalid", "Invalid value"},
    {"FieldValueForbidden", "Forbidden"},
    {"FieldValueRequired", "Required value"},
    {"FieldValueDuplicate", "Duplicate value"},
    {"FieldValueNotSupported", "Unsupported value"},
    {"FieldValueNotFound", "Not found"},
    {"FieldValueTooLong", "Too long"},
    {"FieldValueTooMany", "Too many"},
    {"FieldValueTypeInvalid", "Invalid value"},
});

const ReasonTexts& texts_of(FieldReason reason) { return kReasons.at(static_cast<std::size_t>(reason)); }

}  // namespace

std::string_view name_of(FieldReason reason) { return texts_of(reason).name; }

std::optional<FieldReason> field_reason(std::string_view name) {
  for (std::size_t i = 0; i < kReasons.size(); ++i) {
    if (kReasons[i].name == name) return static_cast<FieldReason>(i);
  }
  return std::nullopt;
}

FieldError::FieldError(FieldReason cause, std::string field, std::string_view value, std::string_view why)
    : path(std::move(field)), reason(cause), detail(texts_of(cause).text) {
  if (!value.empty()) detail.append(": ").append(value);
  if (!why.empty()) detail.append(cause == FieldReason::kNotSupported ? ": supported values: " : ": ").append(why);
}

FieldError FieldError::too_many(std::string field, std::size_t count, std::int64_t most) {
  return {FieldReason::kTooMany, std::move(field), std::to_string(count),
          "must have at most " + std::to_string(most) + (most == 1 ? " item" : " items")};
}

FieldError FieldError::too_long(std::string field, std::int64_t most) {
  const auto bytes = std::to_string(most) + (most == 1 ? " byte" : " bytes");
  return {FieldReason::kTooLong, std::move(field), {}, "may not be more than " + bytes};
}

std::string all_messages(const std::vector<FieldError>& errors, FieldErrorBytes limit) {
  std::set<std::string> seen;
  std::string joined;
  std::size_t left_out = 0;
  for (const auto& error : errors) {
    auto message = short_text(error.path, limit.each) + ": " + short_text(error.detail, limit.each);
    if (joined.size() + message.size() > limit.all) {
      ++left_out;
      continue;
    }
    if (!seen.insert(message).second) continue;
    joined += (joined.empty() ? "" : ", ") + message;
  }
  if (left_out > 0) joined += ", and " + std::to_string(left_out) + " more";
  return seen.size() > 1 ? "[" + joined + "]" : joined;
}

std::string status_causes(const std::vector<FieldError>& errors, FieldErrorBytes limit) {
  json::Writer writer;
  writer.begin_array();
  std::size_t written = 0;
  for (const auto& error : errors) {
    const auto path = short_text(error.path, limit.each);
    const auto detail = short_text(error.detail, limit.each);
    written += path.size() + detail.size();
    if (written > limit.all) break;
    writer.begin_object();
    writer.field("reason", name_of(error.reason)).field("message", detail).field("field", path);
    writer.end_object();
  }
  writer.end_array();
  return std::move(writer).take();
}

}  // namespace keelson::kube
