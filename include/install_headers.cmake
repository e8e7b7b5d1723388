# cmake -DINCLUDE=... -DSRC=... -DOUTPUT=... -P install_headers.cmake: writes the headers of INCLUDE/rondo to
# OUTPUT/rondo. It writes every header of SRC that they include, directly or indirectly, to OUTPUT/rondo/detail. All
# #include lines use this path, so a compiler needs only the folder above rondo/ on its path.
file(REMOVE_RECURSE ${OUTPUT})
file(GLOB PUBLIC_HEADERS RELATIVE ${INCLUDE} ${INCLUDE}/rondo/*.h ${INCLUDE}/rondo/*.hpp)
set(DETAILS "")

# write_header(FROM INTO): copies one header, and adds the headers of SRC that it includes to DETAILS.
function(write_header FROM INTO)
  file(READ ${FROM} TEXT)
  string(REGEX MATCHALL "#include \"[^\"]+\"" LINES "${TEXT}")
  foreach(LINE IN LISTS LINES)
    string(REGEX REPLACE "#include \"(.+)\"" "\\1" HEADER "${LINE}")
    if(EXISTS ${SRC}/${HEADER})
      string(REPLACE "${LINE}" "#include \"rondo/detail/${HEADER}\"" TEXT "${TEXT}")
      list(APPEND DETAILS ${HEADER})
    endif()
  endforeach()
  file(WRITE ${INTO} "${TEXT}")
  set(DETAILS ${DETAILS} PARENT_SCOPE)
endfunction()

foreach(HEADER IN LISTS PUBLIC_HEADERS)
  write_header(${INCLUDE}/${HEADER} ${OUTPUT}/${HEADER})
endforeach()
while(DETAILS)
  list(POP_FRONT DETAILS HEADER)
  if(NOT EXISTS ${OUTPUT}/rondo/detail/${HEADER})
    write_header(${SRC}/${HEADER} ${OUTPUT}/rondo/detail/${HEADER})
  endif()
endwhile()
