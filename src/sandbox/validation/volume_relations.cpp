#include "src/sandbox/validation/relations.hpp"

#include <array>
#include <map>

#include "keelson/schema/quantity.hpp"
#include "src/sandbox/custom/schema_tree.hpp"
#include "src/sandbox/fields/go_values.hpp"
#include "src/sandbox/requests/texts.hpp"
#include "src/sandbox/validation/immutable_fields.hpp"
#include "src/sandbox/validation/internal_values.hpp"
#include "src/sandbox/validation/resource_check.hpp"

namespace keelson::sandbox {

namespace {

void check_access_modes(RuleCheck& check, const Spot& at, const Words&) {
  bool has_single = false;
  bool has_other = false;
  constexpr auto kModes =
      std::to_array<std::string_view>({"ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"});
  for (const auto& mode : at.value->items()) {
    if (!contains(kModes, mode.scalar())) {
      check.add({FieldReason::kNotSupported, at.path(), shown_value(mode),
                 R"("ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod")"});
    } else {
      (mode.scalar() == "ReadWriteOncePod" ? has_single : has_other) = true;
    }
  }
  if (!has_single || !has_other) return;
  check.add({FieldReason::kForbidden, at.path(), {}, "may not use ReadWriteOncePod with other access modes"});
}

// Whether the class of the claim is named for the first time, or by the field instead of by the annotation.
bool names_class(RuleCheck& check, const Tree& had, const Tree& has) {
  const Tree* before = check.before().at({"metadata", "annotations", "volume.beta.kubernetes.io/storage-class"});
  if (had.find("storageClassName") != nullptr || has.find("storageClassName") == nullptr) return false;
  return before == nullptr || before->scalar() == has.text_at({"storageClassName"});
}

void check_volume_claim_update(RuleCheck& check, const Spot& at, const Words&) {
  auto had = *at.before;
  auto has = *at.value;
  // The controller of volumes sets the volume.
  if (had.text_at({"volumeName"}).empty()) copy_member(has, had, "volumeName");
  if (names_class(check, had, has)) copy_member(had, has, "storageClassName");
  const bool is_bound = check.after().text_at({"status", "phase"}) == "Bound";
  if (is_bound) copy_member(had, has, "volumeAttributesClassName");
  const auto storage_of = [](const Tree& value, const char* list) { return value.copy_at({list, "storage"}); };
  const auto old_size = storage_of(had.copy_at({"resources"}), "requests");
  const auto new_size = storage_of(has.copy_at({"resources"}), "requests");
  if (is_bound && has.at({"resources", "requests"}) != nullptr) {
    copy_member(had.copy_at({"resources", "requests"}), has["resources"]["requests"], "storage");
  }
  if (!is_same(had, has)) {
    check.add({FieldReason::kForbidden,
               at.path(),
               {},
               "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound "
               "claims\n" +
                   internal_difference(had, has, "core.PersistentVolumeClaimSpec")});
  }
  const auto amount = [](const Tree& size) {
    const auto parsed = kube::Quantity::parse(size.is_null() ? "0" : size.scalar());
    return parsed ? *parsed : kube::Quantity();
  };
  // A claim that could not be expanded may shrink to its real size.
  const auto least = amount(storage_of(check.before().copy_at({"status"}), "capacity"));
  if (amount(new_size) < amount(old_size) && amount(new_size) <= least) {
    check.add({FieldReason::kForbidden,
               at.path() + ".resources.requests.storage",
               {},
               "field can not be less than status.capacity"});
  }
}

// The spec of a volume consists of the source and these.
constexpr std::string_view kNotOfVolumeSource =
    "capacity accessModes claimRef persistentVolumeReclaimPolicy storageClassName mountOptions volumeMode nodeAffinity "
    "volumeAttributesClassName";

void check_volume_source_update(RuleCheck& check, const Spot& at, const Words&) {
  auto source = [](Tree spec) {
    for (const auto name : parts_of(kNotOfVolumeSource, ' ')) spec.erase(name);
    return spec;
  };
  const auto had = source(*at.before);
  auto has = source(*at.value);
  // The secret that a driver expands the volume with can be added later.
  constexpr const char* kSecret = "controllerExpandSecretRef";
  const bool gets_secret = had.find("csi") != nullptr && had.at({"csi", kSecret}) == nullptr;
  if (gets_secret && has.at({"csi", kSecret}) != nullptr) has["csi"].erase(kSecret);
  if (is_same(had, has)) return;
  check.add({FieldReason::kForbidden,
             "spec.persistentvolumesource",
             {},
             "spec.persistentvolumesource is immutable after creation\n" +
                 internal_difference(had, has, "core.PersistentVolumeSource")});
}

// `at` is `resources` of a claim.
void check_claim_storage(RuleCheck& check, const Spot& at, const Words&) {
  const Tree* storage = at.value->at({"requests", "storage"});
  const auto path = key_path(at.path(), "storage");
  if (storage == nullptr) return check.add({FieldReason::kRequired, path});
  auto spot = at.key("storage", *storage);
  check_quantity(check, spot, {"positive"});
}

void check_volume_capacity(RuleCheck& check, const Spot& at, const Words&) {
  if (at.value->find("storage") == nullptr || at.value->members().size() > 1) {
    check.add({FieldReason::kNotSupported, at.path(), go_json(*at.value), "\"storage\""});
  }
  for (const auto& [name, value] : at.value->members()) {
    const auto spot = at.key(name, value);
    const auto amount = kube::Quantity::parse(value.scalar());
    if (amount && amount->value() < 0) check.invalid(spot, Tree(amount->value()), "must be a valid resource quantity");
    check_quantity(check, spot, {"positive"});
  }
}

void check_lifecycle_modes(RuleCheck& check, const Spot& at, const Words&) {
  for (const auto& mode : at.value->items()) {
    if (mode.scalar() == "Persistent" || mode.scalar() == "Ephemeral") continue;
    check.add({FieldReason::kNotSupported, at.path(), shown_value(mode), R"("Persistent", "Ephemeral")"});
  }
}

// The parameters of a StorageClass or VolumeAttributesClass.
void check_class_parameters(RuleCheck& check, const Spot& at, const Words&) {
  constexpr std::int64_t kMostParameters = 512;
  constexpr std::int64_t kMostBytesOfParameters = std::int64_t{256} << 10;
  const auto& parameters = at.value->members();
  if (parameters.size() > static_cast<std::size_t>(kMostParameters)) {
    return check.add(FieldError::too_long(at.path(), kMostParameters));
  }
  std::size_t bytes = 0;
  for (const auto& [name, value] : parameters) {
    if (name.empty()) check.invalid(at, Tree(""), "field can not be empty.");
    bytes += name.size() + value.scalar().size();
  }
  if (bytes > static_cast<std::size_t>(kMostBytesOfParameters)) {
    check.add(FieldError::too_long(at.path(), kMostBytesOfParameters));
  }
}

// `at` is the drivers of a CSINode: of a known driver, only `allocatable` may change.
void check_fixed_drivers(RuleCheck& check, const Spot& at, const Words&) {
  const auto fixed = [](Tree driver) {
    driver.erase("allocatable");
    return driver;
  };
  std::map<std::string, std::vector<const Tree*>> drivers;
  for (const auto& driver : at.value->items()) drivers[driver.text_at({"name"})].push_back(&driver);
  for (const auto& former : at.before->items()) {
    for (const auto* driver : drivers[former.text_at({"name"})]) {
      const auto now = fixed(*driver);
      if (is_same(fixed(former), now)) continue;
      check.add({FieldReason::kInvalid, at.path(), internal_text(now, "storage.CSINodeDriver"), "field is immutable"});
    }
  }
}

}  // namespace

const Relations& volume_relations() {
  static const Relations kRelations{
      {"access_modes", check_access_modes},
      {"volume_claim_update", check_volume_claim_update},
      {"volume_source_update", check_volume_source_update},
      {"claim_storage", check_claim_storage},
      {"volume_capacity", check_volume_capacity},
      {"lifecycle_modes", check_lifecycle_modes},
      {"class_parameters", check_class_parameters},
      {"fixed_drivers", check_fixed_drivers},
  };
  return kRelations;
}

}  // namespace keelson::sandbox
