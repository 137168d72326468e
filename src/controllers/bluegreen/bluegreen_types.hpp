// The kind BlueGreen: what a user writes, what we answer in its status, and what kubectl shows of it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "keelson/controller/custom_resource.hpp"
#include "keelson/kube/condition.hpp"

namespace keelson::controllers {

// The colours, as routeTo and the label app.kubernetes.io/phase have them.
inline constexpr std::string_view kBlue = "Blue";
inline constexpr std::string_view kGreen = "Green";
inline constexpr std::array kColours{kBlue, kGreen};

// Objects of a CRD that did not check it may have any text as a colour.
[[nodiscard]] constexpr bool is_colour(std::string_view text) { return text == kBlue || text == kGreen; }

inline constexpr std::string_view kImmediate = "Immediate";
inline constexpr std::string_view kWhenReady = "WhenReady";

struct BlueGreenSpec {
  std::string route_to;
  kube::RawJson blue_spec;  // PodSpecs, as the bytes that came; empty: no such colour
  kube::RawJson green_spec;
  std::optional<std::string> switch_policy;  // absent: Immediate
  bool operator==(const BlueGreenSpec&) const = default;

  [[nodiscard]] const std::string& pod_spec(std::string_view colour) const {
    return colour == kBlue ? blue_spec.text : green_spec.text;
  }
  [[nodiscard]] bool has(std::string_view colour) const {
    return !pod_spec(colour).empty() && pod_spec(colour) != "null";
  }
};

struct ColourStatus {
  std::int32_t ready_replicas = 0;
  bool operator==(const ColourStatus&) const = default;
};

struct BlueGreenStatus {
  std::string route_to;              // what the Service selects, or did when there was one; empty: there never was
  std::optional<ColourStatus> blue;  // absent: there is no Deployment
  std::optional<ColourStatus> green;
  std::int64_t observed_generation = 0;
  std::vector<kube::Condition> conditions;  // Ready, Available, Progressing, TrafficSwitched, Reconciling, Stalled
  bool operator==(const BlueGreenStatus&) const = default;
};

void describe(kube::Description& d, BlueGreenSpec& spec);
void describe(kube::Description& d, ColourStatus& status);
void describe(kube::Description& d, BlueGreenStatus& status);

struct BlueGreen : CustomResource<BlueGreenSpec, BlueGreenStatus> {
  static constexpr kube::Identity kIdentity{"app.demo.kakao.com", "v1", "BlueGreen"};
  static constexpr std::array<std::string_view, 3> kConditions{"Available", "Progressing", "TrafficSwitched"};
  static void describe_kind(kube::Kind& kind);
};

}  // namespace keelson::controllers
