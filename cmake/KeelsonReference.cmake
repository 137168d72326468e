# The pages of docs/reference, from the built-in controllers' descriptions, the flag table and the metrics registry: a
# library for the tests that check them, and the program that writes them. Neither is part of a release.
file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/tools/reference/*.cpp")
list(FILTER sources EXCLUDE REGEX "/main.cpp$")
add_library(keelson_reference_pages STATIC ${sources})
target_link_libraries(keelson_reference_pages PUBLIC keelson_reference keelson_sandbox keelson_kinds)

add_executable(reference tools/reference/main.cpp)
target_link_libraries(reference PRIVATE keelson_reference_pages)
keelson_static_executable(reference)
