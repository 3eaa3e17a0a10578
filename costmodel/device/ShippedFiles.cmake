# Writes every file of a folder as a C++ initialiser, so that the executable can be carried alone.
# Called with -DFOLDER= and -DOUTPUT=.
file(GLOB files "${FOLDER}/*.yaml" "${FOLDER}/*.csv" "${FOLDER}/*.cu")
list(SORT files)
set(text "")
foreach(path IN LISTS files)
  get_filename_component(name "${path}" NAME)
  file(READ "${path}" content)
  string(APPEND text "{\"${name}\", R\"shipped(${content})shipped\"},\n")
endforeach()
file(WRITE "${OUTPUT}" "${text}")
