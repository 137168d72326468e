// Events as JSON, in the new and in the old group.
#pragma once

#include <string>

#include "src/controller/event_policy.hpp"

namespace keelson::controller {

struct Reporter {
  std::string component;
  std::string host;
  [[nodiscard]] std::string instance() const;  // "<component>-<host>", cut to the API's limit
};

// The body of the POST.
[[nodiscard]] std::string event_json(const EventSeries& event, const Reporter& reporter);       // events.k8s.io/v1
[[nodiscard]] std::string core_event_json(const EventSeries& event, const Reporter& reporter);  // v1

// The merge patch for a repetition.
[[nodiscard]] std::string series_patch(const EventSeries& event);
[[nodiscard]] std::string core_series_patch(const EventSeries& event);

// "<object>.<hexadecimal>": client-go's name, the object's part cut so that the whole stays a valid name.
[[nodiscard]] std::string event_name(std::string_view object, std::uint64_t number);

}  // namespace keelson::controller
