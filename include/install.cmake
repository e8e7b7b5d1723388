# The files that `cmake --install` installs for other projects, besides the program: the headers of include/rondo,
# librondo.a for C++ projects (find_package(Rondo), rondo.pc) and librondo_mpi.a for MPI programs on SMPI
# (rondo_mpi.pc). docs/library.md describes them, and tests/install compiles against them.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

# The layers from base to engine as one archive. It defines the functions that the headers of the stable set declare.
set(LIBRARY_LAYERS base json process topology decomposition problem schedule generate platform mpi native engine smpi)
list(TRANSFORM LIBRARY_LAYERS REPLACE "(.+)" "$<TARGET_OBJECTS:rondo_\\1>" OUTPUT_VARIABLE LIBRARY_OBJECTS)
add_library(rondo_library STATIC ${LIBRARY_OBJECTS})
set_target_properties(rondo_library PROPERTIES OUTPUT_NAME rondo EXPORT_NAME rondo
  ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
target_compile_features(rondo_library INTERFACE cxx_std_20)
target_include_directories(rondo_library INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(rondo_library PUBLIC fmt::fmt PkgConfig::SimGrid PkgConfig::Expat)

# The launcher builds only the program. The other installed targets are built during the installation.
set(INSTALLED_LIBRARIES rondo_library $<TARGET_NAME_IF_EXISTS:rondo_archive>
  $<TARGET_NAME_IF_EXISTS:rondo_wrappers>)
install(CODE "execute_process(COMMAND \"${CMAKE_COMMAND}\" --build \"${PROJECT_BINARY_DIR}\" --target ${INSTALLED_LIBRARIES}
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)")

# The public headers include headers of src/, which are installed below rondo/detail.
set(INSTALLED_HEADERS ${PROJECT_BINARY_DIR}/installed_headers)
install(CODE "execute_process(COMMAND ${CMAKE_COMMAND} -DINCLUDE=${PROJECT_SOURCE_DIR}/include -DSRC=${PROJECT_SOURCE_DIR}/src
  -DOUTPUT=${INSTALLED_HEADERS} -P ${CMAKE_CURRENT_LIST_DIR}/install_headers.cmake COMMAND_ERROR_IS_FATAL ANY)")
install(DIRECTORY ${INSTALLED_HEADERS}/rondo DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
# Only the compiler wrappers use these headers.
install(DIRECTORY ${CMAKE_CURRENT_LIST_DIR}/rondo/fortran ${CMAKE_CURRENT_LIST_DIR}/rondo/wrapped
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/rondo)

set(PACKAGE_FOLDER ${CMAKE_INSTALL_LIBDIR}/cmake/Rondo)
install(TARGETS rondo_library EXPORT RondoTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT RondoTargets NAMESPACE Rondo:: DESTINATION ${PACKAGE_FOLDER})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/RondoConfig.cmake.in ${PROJECT_BINARY_DIR}/RondoConfig.cmake
  INSTALL_DESTINATION ${PACKAGE_FOLDER})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/RondoConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/RondoConfig.cmake ${PROJECT_BINARY_DIR}/RondoConfigVersion.cmake
  DESTINATION ${PACKAGE_FOLDER})

# The prefix relative to the folder of the .pc files, so that the installed tree can be moved.
set(PKGCONFIG_FOLDER ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH PREFIX_FROM_PKGCONFIG ${CMAKE_INSTALL_PREFIX}/${PKGCONFIG_FOLDER} ${CMAKE_INSTALL_PREFIX})
foreach(NAME IN ITEMS rondo rondo_mpi)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/${NAME}.pc.in ${PROJECT_BINARY_DIR}/${NAME}.pc @ONLY)
endforeach()
install(FILES ${PROJECT_BINARY_DIR}/rondo.pc DESTINATION ${PKGCONFIG_FOLDER})
if(TARGET rondo_archive)
  install(FILES ${PROJECT_BINARY_DIR}/librondo_mpi.a DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(FILES ${PROJECT_BINARY_DIR}/rondo_mpi.pc DESTINATION ${PKGCONFIG_FOLDER})
endif()
