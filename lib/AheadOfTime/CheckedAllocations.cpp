//===- CheckedAllocations.cpp - Code that survives a lack of memory -------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckedAllocations.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace mlir::meanvar;

/// A list is its first and its last temporary, the number of bytes that could
/// not be had, and whether that happened. A temporary stands behind a header,
/// the next and the previous one; the list is both of the last and the first.
/// Sixteen bytes keep what follows aligned as `malloc` does.
static constexpr StringLiteral runtimeSource = R"(
!LIST = !llvm.struct<(ptr, ptr, i64, i1)>
llvm.func internal @begin(%list: !llvm.ptr) {
  %number = llvm.mlir.constant(0 : i64) : i64
  %false = llvm.mlir.constant(false) : i1
  %last = llvm.getelementptr %list[0, 1] : (!llvm.ptr) -> !llvm.ptr, !LIST
  %bytes = llvm.getelementptr %list[0, 2] : (!llvm.ptr) -> !llvm.ptr, !LIST
  %isShort = llvm.getelementptr %list[0, 3] : (!llvm.ptr) -> !llvm.ptr, !LIST
  llvm.store %list, %list : !llvm.ptr, !llvm.ptr
  llvm.store %list, %last : !llvm.ptr, !llvm.ptr
  llvm.store %number, %bytes : i64, !llvm.ptr
  llvm.store %false, %isShort : i1, !llvm.ptr
  llvm.return
}
llvm.func internal @allocate(%list: !llvm.ptr, %bytes: i64)
    -> (!llvm.ptr {llvm.noalias}) {
  %header = llvm.mlir.constant(16 : i64) : i64
  %null = llvm.mlir.zero : !llvm.ptr
  %total = llvm.add %bytes, %header : i64
  %overflows = llvm.icmp "ult" %total, %bytes : i64
  llvm.cond_br %overflows, ^short, ^ask
^ask:
  %block = llvm.call @malloc(%total) : (i64) -> !llvm.ptr
  %isNull = llvm.icmp "eq" %block, %null : !llvm.ptr
  llvm.cond_br %isNull, ^short, ^link
^link:
  %next = llvm.load %list : !llvm.ptr -> !llvm.ptr
  %previous = llvm.getelementptr %block[0, 1] : (!llvm.ptr) -> !llvm.ptr, !LIST
  %back = llvm.getelementptr %next[0, 1] : (!llvm.ptr) -> !llvm.ptr, !LIST
  llvm.store %next, %block : !llvm.ptr, !llvm.ptr
  llvm.store %list, %previous : !llvm.ptr, !llvm.ptr
  llvm.store %block, %back : !llvm.ptr, !llvm.ptr
  llvm.store %block, %list : !llvm.ptr, !llvm.ptr
  %memory = llvm.getelementptr %block[16] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.return %memory : !llvm.ptr
^short:
  %true = llvm.mlir.constant(true) : i1
  %failed = llvm.getelementptr %list[0, 2] : (!llvm.ptr) -> !llvm.ptr, !LIST
  %isShort = llvm.getelementptr %list[0, 3] : (!llvm.ptr) -> !llvm.ptr, !LIST
  llvm.store %bytes, %failed : i64, !llvm.ptr
  llvm.store %true, %isShort : i1, !llvm.ptr
  llvm.return %null : !llvm.ptr
}
llvm.func internal @release(%memory: !llvm.ptr) {
  %null = llvm.mlir.zero : !llvm.ptr
  %isNull = llvm.icmp "eq" %memory, %null : !llvm.ptr
  llvm.cond_br %isNull, ^done, ^unlink
^unlink:
  %block = llvm.getelementptr %memory[-16] : (!llvm.ptr) -> !llvm.ptr, i8
  %previousOf = llvm.getelementptr %block[0, 1] : (!llvm.ptr) -> !llvm.ptr, !LIST
  %next = llvm.load %block : !llvm.ptr -> !llvm.ptr
  %previous = llvm.load %previousOf : !llvm.ptr -> !llvm.ptr
  %back = llvm.getelementptr %next[0, 1] : (!llvm.ptr) -> !llvm.ptr, !LIST
  llvm.store %next, %previous : !llvm.ptr, !llvm.ptr
  llvm.store %previous, %back : !llvm.ptr, !llvm.ptr
  llvm.call @free(%block) : (!llvm.ptr) -> ()
  llvm.br ^done
^done:
  llvm.return
}
llvm.func internal @is_short(%list: !llvm.ptr) -> i1 {
  %isShort = llvm.getelementptr %list[0, 3] : (!llvm.ptr) -> !llvm.ptr, !LIST
  %result = llvm.load %isShort : !llvm.ptr -> i1
  llvm.return %result : i1
}
llvm.func internal @end(%list: !llvm.ptr, %numbers: !llvm.ptr) -> i1 {
  %flag = llvm.getelementptr %list[0, 3] : (!llvm.ptr) -> !llvm.ptr, !LIST
  %isShort = llvm.load %flag : !llvm.ptr -> i1
  llvm.cond_br %isShort, ^report, ^done
^report:
  %failed = llvm.getelementptr %list[0, 2] : (!llvm.ptr) -> !llvm.ptr, !LIST
  %bytes = llvm.load %failed : !llvm.ptr -> i64
  llvm.store %bytes, %numbers : i64, !llvm.ptr
  %first = llvm.load %list : !llvm.ptr -> !llvm.ptr
  llvm.br ^each(%first : !llvm.ptr)
^each(%block: !llvm.ptr):
  %isLast = llvm.icmp "eq" %block, %list : !llvm.ptr
  llvm.cond_br %isLast, ^done, ^free
^free:
  %next = llvm.load %block : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%block) : (!llvm.ptr) -> ()
  llvm.br ^each(%next : !llvm.ptr)
