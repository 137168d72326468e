# The templates of the program `keelson` as a source file.
set(keelson_templates_source "${CMAKE_BINARY_DIR}/scaffold/template_files.cpp")
file(GLOB_RECURSE inputs CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/src/scaffold/templates/*.in" "${CMAKE_SOURCE_DIR}/config/*.yaml" "${CMAKE_SOURCE_DIR}/kustomize/components/namespaced/*.yaml"
  "${CMAKE_SOURCE_DIR}/include/keelson/api/*.hpp")
add_custom_command(OUTPUT "${keelson_templates_source}"
  COMMAND "${CMAKE_COMMAND}" "-DSOURCE_DIR=${CMAKE_SOURCE_DIR}" "-DOUTPUT=${keelson_templates_source}"
          -P "${CMAKE_CURRENT_LIST_DIR}/EmbedTemplates.cmake"
  DEPENDS ${inputs} "${CMAKE_CURRENT_LIST_DIR}/EmbedTemplates.cmake"
  COMMENT "Embedding the templates of projects" VERBATIM)
target_sources(keelson_scaffold PRIVATE "${keelson_templates_source}")
