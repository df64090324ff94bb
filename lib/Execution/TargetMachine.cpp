//===- TargetMachine.cpp - The CPU that code is made for ------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/Execution/TargetMachine.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"

using namespace mlir::meanvar;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

static void initializeNativeTarget() {
  static const bool initialized = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    return true;
  }();
  (void)initialized;
}

static llvm::CodeGenOptLevel getCodeGenLevel(unsigned optLevel) {
  return llvm::CodeGenOpt::getLevel(static_cast<int>(optLevel))
      .value_or(llvm::CodeGenOptLevel::Aggressive);
}

/// Creates a machine with the given CPU and, for the CPU of this host, the
/// features that are in fact available: virtual machines hide some.
static Expected<std::unique_ptr<llvm::TargetMachine>>
createMachine(StringRef cpu, bool isHost, unsigned optLevel) {
  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return builder.takeError();
  builder->setCPU(cpu.str());
  builder->setCodeGenOptLevel(getCodeGenLevel(optLevel));
  if (!isHost)
    builder->getFeatures() = llvm::SubtargetFeatures();
  return builder->createTargetMachine();
}

/// Returns true for features that change which instructions LLVM selects on its
/// own. Others (of the operating system, such as "pku") are often hidden from
/// virtual machines, and code does not need them.
static bool isUsedByGeneratedCode(StringRef feature) {
  if (!llvm::Triple(llvm::sys::getProcessTriple()).isX86())
    return true;
  return feature.starts_with("sse") || feature.starts_with("ssse") ||
         feature.starts_with("avx") || feature.starts_with("bmi") ||
         feature == "fma" || feature == "f16c" || feature == "lzcnt" ||
         feature == "popcnt" || feature == "movbe" || feature == "adx";
}

/// Fails where code for `machine` would end in an illegal instruction here.
static Error checkRunsOnHost(const llvm::TargetMachine &machine,
                             StringRef cpu) {
  for (const auto &feature : llvm::sys::getHostCPUFeatures())
    if (!feature.getValue() && isUsedByGeneratedCode(feature.getKey()) &&
        machine.getMCSubtargetInfo()->checkFeatures(
            ("+" + feature.getKey()).str()))
      return createStringError("target CPU '" + cpu + "' has the feature '" +
                               feature.getKey() + "', which this host (" +
                               llvm::sys::getHostCPUName() + ") lacks");
  return Error::success();
}

/// Returns true if `cpu`, a name that `machine` knows, runs 64-bit code. LLVM
/// ends the process where a machine for one that does not is asked to compile
/// some.
static bool is64Bit(const llvm::TargetMachine &machine, StringRef cpu) {
  const llvm::Triple &triple = machine.getTargetTriple();
  if (!triple.isX86())
    return true;
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget(
      machine.getTarget().createMCSubtargetInfo(triple, cpu, /*Features=*/""));
  return subtarget && subtarget->checkFeatures("+64bit");
}

/// Fails where `machine` is one whose target does not know `cpu`, or for whose
/// 64-bit code it does not suffice.
static Error checkCPU(const llvm::TargetMachine &machine, StringRef cpu) {
  if (!machine.getMCSubtargetInfo()->isCPUStringValid(cpu))
    return createStringError("target CPU '" + cpu + "' is unknown for " +
                             machine.getTargetTriple().str() + " (this host: " +
                             llvm::sys::getHostCPUName() + ")");
  if (!is64Bit(machine, cpu))
    return createStringError("target CPU '" + cpu +
                             "' has no 64-bit instructions");
  return Error::success();
}

Expected<std::unique_ptr<llvm::TargetMachine>>
mlir::meanvar::createJITTargetMachine(StringRef cpu, unsigned optLevel) {
  initializeNativeTarget();
  StringRef hostCPU = llvm::sys::getHostCPUName();
  if (cpu.empty() || cpu == "host")
    return createMachine(hostCPU, /*isHost=*/true, optLevel);

  // LLVM only warns about an unknown name, so a machine for this host is asked.
  auto host = createMachine(hostCPU, /*isHost=*/true, optLevel);
  if (!host)
    return host;
  if (Error error = checkCPU(**host, cpu))
    return std::move(error);
  auto machine = createMachine(cpu, /*isHost=*/false, optLevel);
  if (!machine)
    return machine;
  if (Error error = checkRunsOnHost(**machine, cpu))
    return std::move(error);
  return machine;
}

static void initializeAllTargets() {
  static const bool initialized = [] {
#ifdef MEANVAR_STATIC_LLVM
    // Each is megabytes of what LLVM is linked into: those that are tested.
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeAArch64TargetInfo();
    LLVMInitializeAArch64Target();
    LLVMInitializeAArch64TargetMC();
    LLVMInitializeAArch64AsmPrinter();
#else
    llvm::InitializeAllTargetInfos();
    llvm::InitializeAllTargets();
    llvm::InitializeAllTargetMCs();
    llvm::InitializeAllAsmPrinters();
#endif
    return true;
  }();
  (void)initialized;
}

