# Stencils as sources of a CMake project; comes with find_package(stencilc).
#
#   stencilc_add_library(<library> SOURCES <file.stn>... [option]...)
#     A static library, also called stencilc::<library>. Each heat.stn gives it a heat.h, whose
#     folder is on the include path of whoever links it.
#   stencilc_target_sources(<target> SOURCES <file.stn>... [option]...)
#     The same, made a part of a target that is there already.
#
# Options; what is left out is as stencilc has it:
#   TARGET cuda|host          host: C++ with OpenMP; cuda takes a project with that language
#   NAME <name>               call the stencil and its files so: for variants of one in a program
#   REAL f32|f64  FP contract|strict|reassociate  DEFINES <param>=<value>...
#   GPU <name>|<file>.yaml  SIZE <axis>=<n>...  STEPS <n>  SCHEDULE <text>
#   EXPLAIN <variable>        write what --explain says, too; the variable is set to the files
#   HEADER <variable>         set to the headers
#
# A source is made again when its .stn, an option, a profile that it names or stencilc changes.

macro(stencilc_add_library library)
  add_library(${library} STATIC)
  add_library(stencilc::${library} ALIAS ${library})
  stencilc_target_sources(${library} ${ARGN})
endmacro()

function(stencilc_target_sources target)
  foreach(variable codes headers reports report explain options)
    set(${variable} "") # not the caller's
  endforeach()
  cmake_parse_arguments(PARSE_ARGV 1 arg ""
    "TARGET;NAME;REAL;FP;GPU;STEPS;SCHEDULE;EXPLAIN;HEADER" "SOURCES;DEFINES;SIZE")
  _stencilc_check()
  _stencilc_options(options)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/stencilc/${target})
  file(MAKE_DIRECTORY ${folder})

  foreach(source IN LISTS arg_SOURCES)
    get_filename_component(source ${source} ABSOLUTE)
    if(arg_NAME)
      set(name ${arg_NAME})
    else()
      get_filename_component(name ${source} NAME_WLE)
    endif()
    set(code ${folder}/${name}.${suffix})
    list(APPEND codes ${code})
    list(APPEND headers ${folder}/${name}.h)
    if(arg_EXPLAIN)
      set(report ${folder}/${name}.txt)
      set(explain --explain > ${report})
      list(APPEND reports ${report})
    endif()
    add_custom_command(
      OUTPUT ${code} ${folder}/${name}.h ${report}
      COMMAND stencilc::stencilc ${source} -o ${code} ${options} -MD -MF ${code}.d ${explain}
      DEPENDS ${source} $<TARGET_FILE:stencilc::stencilc>
      DEPFILE ${code}.d
      COMMENT "Compiling the stencil ${name}"
      VERBATIM)
  endforeach()

  target_sources(${target} PRIVATE ${codes} ${headers})
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${folder}>)
  if(arg_TARGET STREQUAL host)
    find_package(OpenMP REQUIRED COMPONENTS CXX)
    set_property(SOURCE ${codes} APPEND PROPERTY COMPILE_OPTIONS ${OpenMP_CXX_FLAGS})
    target_link_libraries(${target} PRIVATE ${OpenMP_CXX_LIBRARIES})
  endif()
  if(arg_EXPLAIN)
    set(${arg_EXPLAIN} ${reports} PARENT_SCOPE)
  endif()
  if(arg_HEADER)
    set(${arg_HEADER} ${headers} PARENT_SCOPE)
  endif()
endfunction()

# Parts of stencilc_target_sources, whose variables they see.

# Refuses what CMake can tell is wrong; stencilc looks at the rest.
function(_stencilc_check)
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "stencilc: no option takes `${arg_UNPARSED_ARGUMENTS}`")
  endif()
  if(NOT arg_SOURCES)
    message(FATAL_ERROR "stencilc: ${target} has no SOURCES")
  endif()
  list(LENGTH arg_SOURCES count)
  if(arg_NAME AND count GREATER 1)
    message(FATAL_ERROR "stencilc: NAME is for one source, and ${target} has ${count}")
  endif()
  if(arg_TARGET STREQUAL host)
    set(suffix cpp PARENT_SCOPE)
    return()
  endif()
  set(suffix cu PARENT_SCOPE)
  if(NOT CMAKE_CUDA_COMPILER)
    message(FATAL_ERROR "stencilc: ${target} is CUDA, which is no language of this project; "
                        "add it to project(), or let ${target} have TARGET host")
  endif()
endfunction()

# What stencilc is given, as a list.
function(_stencilc_options variable)
  if(arg_GPU MATCHES "\\.yaml$")
    get_filename_component(arg_GPU ${arg_GPU} ABSOLUTE)
  endif()
  foreach(option TARGET NAME REAL FP GPU STEPS SCHEDULE)
    if(DEFINED arg_${option})
      string(TOLOWER ${option} word)
      list(APPEND options --${word}=${arg_${option}})
    endif()
  endforeach()
  list(TRANSFORM arg_SIZE PREPEND --size=)
  list(TRANSFORM arg_DEFINES PREPEND -D)
  set(${variable} ${options} ${arg_SIZE} ${arg_DEFINES} PARENT_SCOPE)
endfunction()
