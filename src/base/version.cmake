# Runs at every build, and writes OUTPUT if the version of SOURCE_DIR has changed. The version is PROJECT_VERSION, with
# the commit if it is not the release, and with ".changed" if sources differ from the commit. Without a clone or without
# git it is PROJECT_VERSION.
set(VERSION ${PROJECT_VERSION})
if(EXISTS ${SOURCE_DIR}/.git)
  execute_process(COMMAND git describe --always --match "" --abbrev=10 WORKING_DIRECTORY ${SOURCE_DIR}
    OUTPUT_VARIABLE COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE FAILED)
  execute_process(COMMAND git describe --exact-match --match "v${PROJECT_VERSION}" WORKING_DIRECTORY ${SOURCE_DIR}
    OUTPUT_QUIET ERROR_QUIET RESULT_VARIABLE NOT_RELEASED)
  execute_process(COMMAND git diff --quiet HEAD -- src CMakeLists.txt WORKING_DIRECTORY ${SOURCE_DIR}
    OUTPUT_QUIET ERROR_QUIET RESULT_VARIABLE CHANGED)
  if(FAILED STREQUAL "0" AND NOT NOT_RELEASED STREQUAL "0")
    string(APPEND VERSION "+g${COMMIT}")
  endif()
  if(FAILED STREQUAL "0" AND NOT CHANGED STREQUAL "0")
    string(APPEND VERSION ".changed")
  endif()
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/version.cpp.in ${OUTPUT} @ONLY)