^done:
  llvm.return %isShort : i1
}
llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
)";

namespace {

/// Makes functions return where memory is short.
class AllocationChecker {
public:
  explicit AllocationChecker(ModuleOp module)
      : module(module), symbols(module), builder(module.getContext()),
        pointer(LLVM::LLVMPointerType::get(module.getContext())) {}

  CallMemory run();

private:
  LLVM::LLVMFuncOp insertRuntime(ModuleOp source, StringRef name);
  Value addParameter(LLVM::LLVMFuncOp function);
  void replaceFrees(LLVM::LLVMFuncOp function);
  void check(LLVM::LLVMFuncOp function);
  void returnIfShort(LLVM::CallOp call, Value list, Block *exit);
  Block *createExit(LLVM::LLVMFuncOp function);

  ModuleOp module;
  SymbolTable symbols;
  OpBuilder builder;
  Type pointer;
  LLVM::LLVMFuncOp allocate, release, isShort;
  llvm::SetVector<LLVM::LLVMFuncOp> allocating;
};

} // namespace

static bool isCallOf(LLVM::CallOp call, StringRef name) {
  return call.getCallee() == name;
}

llvm::SetVector<LLVM::LLVMFuncOp>
meanvar::findAllocatingFunctions(ModuleOp module) {
  llvm::SetVector<LLVM::LLVMFuncOp> found;
  SymbolTable symbols(module);
  SmallVector<LLVM::LLVMFuncOp> pending;
  if (auto malloc = symbols.lookup<LLVM::LLVMFuncOp>("malloc"))
    pending.push_back(malloc);
  SymbolTableCollection collection;
  SymbolUserMap users(collection, module);
  while (!pending.empty())
    for (Operation *user : users.getUsers(pending.pop_back_val()))
      if (auto function = user->getParentOfType<LLVM::LLVMFuncOp>();
          function && found.insert(function))
        pending.push_back(function);
  return found;
}

/// Moves function `name` of `source` to the module, under a name that is free.
LLVM::LLVMFuncOp AllocationChecker::insertRuntime(ModuleOp source,
                                                  StringRef name) {
  auto function = source.lookupSymbol<LLVM::LLVMFuncOp>(name);
  assert(function && "defined in the source");
  function->remove();
  function.setName(("meanvar_memory_" + name).str());
  symbols.insert(function, module.getBody()->end());
  return function;
}

