# A Debian package of the files that `cmake --install` installs. Build it by `cpack --config
# build/release/CPackConfig.cmake`, after `./rondo list` has built the program. The package depends on the libraries
# that the program loads. Programs of users and C++ projects need the recommended packages.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON) # an installation does not build the tests
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME rondo)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "simulator and prover of collective communication schedules")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR})
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
# The maintainer of the package. The default is the author of the last commit.
execute_process(COMMAND git log -1 "--format=%an <%ae>" WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
  OUTPUT_VARIABLE AUTHOR OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
set(RONDO_MAINTAINER "${AUTHOR}" CACHE STRING "The maintainer of the Debian package, \"NAME <ADDRESS>\"")
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "${RONDO_MAINTAINER}")
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "g++, libsimgrid-dev, libfmt-dev, libexpat1-dev, pkg-config")
include(CPack)
