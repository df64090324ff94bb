//===- CInterface.cpp - Definitions of functions for C programs -----------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/AheadOfTime/CInterface.h"
#include "CheckedAllocations.h"
#include "meanvar/TensorIO/HostTensor.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace mlir::meanvar;

namespace {

/// Emits the two functions that make a call in C one of the calling convention.
class CFunctionEmitter {
public:
  CFunctionEmitter(ModuleOp module, const CFunction &function,
                   const CallMemory &memory)
      : module(module), function(function), memory(memory),
        builder(module.getBody(), module.getBody()->end()),
        loc(builder.getUnknownLoc()),
        pointer(LLVM::LLVMPointerType::get(module.getContext())) {}

  void emitKernel();
  void emitShapeFunction();

private:
  using Values = SmallVector<Value>;

  LLVM::LLVMFuncOp lookup(StringRef symbol) {
    return module.lookupSymbol<LLVM::LLVMFuncOp>(symbol);
  }
  LLVM::LLVMFuncOp begin(StringRef symbol, ArrayRef<Type> parameters);
  Type getParameterType(ElementKind kind);
  Value constant(int64_t value) {
    return LLVM::ConstantOp::create(builder, loc, builder.getI64Type(), value);
  }
  Value getElement(Value array, int64_t index) {
    return LLVM::GEPOp::create(builder, loc, pointer, builder.getI64Type(),
                               array, ArrayRef<LLVM::GEPArg>{index});
  }
  Value getErrorBuffer(Value error);
  void appendLine(Value data, int64_t size, Values &arguments);
  void appendTensor(const CValue &value, Value data, Value shape,
                    Values &arguments);
  void appendScalar(Value argument, LLVM::LLVMFuncOp callee, Values &arguments);
  Value call(LLVM::LLVMFuncOp callee, ValueRange arguments);
  Value callWithMemory(LLVM::LLVMFuncOp callee, Values &arguments, Value error);
  void emitIfSuccessful(Value status, function_ref<void()> body);
  void storeSizes(Value sizes, ValueRange shapes);

  ModuleOp module;
  const CFunction &function;
  const CallMemory &memory;
  OpBuilder builder;
  Location loc;
  Type pointer;
};

} // namespace

/// Returns the type in which C passes a scalar: 16-bit floats by their bits,
/// and a truth value as a byte.
Type CFunctionEmitter::getParameterType(ElementKind kind) {
  if (kind == ElementKind::F32)
    return builder.getF32Type();
  if (kind == ElementKind::F64)
    return builder.getF64Type();
  return builder.getIntegerType(8 *
                                static_cast<unsigned>(getElementSize(kind)));
}

/// Creates a function that returns a status and starts to emit its body.
LLVM::LLVMFuncOp CFunctionEmitter::begin(StringRef symbol,
                                         ArrayRef<Type> parameters) {
  builder.setInsertionPointToEnd(module.getBody());
  auto type = LLVM::LLVMFunctionType::get(builder.getI32Type(), parameters);
  auto result = LLVM::LLVMFuncOp::create(builder, loc, symbol, type);
  builder.setInsertionPointToStart(result.addEntryBlock(builder));
  return result;
}

/// Returns where the integers of a message go: to `error`, which may be null.
Value CFunctionEmitter::getErrorBuffer(Value error) {
  Value own = LLVM::AllocaOp::create(builder, loc, pointer,
                                     builder.getI64Type(), constant(2));
  Value null = LLVM::ZeroOp::create(builder, loc, pointer);
  Value isNull =
      LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, error, null);
  return LLVM::SelectOp::create(builder, loc, isNull, own, error);
}

/// Appends the fields of the descriptor of `size` elements in a line.
void CFunctionEmitter::appendLine(Value data, int64_t size, Values &arguments) {
  arguments.append({data, data, constant(0), constant(size), constant(1)});
}

