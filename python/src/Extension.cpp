//===- Extension.cpp - The module meanvar._meanvar ------------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compilation.h"
#include "Functions.h"
#include "Operators.h"
#include "ReleasedLock.h"

namespace nb = nanobind;
using namespace meanvar::python;

NB_MODULE(_meanvar, module) {
  module.attr("version") = meanvarGetVersion();
  bindOperators(module);
  bindFunctions(module);
  registerForkHandlers();
  nb::module_::import_("atexit").attr("register")(nb::cpp_function([] {
    waitForAllCompilations();
    closeReleasedLocks();
  }));
}
