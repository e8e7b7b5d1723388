# Writes OUTPUT, which defines rondo::asset (assets.hpp) for the files NAMES of FOLDER and PAGES of ROOT. A file is a
# string in which every byte is written as \xNN.
set(TEXT "#include \"run/output/assets.hpp\"\n\n#include \"base/error.hpp\"\n\nnamespace rondo {\n
std::string_view asset(std::string_view name) {\n")
function(add NAME FILE)
  file(READ ${FILE} BYTES HEX)
  file(SIZE ${FILE} SIZE)
  string(REGEX REPLACE "(..)" "\\\\x\\1" BYTES "${BYTES}")
  set(TEXT "${TEXT}  if (name == \"${NAME}\") return {\"${BYTES}\", ${SIZE}};\n" PARENT_SCOPE)
endfunction()
foreach(NAME IN LISTS NAMES)
  add(${NAME} ${FOLDER}/${NAME})
endforeach()
foreach(NAME IN LISTS PAGES)
  add(${NAME} ${ROOT}/${NAME})
endforeach()
string(APPEND TEXT "  throw ContractViolation(\"an asset of this name\");\n}\n\n}  // namespace rondo\n")
file(WRITE ${OUTPUT} "${TEXT}")
