#include "src/scaffold/template_text.hpp"

#include <catch2/catch_test_macros.hpp>

using keelson::scaffold::fill_template;

TEST_CASE("a template's names are replaced, and other braces stay") {
  const keelson::scaffold::TemplateValues values{{"kind", "Website"}};

  CHECK(fill_template("struct {{kind}} {{kind}};\n", values) == "struct Website Website;\n");
  CHECK(fill_template("{{\"a\", {{kind}}.b}};\n${{ github.sha }}\n", values) ==
        "{{\"a\", Website.b}};\n${{ github.sha }}\n");
  CHECK(fill_template("{{{kind}}}\n", values) == "{Website}\n");
}

TEST_CASE("a section of a template depends on its flag") {
  constexpr const char* kText = "a\n{{#is_set}}\nset\n{{/is_set}}\n{{^is_set}}\nunset\n{{/is_set}}\nb\n";

  CHECK(fill_template(kText, {{"is_set", "yes"}}) == "a\nset\nb\n");
  CHECK(fill_template(kText, {{"is_set", ""}}) == "a\nunset\nb\n");
}