/// Returns the target of `triple`, if code for it can address what tensors
/// hold.
static Expected<const llvm::Target *> lookupTarget(const llvm::Triple &triple) {
  std::string message;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return createStringError("target triple '" + triple.str() +
                             "' is unknown (allowed: those of LLVM, such as "
                             "x86_64-linux-gnu and aarch64-linux-gnu)");
  if (!triple.isArch64Bit())
    return createStringError("target triple '" + triple.str() +
                             "' has no 64-bit pointers");
  return target;
}

Expected<std::unique_ptr<llvm::TargetMachine>>
mlir::meanvar::createTargetMachine(StringRef tripleName, StringRef cpu,
                                   unsigned optLevel) {
  initializeAllTargets();
  llvm::Triple host(llvm::sys::getProcessTriple());
  llvm::Triple triple = tripleName.empty()
                            ? host
                            : llvm::Triple(llvm::Triple::normalize(tripleName));
  Expected<const llvm::Target *> target = lookupTarget(triple);
  if (!target)
    return target.takeError();
  auto create = [&](StringRef name, StringRef features) {
    return std::unique_ptr<llvm::TargetMachine>((*target)->createTargetMachine(
        triple, name, features, llvm::TargetOptions(), llvm::Reloc::PIC_,
        std::nullopt, getCodeGenLevel(optLevel)));
  };
  if (cpu != "host") {
    auto machine = create(/*name=*/"", /*features=*/"");
    if (cpu.empty())
      return machine;
    if (Error error = checkCPU(*machine, cpu))
      return std::move(error);
    return create(cpu, /*features=*/"");
  }
  if (triple.getArch() != host.getArch())
    return createStringError("target CPU 'host' is one of " + host.str() +
                             ", not of " + triple.str());
  auto machine = createJITTargetMachine(cpu, optLevel);
  if (!machine)
    return machine;
  return create((*machine)->getTargetCPU(),
                (*machine)->getTargetFeatureString());
}

unsigned mlir::meanvar::getVectorBits(const llvm::TargetMachine &machine) {
  if (!machine.getTargetTriple().isX86())
    return 128;
  if (machine.getMCSubtargetInfo()->checkFeatures("+avx512f"))
    return 512;
  return machine.getMCSubtargetInfo()->checkFeatures("+avx") ? 256 : 128;
}

bool mlir::meanvar::convertsFloat16(const llvm::TargetMachine &machine) {
  const llvm::Triple &triple = machine.getTargetTriple();
  if (triple.isX86())
    return machine.getMCSubtargetInfo()->checkFeatures("+f16c");
  return triple.isAArch64();
}

/// Says in the IR itself what it is compiled for: the optimizer reads the
/// attributes, not the machine.
static void addTargetAttributes(llvm::Module &module,
                                const llvm::TargetMachine &machine) {
  bool hasWideVectors = getVectorBits(machine) == 512;
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    if (!function.hasFnAttribute("target-cpu"))
      function.addFnAttr("target-cpu", machine.getTargetCPU());
    if (!function.hasFnAttribute("target-features"))
      function.addFnAttr("target-features", machine.getTargetFeatureString());
    if (hasWideVectors && !function.hasFnAttribute("prefer-vector-width"))
      function.addFnAttr("prefer-vector-width", "512");
  }
}

static llvm::OptimizationLevel getOptimizationLevel(unsigned optLevel) {
  switch (optLevel) {
  case 0:
    return llvm::OptimizationLevel::O0;
  case 1:
    return llvm::OptimizationLevel::O1;
  case 2:
    return llvm::OptimizationLevel::O2;
  default:
    return llvm::OptimizationLevel::O3;
  }
}

/// Returns true for all passes but one, which removes nothing from the kernels
/// and needs time that grows with the cube of the checks of a function: for a
/// mean of 300 operands ten times what all other passes need.
static bool isWorthItsTime(StringRef passName, const llvm::Any &) {
  return passName != "ConstraintEliminationPass";
}

void mlir::meanvar::optimizeModule(llvm::Module &module,
                                   llvm::TargetMachine &machine,
                                   unsigned optLevel) {
  addTargetAttributes(module, machine);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager callGraph;
  llvm::ModuleAnalysisManager modules;
  llvm::PassInstrumentationCallbacks callbacks;
  callbacks.registerShouldRunOptionalPassCallback(isWorthItsTime);
  llvm::PassBuilder builder(&machine, llvm::PipelineTuningOptions(),
                            /*PGOOpt=*/std::nullopt, &callbacks);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(callGraph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, callGraph, modules);
  llvm::OptimizationLevel level = getOptimizationLevel(optLevel);
  llvm::ModulePassManager passes =
      optLevel == 0 ? builder.buildO0DefaultPipeline(level)
                    : builder.buildPerModuleDefaultPipeline(level);
  passes.run(module, modules);
}