/// Appends the fields of the descriptor of a tensor, dense and row-major.
/// `shape` is null where all sizes are static.
void CFunctionEmitter::appendTensor(const CValue &value, Value data,
                                    Value shape, Values &arguments) {
  arguments.append({data, data, constant(0)});
  Values sizes, strides(value.type.shape.size());
  for (auto [dim, size] : llvm::enumerate(value.type.shape))
    sizes.push_back(shape ? LLVM::LoadOp::create(
                                builder, loc, builder.getI64Type(),
                                getElement(shape, static_cast<int64_t>(dim)))
                                .getResult()
                          : constant(size));
  Value stride = constant(1);
  for (size_t dim = sizes.size(); dim-- > 0;) {
    strides[dim] = stride;
    stride = LLVM::MulOp::create(builder, loc, stride, sizes[dim]);
  }
  arguments.append(sizes);
  arguments.append(strides);
}

/// Appends `argument`, a scalar in C, in the type that `callee` takes.
void CFunctionEmitter::appendScalar(Value argument, LLVM::LLVMFuncOp callee,
                                    Values &arguments) {
  Type type = callee.getFunctionType().getParamType(arguments.size());
  if (type.isInteger(1)) {
    Value zero = LLVM::ConstantOp::create(builder, loc, argument.getType(), 0);
    argument = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne,
                                    argument, zero);
  } else if (type != argument.getType()) {
    argument = LLVM::BitcastOp::create(builder, loc, type, argument);
  }
  arguments.push_back(argument);
}

Value CFunctionEmitter::call(LLVM::LLVMFuncOp callee, ValueRange arguments) {
  return LLVM::CallOp::create(builder, loc, callee, arguments).getResult();
}

void CFunctionEmitter::emitKernel() {
  SmallVector<Type> parameters;
  auto declare = [&](const CValue &value) {
    parameters.push_back(
        value.type.isTensor ? pointer : getParameterType(value.type.kind));
    if (value.hasShapeParameter())
      parameters.push_back(pointer);
  };
  llvm::for_each(function.inputs, declare);
  for (const CValue &value : function.outputs) {
    parameters.push_back(pointer); // scalars, too
    if (value.hasShapeParameter())
      parameters.push_back(pointer);
  }
  parameters.push_back(pointer);

  LLVM::LLVMFuncOp callee = lookup(function.description.signature.name);
  LLVM::LLVMFuncOp result = begin(function.symbol, parameters);
  Values arguments;
  unsigned next = 0;
  auto pass = [&](const CValue &value, bool isOutput) {
    Value data = result.getArgument(next++);
    if (!value.type.isTensor && !isOutput)
      return appendScalar(data, callee, arguments);
    Value shape =
        value.hasShapeParameter() ? result.getArgument(next++) : Value();
    appendTensor(value, data, shape, arguments);
  };
  for (const CValue &value : function.inputs)
    pass(value, /*isOutput=*/false);
  for (const CValue &value : function.outputs)
    pass(value, /*isOutput=*/true);
  Value error = getErrorBuffer(result.getArgument(next));
  appendLine(error, 2, arguments);
  LLVM::ReturnOp::create(builder, loc,
                         function.allocates
                             ? callWithMemory(callee, arguments, error)
                             : call(callee, arguments));
}

/// Calls a function that allocates. Where memory is short, the status is the
/// last.
Value CFunctionEmitter::callWithMemory(LLVM::LLVMFuncOp callee,
                                       Values &arguments, Value error) {
  Value list =
      LLVM::AllocaOp::create(builder, loc, pointer, memory.type, constant(1));
  LLVM::CallOp::create(builder, loc, memory.begin, list);
  arguments.push_back(list);
  Value status = call(callee, arguments);
  Value isShort = call(memory.end, {list, error});
  Value memoryShort = LLVM::ConstantOp::create(
      builder, loc, builder.getI32Type(),
      static_cast<int64_t>(function.description.messages.size()));
  return LLVM::SelectOp::create(builder, loc, isShort, memoryShort, status);
}

