//===- CompiledModule.cpp - Functions compiled in memory ------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/Execution/CompiledModule.h"
#include "AllocationRuntime.h"
#include "FloatRuntime.h"
#include "meanvar/Execution/FunctionDescription.h"
#include "meanvar/Execution/LLVMTranslation.h"
#include "meanvar/Execution/TargetMachine.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Target/TargetMachine.h"

#include <dlfcn.h>

using namespace mlir;
using namespace mlir::meanvar;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

/// LLVM's library: the code calls it directly (`__kmpc_fork_call`).
static constexpr const char *openMPLibrary = "libomp.so.5";

/// Refuses functions that are used, but neither defined nor in this process:
/// the linker of the JIT would find them missing too late, and say so in its
/// own words.
static Error checkDeclarations(ModuleOp module) {
  // Makes the symbols of the process itself known to the search below.
  llvm::sys::DynamicLibrary::LoadLibraryPermanently(nullptr);
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    StringRef name = function.getName();
    if (!function.isExternal() || name.starts_with("llvm.") ||
        llvm::is_contained(getFloatRuntimeNames(), name) ||
        SymbolTable::symbolKnownUseEmpty(function, module))
      continue;
    if (!llvm::sys::DynamicLibrary::SearchForAddressOfSymbol(name.str()))
      return createStringError("function '" + name +
                               "' is declared, but not defined");
  }
  return Error::success();
}

/// Loads the run-time library of OpenMP into this process if `module` has
/// parallel regions, and returns it, or null where it has none. Its symbols
/// stay invisible to other libraries of the process, which may bring an OpenMP
/// of their own. Never unloaded: it has threads.
static Expected<void *> loadOpenMP(ModuleOp module) {
  bool isUsed =
      module.walk([](omp::ParallelOp) { return WalkResult::interrupt(); })
          .wasInterrupted();
  if (!isUsed)
    return nullptr;
  if (void *library = dlopen(openMPLibrary, RTLD_NOW | RTLD_LOCAL))
    return library;
  return createStringError("code for several threads needs the run-time "
                           "library of OpenMP, which cannot be loaded: " +
                           Twine(dlerror()));
}

/// Returns the functions of OpenMP that `module` calls.
static std::vector<std::string> getOpenMPFunctions(const llvm::Module &module) {
  std::vector<std::string> names;
  for (const llvm::Function &function : module)
    if (function.isDeclaration() && function.getName().starts_with("__kmpc_"))
      names.push_back(function.getName().str());
  return names;
}

/// Returns the addresses of `names` in `library`. What it lacks is left to the
/// linker of the JIT to report.
static llvm::orc::SymbolMap findSymbols(void *library,
                                        ArrayRef<std::string> names,
                                        llvm::orc::MangleAndInterner mangle) {
  llvm::orc::SymbolMap symbols;
  for (const std::string &name : names)
    if (void *address = dlsym(library, name.c_str()))
      symbols[mangle(name)] = llvm::orc::ExecutorSymbolDef(
          llvm::orc::ExecutorAddr::fromPtr(address),
          llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable);
  return symbols;
}

/// Translates `module` to LLVM IR, where the functions are only visible through
/// their C interfaces. So the others need no wrapper of ExecutionEngine, and do
/// not pass all fields of all descriptors on.
static std::unique_ptr<llvm::Module>
translate(Operation *module, llvm::LLVMContext &context,
          ArrayRef<FunctionDescription> descriptions) {
  std::unique_ptr<llvm::Module> result =
      translateModuleToLLVMIR(module, context);
  if (!result)
    return nullptr;
  for (const FunctionDescription &description : descriptions)
    for (StringRef name : {StringRef(description.signature.name),
                           StringRef(description.shapeFunction)})
      if (llvm::Function *function = result->getFunction(name);
          function && !function->isDeclaration())
        function->setLinkage(llvm::Function::InternalLinkage);
  return result;
}

static Expected<std::unique_ptr<ExecutionEngine>>
createEngine(ModuleOp module, ArrayRef<FunctionDescription> descriptions,
             void *openMP, const CompileOptions &options) {
  auto machine = createJITTargetMachine(options.targetCPU, options.optLevel);
  if (!machine)
    return machine.takeError();
  // The engine owns the machine from here on and keeps it for its compiler.
  llvm::TargetMachine *optimizingMachine = machine->get();
  std::vector<std::string> openMPFunctions;
  auto optimize = [&](llvm::Module *llvmModule) {
    optimizeModule(*llvmModule, *optimizingMachine, options.optLevel);
    openMPFunctions = getOpenMPFunctions(*llvmModule);
    return Error::success();
  };
  auto build = [&](Operation *op, llvm::LLVMContext &context) {
    return translate(op, context, descriptions);
  };
  ExecutionEngineOptions engineOptions;
  engineOptions.llvmModuleBuilder = build;
  engineOptions.transformer = optimize;
  engineOptions.enableGDBNotificationListener = false;
  engineOptions.enablePerfNotificationListener = false;
  auto engine =
      ExecutionEngine::create(module, engineOptions, std::move(*machine));
  if (!engine)
    return engine;
  (*engine)->registerSymbols(getFloatRuntimeSymbols);
  (*engine)->registerSymbols(getAllocationRuntimeSymbols);
  if (openMP)
    (*engine)->registerSymbols([&](llvm::orc::MangleAndInterner mangle) {
      return findSymbols(openMP, openMPFunctions, mangle);
    });
  (*engine)->initialize();
  return engine;
}

CompiledModule::CompiledModule() = default;
CompiledModule::~CompiledModule() = default;

Expected<std::unique_ptr<CompiledModule>>
CompiledModule::create(ModuleOp module, const CompileOptions &options) {
  auto descriptions = describeFunctions(module);
  if (!descriptions)
    return descriptions.takeError();
  if (Error error = checkDeclarations(module))
    return std::move(error);
  Expected<void *> openMP = loadOpenMP(module);
  if (!openMP)
    return openMP.takeError();
  registerLLVMTranslations(module.getContext());

  std::unique_ptr<CompiledModule> result(new CompiledModule());
  auto engine = createEngine(module, *descriptions, *openMP, options);
  if (!engine)
    return engine.takeError();
  result->engine = std::move(*engine);

  for (FunctionDescription &description : *descriptions) {
    CompiledFunction compiled;
    for (const auto &[symbol, pointer] :
         {std::make_pair(description.signature.name, &compiled.function),
          std::make_pair(description.shapeFunction, &compiled.shapeFunction)}) {
      auto packed = result->engine->lookupPacked("_mlir_ciface_" + symbol);
      if (!packed)
        return packed.takeError();
      *pointer = *packed;
    }
    compiled.signature = std::move(description.signature);
    compiled.messages = std::move(description.messages);
    compiled.heap = options.heap;
    result->functions.push_back(std::move(compiled));
  }
  return result;
}

const CompiledFunction *CompiledModule::lookup(StringRef name) const {
  for (const CompiledFunction &function : functions)
    if (function.getSignature().name == name)
      return &function;
  return nullptr;
}
