// The constraints of a Guestbook, as the seed has them.
#include "src/kinds/guestbook/guestbook.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "keelson/detail/schema/crd.hpp"
#include "keelson/json/value.hpp"

namespace keelson::kinds {
namespace {

// The errors of validation, or empty.
std::string rejections(std::int32_t size, const std::string& config_map_name, std::optional<std::string> alias) {
  GuestbookSpec spec;
  spec.size = size;
  spec.config_map_name = config_map_name;
  spec.type = std::move(alias);
  std::string text;
  for (const auto& error : kube::validate(spec, "spec")) text += error.message() + "\n";
  return text;
}

TEST_CASE("G1, G2, G3: size 1 to 10, configMapName of 1 to 15 characters, alias Phone, Address or Name") {
  CHECK(rejections(1, "m", std::nullopt).empty());
  CHECK(rejections(10, "fifteen-letters", "Phone").empty());
  CHECK(rejections(5, "myconfig", "Address").empty());
  CHECK(rejections(5, "myconfig", "Name").empty());
  CHECK(rejections(0, "m", {}) == "spec.size: Invalid value: 0: should be greater than or equal to 1\n");
  CHECK(rejections(11, "m", {}) == "spec.size: Invalid value: 11: should be less than or equal to 10\n");
  CHECK(rejections(1, "", {}).starts_with("spec.configMapName: Invalid value: "));
  CHECK(rejections(1, "sixteen-letters!", {}).starts_with("spec.configMapName: Too long: "));
  CHECK(rejections(1, "m", "Mail") ==
        "spec.alias: Unsupported value: \"Mail\": supported values: \"Phone\", \"Address\", \"Name\"\n");
}

TEST_CASE("G4: a status has active and standby, which are empty if there are no nodes") {
  CHECK(kube::encode(GuestbookStatus{}) == R"({"active":"","standby":[],"observedGeneration":0})");
}

TEST_CASE("G6: kubectl shows name and age, the columns of a kind without its own") {
  CHECK(kube::custom_resource_definition_yaml(controller::kind_of<Guestbook>()).find("additionalPrinterColumns") ==
        std::string::npos);
}

// The paths that kubectl explain would show without a description.
void find_undescribed(json::View schema, const std::string& path, std::vector<std::string>& found) {
  if (!schema.find("description").is_string()) found.push_back(path);
  for (const auto& [name, member] : schema.find("properties").members()) {
    find_undescribed(member, path + "." + std::string(name), found);
  }
}

TEST_CASE("kubectl explain describes the spec, the status and each of their fields") {
  const auto kind = controller::kind_of<Guestbook>();
  std::vector<std::string> undescribed;

  for (const auto& schema : {kind.spec_schema, kind.status_schema}) {
    const auto document = json::Document::parse(schema);
    REQUIRE(document);
    find_undescribed(document->root(), "", undescribed);
  }

  CHECK(undescribed.empty());
}

}  // namespace
}  // namespace keelson::kinds
