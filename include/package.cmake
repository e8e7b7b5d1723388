# A Debian package of what `cmake --install` gives: `cpack --config build/release/CPackConfig.cmake`, after `./rondo list`
# has built the program. It depends on the libraries that the program loads; programs of users, and C++ projects, need
# the recommended ones.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON) # the tests are no part of it
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME rondo)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "simulator and prover of collective communication schedules")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR})
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
# Who packages answers for the package: by default whoever wrote the last commit.
execute_process(COMMAND git log -1 "--format=%an <%ae>" WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
  OUTPUT_VARIABLE AUTHOR OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
set(RONDO_MAINTAINER "${AUTHOR}" CACHE STRING "The maintainer of the Debian package, \"NAME <ADDRESS>\"")
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "${RONDO_MAINTAINER}")
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "g++, libsimgrid-dev, libfmt-dev, libexpat1-dev, pkg-config")
include(CPack)