void CFunctionEmitter::emitShapeFunction() {
  SmallVector<Type> parameters;
  for (const CValue &value : function.inputs)
    if (value.hasShapeParameter())
      parameters.push_back(pointer);
    else if (!value.type.isTensor)
      parameters.push_back(getParameterType(value.type.kind));
  for (const CValue &value : function.outputs)
    if (value.hasShapeParameter())
      parameters.push_back(pointer);
  parameters.push_back(pointer);

  LLVM::LLVMFuncOp callee = lookup(function.description.shapeFunction);
  LLVM::LLVMFuncOp result = begin(function.symbol + "_shape", parameters);
  Values arguments;
  ValueRange rest = result.getArguments();
  auto takeNext = [&] {
    Value next = rest.front();
    rest = rest.drop_front();
    return next;
  };
  Value null = LLVM::ZeroOp::create(builder, loc, pointer);
  int64_t numSizes = 0;
  for (const CValue &value : function.inputs)
    if (value.type.isTensor)
      appendTensor(value, null,
                   value.hasShapeParameter() ? takeNext() : Value(), arguments);
    else
      appendScalar(takeNext(), callee, arguments);
  for (const CValue &value : function.outputs)
    numSizes += static_cast<int64_t>(value.type.shape.size());
  Value sizes =
      LLVM::AllocaOp::create(builder, loc, pointer, builder.getI64Type(),
                             constant(std::max<int64_t>(numSizes, 1)));
  appendLine(sizes, numSizes, arguments);
  appendLine(getErrorBuffer(rest.back()), 2, arguments);
  Value status = call(callee, arguments);
  emitIfSuccessful(status, [&] { storeSizes(sizes, rest.drop_back()); });
}

/// Emits `body` where `status` is 0, and the return of `status`.
void CFunctionEmitter::emitIfSuccessful(Value status,
                                        function_ref<void()> body) {
  Block *entry = builder.getInsertionBlock();
  Block *success = builder.createBlock(entry->getParent());
  Block *exit = builder.createBlock(entry->getParent());
  LLVM::ReturnOp::create(builder, loc, status);
  builder.setInsertionPointToEnd(entry);
  Value zero = LLVM::ConstantOp::create(builder, loc, builder.getI32Type(), 0);
  Value isSuccess =
      LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, status, zero);
  LLVM::CondBrOp::create(builder, loc, isSuccess, success, exit);
  builder.setInsertionPointToEnd(success);
  body();
  LLVM::BrOp::create(builder, loc, exit);
}

/// Copies the sizes of all outputs, one after the other in `sizes`, to the
/// arrays of those that have one.
void CFunctionEmitter::storeSizes(Value sizes, ValueRange shapes) {
  int64_t position = 0;
  for (const CValue &value : function.outputs) {
    auto rank = static_cast<int64_t>(value.type.shape.size());
    if (value.hasShapeParameter()) {
      for (int64_t dim = 0; dim < rank; ++dim) {
        Value size = LLVM::LoadOp::create(builder, loc, builder.getI64Type(),
                                          getElement(sizes, position + dim));
        LLVM::StoreOp::create(builder, loc, size,
                              getElement(shapes.front(), dim));
      }
      shapes = shapes.drop_front();
    }
    position += rank;
  }
}

/// Makes the functions of `module` local to it, and drops their other C
/// interface.
static void makeLocal(ModuleOp module) {
  SymbolTable symbols(module);
  for (auto defined :
       llvm::make_early_inc_range(module.getOps<LLVM::LLVMFuncOp>())) {
    if (defined.isExternal())
      continue;
    if (defined.getName().starts_with("_mlir_ciface_")) {
      symbols.erase(defined);
      continue;
    }
    defined.setLinkage(LLVM::Linkage::Internal);
    defined->removeAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName());
  }
}

void mlir::meanvar::emitCInterface(ModuleOp module,
                                   ArrayRef<CFunction> functions) {
  makeLocal(module);
  CallMemory memory;
  if (llvm::any_of(functions, [](const CFunction &function) {
        return function.allocates;
      }))
    memory = checkAllocations(module);
  for (const CFunction &function : functions) {
    CFunctionEmitter emitter(module, function, memory);
    emitter.emitKernel();
    emitter.emitShapeFunction();
  }
}
