// The commands of `keelson` on a folder.
#include "src/scaffold/program.hpp"

#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "test/support/text_parts.hpp"

namespace fs = std::filesystem;

namespace {

using Tree = std::map<std::string, std::string>;
using keelson::testing::contains;

// A folder that is removed at the end, with the program in it.
class Folder {
 public:
  Folder() {
    auto name = (fs::temp_directory_path() / "keelson-project-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { fs::remove_all(path_); }

  int run(const std::string& line, const std::string& answers = "") {
    std::istringstream split(line);
    const std::vector<std::string> words{std::istream_iterator<std::string>(split), {}};
    std::istringstream in(answers);
    std::ostringstream out, failures;
    const int code = keelson::scaffold::run_program(words, path_, in, out, failures);
    output = out.str();
    errors = failures.str();
    return code;
  }
  void create_website() {
    REQUIRE(run("init --domain example.com --name website-operator") == 0);
    REQUIRE(run("create api --group web --version v1 --kind Website --resource --controller") == 0);
  }
  [[nodiscard]] std::string read(const std::string& file) const {
    std::ifstream in(path_ / file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void write(const std::string& file, const std::string& text) const {
    std::ofstream(path_ / file, std::ios::binary) << text;
  }
  // Replaces the first `from` of a file.
  void edit(const std::string& file, const std::string& from, const std::string& to) const {
    auto text = read(file);
    const auto at = text.find(from);
    REQUIRE(at != std::string::npos);
    write(file, text.replace(at, from.size(), to));
  }
  [[nodiscard]] Tree tree() const {
    Tree files;
    for (const auto& entry : fs::recursive_directory_iterator(path_)) {
      const auto name = fs::relative(entry.path(), path_).string();
      files[name] = entry.is_regular_file() ? read(name) : "";
    }
    return files;
  }
  [[nodiscard]] fs::path path() const { return path_; }

  std::string output, errors;

 private:
  fs::path path_;
};

}  // namespace

TEST_CASE("init takes the name of the project from the folder, unless it is invalid") {
  Folder folder;
  fs::create_directory(folder.path() / "My_Shop");
  std::istringstream in;
  std::ostringstream out, errors;

  CHECK(keelson::scaffold::run_program({"init"}, folder.path() / "My_Shop", in, out, errors) == 0);
  CHECK(contains(folder.read("My_Shop/PROJECT"), "projectName: my-shop\n"));

  fs::create_directory(folder.path() / "9");
  CHECK(keelson::scaffold::run_program({"init"}, folder.path() / "9", in, out, errors) == 1);
  CHECK(contains(errors.str(), "use --name"));
  CHECK(fs::is_empty(folder.path() / "9"));
}

TEST_CASE("a project with a kind, its webhooks and its tests is created from questions") {
  Folder folder;
  REQUIRE(folder.run("init --domain example.com --project-name website-operator") == 0);

  CHECK(folder.run("create api --group web --version v1 --kind Website", "y\nwhat\ny\n") == 0);
  CHECK(folder.output.starts_with("Create Resource [y/n]\nCreate Controller [y/n]\nCreate Controller [y/n]\ncreated "));
  CHECK(folder.run("create webhook --group web --version v1 --kind Website --defaulting") == 0);
  CHECK(folder.run("create webhook --group web --version v1 --kind Website --programmatic-validation") == 0);

  CHECK(contains(folder.read("src/controllers.cpp"),
                 "  all.push_back(website::website());\n  // +scaffold:controllers\n"));
  CHECK(contains(folder.read("src/website/website_controller.cpp"),
                 "  add_defaulter(definition);\n  add_validator(definition);\n  // +scaffold:definition\n"));
  CHECK(contains(folder.read("config/default/kustomization.yaml"), "\n- ../webhook\n"));
  CHECK(contains(folder.read("config/default/kustomization.yaml"), "\n#components:\n#- ../namespaced\n"));
  CHECK((fs::status(folder.path() / "test/e2e.sh").permissions() & fs::perms::owner_exec) != fs::perms::none);
}

TEST_CASE("a second kind changes no line that was there before") {
  Folder folder;
  folder.create_website();
  folder.edit("src/controllers.cpp", "std::vector<keelson::controller::Definition> all;", "auto all = mine();");
  const auto before = folder.tree();

  REQUIRE(folder.run("create api --group shop --version v1 --kind Order --resource --controller") == 0);
  REQUIRE(folder.run("create api --group shop --version v1 --kind Item --resource --controller=false") == 0);
  REQUIRE(folder.run("create api --external core/v1/Namespace --controller") == 0);

  for (const auto& [name, text] : before) {
    if (name == "PROJECT" || text.empty()) continue;
    INFO(name);
    std::istringstream lines(text);
    const auto after = folder.read(name);
    std::size_t at = 0;
    for (std::string line; std::getline(lines, line);) {
      at = after.find(line + "\n", at);
      REQUIRE(at != std::string::npos);
    }
  }
  CHECK(contains(folder.read("src/controllers.cpp"), "kinds.push_back(keelson::controller::kind_of<item::Item>());"));
  CHECK(
      contains(folder.read("src/core_namespace/core_namespace_controller.cpp"), "controller_for<core::v1::Namespace>"));
}

TEST_CASE("a controller can be added to a kind that was created without one") {
  Folder folder;
  folder.create_website();
  REQUIRE(folder.run("create api --group web --version v1 --kind Page --resource --controller=false") == 0);

  REQUIRE(folder.run("create api --group web --version v1 --kind Page --resource=false --controller") == 0);

  const auto list = folder.read("src/controllers.cpp");
  CHECK(contains(list, "all.push_back(page::page());"));
  CHECK_FALSE(contains(list, "kind_of<page::Page>"));
  CHECK(contains(list, "#include \"page/page_types.hpp\""));
}

TEST_CASE("a refused command changes no file") {
  Folder folder;
  folder.create_website();
  fs::create_directories(folder.path() / "src/order");
  folder.write("src/order/order_types.hpp", "mine\n");
  folder.edit("src/website/website_controller.cpp", "// +scaffold:definition", "");
  const auto before = folder.tree();

  for (const std::string line : {
           "init --domain example.com",
           "create api --group web --version v1 --kind Website --resource --controller",
           "create api --group web --version v2 --kind Website --resource --controller",
           "create api --group Web_1 --version v1 --kind A --resource --controller",
           "create api --group web --version 1 --kind A --resource --controller",
           "create api --group web --version v1 --kind a --resource --controller",
           "create api --group web --version v1 --kind A",
           "create api --group web --version v1 --kind A --resource=false --controller",
           "create api --group web --version v1 --kind A --resource=false --controller=false",
           "create api --external a/b --controller",
           "create api --external apps/v1/Deployment --controller --resource",
           "create api --group web --version v1 --kind Order --resource --controller",
           "create webhook --group web --version v1 --kind Website --defaulting",
           "create webhook --group web --version v1 --kind Website",
           "create webhook --group web --version v1 --kind Page --defaulting",
           "create webhook --group web --version v1 --kind Website --conversion",
           "edit",
           "create",
           "destroy",
           "create api --unknown",
           "create api word",
       }) {
    INFO(line);
    CHECK(folder.run(line) != 0);
    CHECK(contains(folder.errors, "keelson"));
    CHECK(folder.tree() == before);
  }
}

TEST_CASE("help is an answer: of the program, of create, and of each command, whatever follows") {
  Folder folder;
  for (const std::string line :
       {"", "help", "--help", "create --help", "create -h", "create --help api", "help create", "create api --help",
        "help create api", "create webhook --help", "create webhook --kind Website -h", "init --help", "help update",
        "edit --help", "version --help", "help version"}) {
    INFO(line);
    CHECK(folder.run(line) == 0);
    CHECK(contains(folder.output, "age:"));
    CHECK(folder.errors.empty());
  }
  REQUIRE(folder.run("create --help") == 0);
  CHECK(contains(folder.output, "keelson create api\n"));
  CHECK(contains(folder.output, "keelson create webhook\n"));
  CHECK_FALSE(contains(folder.output, "keelson init"));
  CHECK(fs::is_empty(folder.path()));
  CHECK(folder.run("create apis --help") == 2);
  CHECK(folder.run("help destroy") == 2);
}

TEST_CASE("a file that exists is named and not overwritten") {
  Folder folder;
  folder.create_website();
  fs::create_directories(folder.path() / "src/order");
  folder.write("src/order/order_types.hpp", "mine\n");

  CHECK(folder.run("create api --group shop --version v1 --kind Order --resource --controller") == 1);

  CHECK(folder.errors == "keelson: these files exist already: src/order/order_types.hpp\nNo file was changed.\n");
}

TEST_CASE("links to nothing survive a refused command") {
  Folder folder;
  folder.create_website();
  fs::create_symlink("/nonexistent/x", folder.path() / "src/order");

  CHECK(folder.run("create api --group shop --version v1 --kind Order --resource --controller") == 1);

  CHECK(fs::is_symlink(folder.path() / "src/order"));
  CHECK_FALSE(fs::exists(folder.path() / "test/order_controller_test.cpp"));
}

TEST_CASE("no command writes through a link that leads out of the project") {
  Folder folder, outside;
  folder.create_website();
  const std::string create = "create api --group shop --version v1 --kind Order --resource --controller";
  fs::create_directory_symlink(outside.path(), folder.path() / "src/order");
  const auto before = folder.tree();

  CHECK(folder.run(create) == 1);

  CHECK(contains(folder.errors, "src/order/order_controller.cpp leads out of the project by a link, to " +
                                    (outside.path() / "order_controller.cpp").string() + ": replace the link"));
  CHECK(fs::is_empty(outside.path()));
  CHECK(folder.tree() == before);

  // A link to a file, and one within the project.
  fs::remove(folder.path() / "src/order");
  fs::rename(folder.path() / "src/controllers.cpp", outside.path() / "controllers.cpp");
  fs::create_symlink(outside.path() / "controllers.cpp", folder.path() / "src/controllers.cpp");
  CHECK(folder.run(create) == 1);
  CHECK(contains(folder.errors, "src/controllers.cpp leads out of the project"));
  fs::remove(folder.path() / "src/controllers.cpp");
  fs::create_directory(folder.path() / "main");
  fs::rename(outside.path() / "controllers.cpp", folder.path() / "main/controllers.cpp");
  fs::create_symlink("../main/controllers.cpp", folder.path() / "src/controllers.cpp");
  CHECK(folder.run(create) == 0);
  CHECK(fs::is_symlink(folder.path() / "src/controllers.cpp"));
}

TEST_CASE("control characters of files do not reach the terminal") {
  Folder folder;
  folder.create_website();
  // A sequence that clears the screen, in YAML, in the error of its parser, and in the name of a file.
  for (const auto* version : {R"("9\x1b[2J")", "\x1b[2J: [", "\"\x1b[2J\": {"}) {
    const auto project = folder.read("PROJECT");
    const auto begin = project.find("cliVersion: ");
    const auto end = project.find('\n', begin);
    folder.write("PROJECT", project.substr(0, begin) + "cliVersion: " + version + project.substr(end));
    CHECK(folder.run("update") == 1);
    CHECK(contains(folder.errors, "PROJECT: "));
    CHECK_FALSE(contains(folder.errors, "\x1b"));
    folder.write("PROJECT", project);
  }
  folder.write(".scaffold/\x1b[2J", "");
  CHECK(folder.run("update") == 0);
  CHECK(contains(folder.output, "no longer generated:  [2J"));
  CHECK_FALSE(contains(folder.output, "\x1b"));
}

TEST_CASE("kinds that cannot work are refused: plurals, scopes and words of YAML") {
  Folder folder;
  folder.create_website();
  REQUIRE(folder.run("edit --namespaced") == 0);
  const auto before = folder.tree();
  const std::string api = "create api --group web --version v1 --resource --controller --kind ";

  CHECK(folder.run(api + "WEBSITE") == 1);
  CHECK(contains(folder.errors, "has the plural websites already"));
  CHECK(folder.run(api + "Bar --plural websites") == 1);
  CHECK(folder.run(api + "Tenant --namespaced=false") == 1);
  CHECK(contains(folder.errors, "run keelson edit --namespaced=false first"));
  for (const auto& kind : std::vector<std::string>{"No", "Null", "Spec", "Status", "A" + std::string(62, 'a')}) {
    CHECK(folder.run(api + kind) == 1);
  }
  for (const std::string kind : {"List", "Table", "WatchEvent", "DeleteOptions", "APIGroup"}) {
    CHECK(folder.run(api + kind) == 1);
    CHECK(contains(folder.errors, "every API group of Kubernetes has a kind of this name"));
  }
  // Macros of the C library and of Catch2.
  for (const std::string kind : {"EOF", "NAN", "CHECK", "INFO"}) CHECK(folder.run(api + kind) == 1);
  CHECK(folder.run(api + "WebsiteList") == 1);
  CHECK(contains(folder.errors, "the kind WebsiteList is the list of the kind Website: use a kind of another name"));
  CHECK(folder.tree() == before);
  // A user may delete the test on a cluster.
  fs::remove(folder.path() / "test/e2e.sh");
  CHECK(folder.run(api + "Symlink") == 0);
  CHECK(folder.run(api + "PriceList") == 0);
  CHECK(folder.run(api + "Price") == 1);
  // A word of C++ cannot be a folder's namespace, nor a variable.
  CHECK(folder.run(api + "Class") == 0);
  CHECK(contains(folder.read("src/web_class/web_class_controller.cpp"), "reconcile(const Class& object,"));
  CHECK(fs::exists(folder.path() / "src/web_symlink"));
}

TEST_CASE("a write that fails undoes those before it, with their folders") {
  Folder folder;
  folder.create_website();
  // The copy of a new file cannot be written, because its folder is a file.
  folder.write(".scaffold/src/zoo", "mine\n");
  const auto before = folder.tree();

  CHECK(folder.run("create api --group shop --version v1 --kind Zoo --resource --controller") == 1);

  CHECK(contains(folder.errors, "zoo"));
  CHECK(folder.tree() == before);
}

TEST_CASE("update brings generated files forward and keeps every change of the user") {
  Folder folder;
  folder.create_website();
  // As if an older program had generated the Makefile with another target, and no .clang-format.
  for (const std::string prefix : {"", ".scaffold/"}) {
    folder.edit(prefix + "Makefile", "ctest --preset dev", "ctest --old");
    fs::remove(folder.path() / (prefix + ".clang-format"));
  }
  folder.edit("Makefile", "IMG ?= controller:latest", "IMG ?= mine:latest");
  folder.edit("src/website/website_controller.cpp", "pass.ready(", "mine();\n  pass.ready(");
  const auto list = folder.read("src/controllers.cpp");

  REQUIRE(folder.run("update") == 0);

  CHECK(contains(folder.read("Makefile"), "IMG ?= mine:latest"));
  CHECK(contains(folder.read("Makefile"), "ctest --preset dev"));
  CHECK(contains(folder.read("src/website/website_controller.cpp"), "mine();"));
  CHECK(folder.read("src/controllers.cpp") == list);
  CHECK(contains(folder.read(".clang-format"), "BasedOnStyle"));
  const auto after = folder.tree();
  REQUIRE(folder.run("update") == 0);
  CHECK(contains(folder.output, "Nothing to update."));
  CHECK(folder.tree() == after);
}

TEST_CASE("update marks a conflict, keeps both versions, and waits until it is resolved") {
  Folder folder;
  folder.create_website();
  folder.edit(".scaffold/Makefile", "ctest --preset dev", "ctest --old");
  folder.edit("Makefile", "ctest --preset dev", "ctest --mine");

  CHECK(folder.run("update") == 1);

  CHECK(folder.errors == "keelson: conflict in Makefile: resolve its markers\n");
  for (const auto* part :
       {"<<<<<<< yours\n", "ctest --mine\n", "ctest --old\n", "ctest --preset dev\n", ">>>>>>> generated now\n"}) {
    CHECK(contains(folder.read("Makefile"), part));
  }
  const auto before = folder.tree();
  CHECK(folder.run("update") == 1);
  CHECK(contains(folder.errors, "these files have conflict markers: resolve them first: Makefile"));
  CHECK(folder.tree() == before);
}

TEST_CASE("update keeps the line breaks of a checkout on Windows") {
  Folder folder;
  folder.create_website();
  folder.edit(".scaffold/Makefile", "ctest --preset dev", "ctest --old");
  folder.edit("Makefile", "ctest --preset dev", "ctest --old");
  for (const std::string file : {"Makefile", ".scaffold/Makefile", "README.md", ".scaffold/README.md"}) {
    std::string windows;
    for (const char c : folder.read(file)) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
    folder.write(file, windows);
  }
  const auto readme = folder.read("README.md");

  REQUIRE(folder.run("update") == 0);

  CHECK(contains(folder.read("Makefile"), "\tctest --preset dev\r\n"));
  CHECK_FALSE(contains(folder.read("Makefile"), "\r\r"));
  CHECK(folder.read("README.md") == readme);
}

TEST_CASE("update does not create a file again that the user has deleted") {
  Folder folder;
  folder.create_website();
  fs::remove(folder.path() / "Dockerfile");
  folder.edit(".scaffold/Dockerfile", "FROM scratch", "FROM old");

  REQUIRE(folder.run("update") == 0);

  CHECK_FALSE(fs::exists(folder.path() / "Dockerfile"));
  CHECK(contains(folder.output, "deleted by you, and not created again: Dockerfile\n"));
}

TEST_CASE("a feature that the user has disabled is not enabled again by a second webhook") {
  Folder folder;
  folder.create_website();
  REQUIRE(folder.run("create webhook --group web --version v1 --kind Website --defaulting") == 0);
  folder.edit("config/default/kustomization.yaml", "\n- webhook_secret.yaml\n", "\n#- webhook_secret.yaml\n");

  REQUIRE(folder.run("create webhook --group web --version v1 --kind Website --programmatic-validation") == 0);

  CHECK(contains(folder.read("config/default/kustomization.yaml"), "\n#- webhook_secret.yaml\n"));
  CHECK(folder.run("edit --namespaced=false") == 0);
  CHECK(contains(folder.read("config/default/kustomization.yaml"), "\n#- webhook_secret.yaml\n"));
}

TEST_CASE("config/crd is part of the manifests if the operator defines a kind") {
  Folder folder;
  REQUIRE(folder.run("init --domain example.com --name website-operator") == 0);
  REQUIRE(folder.run("create api --external core/v1/Node --controller") == 0);
  CHECK(contains(folder.read("config/default/kustomization.yaml"), "\n#- ../crd\n"));

  REQUIRE(folder.run("create api --group web --version v1 --kind Page --resource --controller=false") == 0);
  CHECK(contains(folder.read("config/default/kustomization.yaml"), "\n- ../crd\n"));
}

TEST_CASE("edit --namespaced is refused with cluster-scoped kinds and with cert-manager") {
  Folder folder;
  folder.create_website();
  folder.edit("config/default/kustomization.yaml", "\n#- ../certmanager\n", "\n- ../certmanager\n");
  CHECK(folder.run("edit --namespaced") == 1);
  CHECK(contains(folder.errors, "has [CERTMANAGER] enabled"));

  REQUIRE(folder.run("create api --external rbac.authorization.k8s.io/v1/ClusterRole --controller") == 0);
  CHECK(folder.run("edit --namespaced") == 1);
  CHECK(contains(folder.errors, "these kinds are cluster-scoped: ClusterRole"));
}

TEST_CASE("a plural and a version of another program are accepted") {
  Folder folder;
  folder.create_website();

  REQUIRE(folder.run("create api --external k8s.cni.cncf.io/v1api2020/NetworkAttachmentDefinition --controller "
                     "--plural network-attachment-definitions") == 0);

  CHECK(contains(folder.read("src/networkattachmentdefinition/networkattachmentdefinition_types.hpp"),
                 "\"NetworkAttachmentDefinition\", \"network-attachment-definitions\"};"));
}

TEST_CASE("update refuses the project of a newer program, and lists files that are no longer generated") {
  Folder folder;
  folder.create_website();
  folder.write(".scaffold/old.yaml", "old\n");
  REQUIRE(folder.run("update") == 0);
  CHECK(contains(folder.output, "no longer generated: old.yaml\n"));

  folder.edit("PROJECT", "cliVersion: ", "cliVersion: 99.");
  const auto before = folder.tree();
  CHECK(folder.run("update") == 1);
  CHECK(contains(folder.errors, "install the newer one"));
  CHECK(folder.tree() == before);
}

TEST_CASE("edit switches a project to a single namespace and back") {
  Folder folder;
  folder.create_website();
  REQUIRE(folder.run("create webhook --group web --version v1 --kind Website --defaulting") == 0);
  const auto before = folder.tree();

  REQUIRE(folder.run("edit --namespaced") == 0);

  const auto text = folder.read("config/default/kustomization.yaml");
  CHECK(contains(text, "\ncomponents:\n- ../namespaced\n"));
  CHECK(contains(text, "\n#- ../webhook\n"));
  CHECK(folder.run("edit --namespaced") == 0);
  CHECK(folder.output == "Nothing to change.\n");
  REQUIRE(folder.run("create webhook --group web --version v1 --kind Website --programmatic-validation") == 0);
  CHECK(folder.read("config/default/kustomization.yaml") == text);

  REQUIRE(folder.run("edit --namespaced=false") == 0);
  CHECK(folder.read("config/default/kustomization.yaml") == before.at("config/default/kustomization.yaml"));
}

TEST_CASE("completion prints a script with the commands and their flags") {
  Folder folder;
  CHECK(folder.run("completion bash") == 0);
  CHECK(folder.output.find("'create '*) ((COMP_CWORD == 2)) && words='api webhook' ;;") != std::string::npos);
  CHECK(folder.output.find("'edit '*) flags='namespaced: multigroup: ' ;;") != std::string::npos);
  CHECK(folder.run("completion") == 2);
}
