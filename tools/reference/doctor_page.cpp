#include "tools/reference/doctor_page.hpp"

#include "keelson/detail/doctor/findings.hpp"
#include "src/reference/markdown.hpp"

namespace keelson::reference {

std::string doctor_page() {
  std::string page =
      "# Findings of doctor\n\n"
      "What `manager doctor` reports, by area. [doctor.md](../doctor.md) explains the command. In the remedies "
      "`NAMESPACE`, "
      "`DEPLOYMENT`, `KIND`, `NAME` and `OBJECT` (namespace and name) stand for those of the finding, which the "
      "command "
      "prints.\n";
  for (std::size_t i = 0; i < doctor::kAreas; ++i) {
    const auto area = static_cast<doctor::Area>(i);
    page += "\n## " + std::string(doctor::name_of(area)) + "\n\n" +
            table_head({"id", "severity", "what is wrong", "cause", "remedy"});
    for (const auto& kind : doctor::finding_kinds()) {
      if (kind.area != area) continue;
      page += row({code(kind.id), std::string(doctor::name_of(kind.severity)), std::string(kind.text),
                   std::string(kind.cause), std::string(kind.remedy)});
    }
  }
  page += "\n## Causes\n\nA finding with one of these errors has this cause and this remedy.\n\n" +
          table_head({"id", "error contains", "cause", "remedy"});
  for (const auto& cause : doctor::finding_causes()) {
    page += row({code(cause.id), code(cause.sign), std::string(cause.cause), std::string(cause.remedy)});
  }
  return page;
}

}  // namespace keelson::reference
