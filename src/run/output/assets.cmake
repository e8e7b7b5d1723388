# Writes OUTPUT, which defines rondo::asset (assets.hpp) for the files NAMES of FOLDER: every byte as \xNN in a string.
set(TEXT "#include \"run/output/assets.hpp\"\n\n#include \"base/error.hpp\"\n\nnamespace rondo {\n
std::string_view asset(std::string_view name) {\n")
foreach(NAME IN LISTS NAMES)
  file(READ ${FOLDER}/${NAME} BYTES HEX)
  file(SIZE ${FOLDER}/${NAME} SIZE)
  string(REGEX REPLACE "(..)" "\\\\x\\1" BYTES "${BYTES}")
  string(APPEND TEXT "  if (name == \"${NAME}\") return {\"${BYTES}\", ${SIZE}};\n")
endforeach()
string(APPEND TEXT "  throw ContractViolation(\"an asset of this name\");\n}\n\n}  // namespace rondo\n")
file(WRITE ${OUTPUT} "${TEXT}")
