# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# How a library and a program of Ambit are declared: flags, include folders,
# and one precompiled header shared by every library.

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # A precompiled header is part of the hash only with these relaxations.
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      ${CCACHE_PROGRAM})
endif()
find_program(LLD_PROGRAM NAMES ld.lld-19 ld.lld PATHS /usr/lib/llvm-19/bin)
if(LLD_PROGRAM)
  # gcc looks for a program called ld.lld beside the path given with -B.
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/linker)
  file(CREATE_LINK ${LLD_PROGRAM} ${CMAKE_BINARY_DIR}/linker/ld.lld SYMBOLIC)
  add_link_options(-fuse-ld=lld -B${CMAKE_BINARY_DIR}/linker)
endif()
add_link_options(-Wl,--gc-sections)

add_library(AmbitOptions INTERFACE)
target_compile_options(AmbitOptions INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wno-unused-parameter
  -Wno-comment -ffunction-sections -fdata-sections>)
if(AMBIT_WERROR)
  target_compile_options(AmbitOptions INTERFACE -Werror)
endif()
if(AMBIT_SANITIZE)
  target_compile_options(AmbitOptions INTERFACE -fsanitize=address,undefined -fno-omit-frame-pointer)
  target_link_options(AmbitOptions INTERFACE -fsanitize=address,undefined)
endif()

# Owner of the precompiled header; every other library reuses it.
file(WRITE ${CMAKE_BINARY_DIR}/AmbitPch.cpp "")
add_library(AmbitPch STATIC ${CMAKE_BINARY_DIR}/AmbitPch.cpp)
target_link_libraries(AmbitPch PRIVATE AmbitOptions)
target_compile_options(AmbitPch PRIVATE -fno-exceptions)
target_precompile_headers(AmbitPch PRIVATE
  <mlir/Dialect/Arith/IR/Arith.h> <mlir/Dialect/Func/IR/FuncOps.h>
  <mlir/Dialect/MemRef/IR/MemRef.h> <mlir/Dialect/SCF/IR/SCF.h>
  <mlir/Dialect/Vector/IR/VectorOps.h> <mlir/IR/Builders.h>
  <mlir/IR/BuiltinOps.h> <mlir/IR/BuiltinTypes.h> <mlir/IR/PatternMatch.h>
  <mlir/Pass/Pass.h> <mlir/Transforms/GreedyPatternRewriteDriver.h>
  <map> <memory> <string> <vector>)

# ambit_add_library(NAME sources... [EXCEPTIONS] [DEPENDS targets...] [LINK libs...])
# EXCEPTIONS is for the few files whose library throws (CLI11, protobuf users
# stay without).
function(ambit_add_library name)
  cmake_parse_arguments(arg "EXCEPTIONS" "" "LINK;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${arg_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE AmbitOptions PUBLIC ${arg_LINK})
  if(NOT arg_EXCEPTIONS)
    target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions>)
    target_precompile_headers(${name} REUSE_FROM AmbitPch)
  endif()
  if(arg_DEPENDS)
    add_dependencies(${name} ${arg_DEPENDS})
  endif()
endfunction()