/// Creates the block that ends `function` early, with any results.
Block *AllocationChecker::createExit(LLVM::LLVMFuncOp function) {
  OpBuilder::InsertionGuard guard(builder);
  Block *exit =
      builder.createBlock(&function.getBody(), function.getBody().end());
  Type type = function.getFunctionType().getReturnType();
  if (isa<LLVM::LLVMVoidType>(type))
    LLVM::ReturnOp::create(builder, function.getLoc(), ValueRange());
  else
    LLVM::ReturnOp::create(
        builder, function.getLoc(),
        LLVM::ZeroOp::create(builder, function.getLoc(), type).getResult());
  return exit;
}

/// Has the function go on behind `call` only if there was memory.
void AllocationChecker::returnIfShort(LLVM::CallOp call, Value list,
                                      Block *exit) {
  Block *block = call->getBlock();
  Block *rest = block->splitBlock(std::next(call->getIterator()));
  builder.setInsertionPointToEnd(block);
  Value leaves =
      LLVM::CallOp::create(builder, call.getLoc(), isShort, list).getResult();
  LLVM::CondBrOp::create(builder, call.getLoc(), leaves, exit, rest);
}

/// Adds the parameter that points to the list.
Value AllocationChecker::addParameter(LLVM::LLVMFuncOp function) {
  LLVM::LLVMFunctionType type = function.getFunctionType();
  SmallVector<Type> parameters(type.getParams());
  parameters.push_back(pointer);
  function.setFunctionType(LLVM::LLVMFunctionType::get(
      type.getReturnType(), parameters, type.isVarArg()));
  if (ArrayAttr attributes = function.getArgAttrsAttr()) {
    SmallVector<Attribute> extended(attributes.getValue());
    extended.push_back(builder.getDictionaryAttr({}));
    function.setArgAttrsAttr(builder.getArrayAttr(extended));
  }
  return function.getBody().addArgument(pointer, function.getLoc());
}

void AllocationChecker::check(LLVM::LLVMFuncOp function) {
  SmallVector<LLVM::CallOp> calls;
  function.walk([&](LLVM::CallOp call) {
    auto callee = call.getCallee()
                      ? symbols.lookup<LLVM::LLVMFuncOp>(*call.getCallee())
                      : LLVM::LLVMFuncOp();
    if (isCallOf(call, "malloc") || (callee && allocating.contains(callee)))
      calls.push_back(call);
  });
  Value list = addParameter(function);
  Block *exit = createExit(function);
  for (LLVM::CallOp call : calls) {
    if (isCallOf(call, "malloc")) {
      builder.setInsertionPoint(call);
      auto checked =
          LLVM::CallOp::create(builder, call.getLoc(), allocate,
                               ValueRange{list, call.getArgOperands().front()});
      call->replaceAllUsesWith(checked);
      call->erase();
      call = checked;
    } else {
      call.getCalleeOperandsMutable().append(list);
      call.removeArgAttrsAttr();
    }
    // Regions of several threads do not allocate.
    assert(call->getParentOp() == function.getOperation());
    returnIfShort(call, list, exit);
  }
}

void AllocationChecker::replaceFrees(LLVM::LLVMFuncOp function) {
  function.walk([&](LLVM::CallOp call) {
    if (isCallOf(call, "free"))
      call.setCallee(release.getName());
  });
}

CallMemory AllocationChecker::run() {
  allocating = findAllocatingFunctions(module);
  SmallVector<LLVM::LLVMFuncOp> functions(module.getOps<LLVM::LLVMFuncOp>());
  OwningOpRef<ModuleOp> source =
      parseSourceString<ModuleOp>(runtimeSource, module.getContext());
  allocate = insertRuntime(*source, "allocate");
  release = insertRuntime(*source, "release");
  isShort = insertRuntime(*source, "is_short");
  CallMemory memory{
      insertRuntime(*source, "begin"), insertRuntime(*source, "end"),
      LLVM::LLVMStructType::getLiteral(
          module.getContext(),
          {pointer, pointer, builder.getI64Type(), builder.getI1Type()})};
  if (!symbols.lookup("free")) {
    Operation *free = source->lookupSymbol("free");
    free->remove();
    symbols.insert(free, module.getBody()->end());
  }
  for (LLVM::LLVMFuncOp function : functions) {
    replaceFrees(function);
    if (allocating.contains(function))
      check(function);
  }
  return memory;
}

CallMemory meanvar::checkAllocations(ModuleOp module) {
  return AllocationChecker(module).run();
}
