//===- LowerEntryPoints.cpp - Functions with outputs and a status ---------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EntryPoint.h"
#include "meanvar/Codegen/Passes.h"
#include "meanvar/Dialect/MeanVar/IR/MeanVarOps.h"
#include "meanvar/Dialect/MeanVar/Transforms/Transforms.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/Support/FormatVariadic.h"

namespace mlir::meanvar {
#define GEN_PASS_DEF_LOWERENTRYPOINTSPASS
#include "meanvar/Codegen/Passes.h.inc"
} // namespace mlir::meanvar

using namespace mlir;
using namespace mlir::meanvar;

SmallVector<func::FuncOp> meanvar::getEntryPoints(ModuleOp module) {
  SmallVector<func::FuncOp> functions;
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isPublic() && !function.isDeclaration() &&
        llvm::any_of(function.getResultTypes(), llvm::IsaPred<TensorType>))
      functions.push_back(function);
  return functions;
}

/// Returns the type of the buffer of a result of type `type`, with its sizes.
static MemRefType getSizedOutputType(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return MemRefType::get({}, type);
  return MemRefType::get(tensor.getShape(), tensor.getElementType());
}

static Type getSizedParameterType(Type type) {
  return isa<RankedTensorType>(type) ? Type(getSizedOutputType(type)) : type;
}

//===----------------------------------------------------------------------===//
// The body
//===----------------------------------------------------------------------===//

/// Returns true if output `output` may be the buffer of an input: each of its
/// elements is then written after all reads of it. That is known of functions
/// that apply one meanvar operation to their inputs and return its results.
static bool mayRunInPlace(func::FuncOp function, unsigned output) {
  // Casts only change what is known of the sizes.
  auto getSource = [](Value value) {
    while (auto castOp = value.getDefiningOp<tensor::CastOp>())
      value = castOp.getSource();
    return value;
  };
  Operation *only = nullptr;
  for (Operation &op : function.front().without_terminator()) {
    bool usesTensors =
        op.getNumRegions() > 0 ||
        llvm::any_of(op.getOperandTypes(), llvm::IsaPred<TensorType>);
    if (!usesTensors || isa<tensor::CastOp, tensor::DimOp>(op))
      continue;
    if (only || !isa<MeanOp, MvnOp>(op))
      return false;
    only = &op;
  }
  Operation *returnOp = function.front().getTerminator();
  bool returnsOthers = llvm::any_of(returnOp->getOperands(), [&](Value value) {
    return getSource(value).getDefiningOp() != only;
  });
  // The statistics of an mvn are written before all of its lanes are read.
  return only && !returnsOthers &&
         getSource(returnOp->getOperand(output)) == only->getResult(0);
}

/// Turns `function` into one from input buffers to output buffers. Its checks
/// are the shape function's.
static void lowerBody(func::FuncOp function) {
  SmallVector<cf::AssertOp> asserts;
  function.walk([&](cf::AssertOp op) { asserts.push_back(op); });
  for (cf::AssertOp op : asserts)
    op.erase();

  Location loc = function.getLoc();
  Block &entry = function.front();
  OpBuilder builder(function.getContext());
  builder.setInsertionPointToStart(&entry);
  for (BlockArgument argument : entry.getArguments()) {
    auto tensor = dyn_cast<RankedTensorType>(argument.getType());
    if (!tensor)
      continue;
    argument.setType(getSizedParameterType(tensor));
    // Not writable: bufferization must not reuse the caller's input (F2).
    auto toTensor = bufferization::ToTensorOp::create(
        builder, loc, tensor, argument, /*restrict=*/true, /*writable=*/false);
    argument.replaceAllUsesExcept(toTensor, toTensor);
  }
  auto returnOp = cast<func::ReturnOp>(entry.getTerminator());
  builder.setInsertionPoint(returnOp);
  for (Value value : returnOp.getOperands()) {
    Value output = entry.addArgument(getSizedOutputType(value.getType()), loc);
    if (isa<RankedTensorType>(value.getType()))
      bufferization::MaterializeInDestinationOp::create(
          builder, loc, /*result=*/Type(), value, output, /*restrict=*/true,
          /*writable=*/true);
    else
      memref::StoreOp::create(builder, loc, value, output);
  }
  returnOp.getOperandsMutable().clear();
  function.setType(builder.getFunctionType(entry.getArgumentTypes(), {}));
  function.setPrivate();
  // Attributes of arguments and results spoke of the tensors.
  function.removeArgAttrsAttr();
  function.removeResAttrsAttr();
}

//===----------------------------------------------------------------------===//
// The entry point
//===----------------------------------------------------------------------===//

namespace {

/// Emits the function that callers see. It returns a status (F1) and calls the
/// body, which is all that allocates or writes, after the last check (F4).
class EntryPointBuilder {
public:
  EntryPointBuilder(func::FuncOp entry, FunctionType signature,
                    func::FuncOp shape, func::FuncOp body,
                    ArrayRef<bool> mayRunInPlace,
                    SmallVector<std::string> &messages)
      : entry(entry), signature(signature), shape(shape), body(body),
        mayRunInPlace(mayRunInPlace), loc(entry.getLoc()),
        builder(OpBuilder::atBlockEnd(entry.addEntryBlock())),
        checks(builder, loc, entry.getArguments().back(), messages) {}

  void build() {
    callShapeFunction();
    for (auto [index, output] : llvm::enumerate(getOutputs()))
      checkOutput(index, output);
    Value success = arith::ConstantIntOp::create(builder, loc, 0, 32);
    Value status = checks.getStatus(builder, loc);
    Value isValid = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::eq, status, success);
    auto ifOp = scf::IfOp::create(builder, loc, isValid);
    func::ReturnOp::create(builder, loc, status);
    builder.setInsertionPointToStart(ifOp.thenBlock());
    callBody();
  }

private:
  ValueRange getInputs() {
    return ValueRange(entry.getArguments())
        .take_front(signature.getNumInputs());
  }
  ValueRange getOutputs() {
    return ValueRange(entry.getArguments())
        .drop_back()
        .take_back(signature.getNumResults());
  }
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  Value compare(arith::CmpIPredicate predicate, Value lhs, Value rhs) {
    return arith::CmpIOp::create(builder, loc, predicate, lhs, rhs);
  }

  void callShapeFunction() {
    int64_t numSizes = 0;
    for (Type type : signature.getResults())
      if (auto tensor = dyn_cast<RankedTensorType>(type))
        numSizes += tensor.getRank();
    Type int64Type = builder.getI64Type();
    sizes = memref::AllocaOp::create(builder, loc,
                                     MemRefType::get({numSizes}, int64Type));
    Value dynamicSizes = memref::CastOp::create(
        builder, loc, MemRefType::get({ShapedType::kDynamic}, int64Type),
        sizes);
    SmallVector<Value> operands(getInputs());
    operands.append({dynamicSizes, entry.getArguments().back()});
    auto call = func::CallOp::create(builder, loc, shape, operands);
    checks.setStatus(builder, loc, call.getResult(0));
  }

  /// Checks the sizes of an output, and that it overlaps no other buffer, but
  /// for an input that it is.
  void checkOutput(unsigned number, Value output) {
    auto type = dyn_cast<RankedTensorType>(signature.getResult(number));
    for (int64_t dim = 0; type && dim < type.getRank(); ++dim) {
      Value got = memref::DimOp::create(builder, loc, output, dim);
      Value stored =
          memref::LoadOp::create(builder, loc, sizes, index(nextSize++));
      Value want = arith::IndexCastOp::create(builder, loc,
                                              builder.getIndexType(), stored);
      checks.require(builder, loc, compare(arith::CmpIPredicate::eq, got, want),
                     got, want,
                     llvm::formatv("output {0} has size {{0} in dimension {1} "
                                   "(allowed: {{1})",
                                   number, dim)
                         .str());
    }
    for (auto [index, input] : llvm::enumerate(getInputs()))
      if (isa<MemRefType>(input.getType()))
        checkOverlap(number, output, "input", index, input,
                     haveSameElements(input, output));
    for (auto [index, other] : llvm::enumerate(getOutputs().take_front(number)))
      checkOverlap(number, output, "output", index, other,
                   /*mayBeSame=*/false);
  }

  static bool haveSameElements(Value lhs, Value rhs) {
    return cast<MemRefType>(lhs.getType()).getElementType() ==
           cast<MemRefType>(rhs.getType()).getElementType();
  }

  /// The address of the first byte of a buffer, and of the byte behind its
  /// last.
  std::pair<Value, Value> getRange(Value buffer) {
    auto type = cast<MemRefType>(buffer.getType());
    unsigned bits =
        type.getElementType().isIndex() ? 64 : type.getElementTypeBitWidth();
    Value bytes = index(llvm::divideCeil(bits, 8));
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      bytes = arith::MulIOp::create(
          builder, loc, bytes,
          memref::DimOp::create(builder, loc, buffer, dim));
    Value begin =
        memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, buffer);
    return {begin, arith::AddIOp::create(builder, loc, begin, bytes)};
  }

  void checkOverlap(unsigned number, Value output, StringRef kind,
                    size_t otherNumber, Value other, bool mayBeSame) {
    auto [begin, end] = getRange(output);
    auto [otherBegin, otherEnd] = getRange(other);
    Value isDisjoint = arith::OrIOp::create(
        builder, loc, compare(arith::CmpIPredicate::ule, end, otherBegin),
        compare(arith::CmpIPredicate::ule, otherEnd, begin));
    Value isAllowed = isDisjoint;
    if (mayBeSame) {
      Value isSame = arith::AndIOp::create(
          builder, loc, compare(arith::CmpIPredicate::eq, begin, otherBegin),
          compare(arith::CmpIPredicate::eq, end, otherEnd));
      isAllowed = arith::OrIOp::create(builder, loc, isAllowed, isSame);
    }
    Value zero = index(0);
    checks.require(builder, loc, isAllowed, zero, zero,
                   llvm::formatv("output {0} overlaps {1} {2}{3}", number, kind,
                                 otherNumber,
                                 mayBeSame ? " (allowed: exactly the same "
                                             "buffer, or none of it)"
                                           : ""));
  }

  /// Returns an i1 that is true if `input` is the buffer of an output that must
  /// not be written before it has been read; null if that is not possible.
  Value emitNeedsCopy(Value input) {
    Value needsCopy;
    for (auto [number, output] : llvm::enumerate(getOutputs())) {
      if (mayRunInPlace[number] || !haveSameElements(input, output))
        continue;
      auto [begin, end] = getRange(output);
      auto [inputBegin, inputEnd] = getRange(input);
      Value isSame = arith::AndIOp::create(
          builder, loc, compare(arith::CmpIPredicate::eq, begin, inputBegin),
          compare(arith::CmpIPredicate::ne, begin, end));
      needsCopy = needsCopy
                      ? arith::OrIOp::create(builder, loc, needsCopy, isSame)
                            .getResult()
                      : isSame;
    }
    return needsCopy;
  }

  /// Returns a copy of `input` where `needsCopy` is true, else `input`. The
  /// buffer deallocation pipeline frees it.
  Value emitCopy(Value input, Value needsCopy) {
    auto type = cast<MemRefType>(input.getType());
    auto ifOp = scf::IfOp::create(builder, loc, type, needsCopy,
                                  /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(ifOp.thenBlock());
    SmallVector<Value> dims;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      dims.push_back(memref::DimOp::create(builder, loc, input, dim));
    Value copy = memref::AllocOp::create(builder, loc, type, dims);
    memref::CopyOp::create(builder, loc, input, copy);
    scf::YieldOp::create(builder, loc, copy);
    builder.setInsertionPointToStart(ifOp.elseBlock());
    scf::YieldOp::create(builder, loc, input);
    return ifOp.getResult(0);
  }

  void callBody() {
    SmallVector<Value> operands;
    for (Value input : getInputs()) {
      Value operand = input;
      if (isa<MemRefType>(input.getType()))
        if (Value needsCopy = emitNeedsCopy(input))
          operand = emitCopy(input, needsCopy);
      operands.push_back(operand);
    }
    llvm::append_range(operands, getOutputs());
    for (auto [operand, type] :
         llvm::zip_equal(operands, body.getArgumentTypes()))
      if (operand.getType() != type)
        operand = memref::CastOp::create(builder, loc, type, operand);
    func::CallOp::create(builder, loc, body, operands);
  }

  func::FuncOp entry;
  FunctionType signature;
  func::FuncOp shape, body;
  ArrayRef<bool> mayRunInPlace;
  Location loc;
  OpBuilder builder;
  StatusChecks checks;
  /// The sizes of all results, and how many of them have been checked.
  Value sizes;
  int64_t nextSize = 0;
};

struct LowerEntryPointsPass final
    : meanvar::impl::LowerEntryPointsPassBase<LowerEntryPointsPass> {
  using LowerEntryPointsPassBase::LowerEntryPointsPassBase;

  void runOnOperation() override {
    if (failed(verifyFunctionNames(getOperation())))
      return signalPassFailure();
    SymbolTable symbols(getOperation());
    SmallVector<func::FuncOp> functions = getEntryPoints(getOperation());
    for (func::FuncOp function : functions)
      if (failed(verify(function)) || failed(lower(function, symbols)))
        return signalPassFailure();
    if (failed(removeChecksLeft()))
      signalPassFailure();
  }

  /// Functions other than entry points have no status to report a failure with.
  /// In public ones, which have no tensor results, what would be checked of
  /// upstream operations is left to the caller, as upstream does; meanvar.mean
  /// is refused (M3). So are checks of private functions: entry points call
  /// those. Checks that the user wrote stay.
  LogicalResult removeChecksLeft() {
    SmallVector<cf::AssertOp> checks;
    getOperation().walk([&](cf::AssertOp op) { checks.push_back(op); });
    for (cf::AssertOp op : checks) {
      auto checkedOp = op->getAttrOfType<StringAttr>(checkedOpAttrName);
      if (!checkedOp)
        continue;
      auto function = op->getParentOfType<func::FuncOp>();
      if (function.isPrivate() ||
          checkedOp.getValue() == MeanOp::getOperationName())
        return op.emitError("'")
               << checkedOp.getValue() << "' op needs a run-time check in "
               << "function '" << function.getName()
               << "', which cannot report that it fails (allowed: in public "
                  "functions with tensor results, and in what is inlined into "
                  "them)";
      op.erase();
    }
    return success();
  }

  LogicalResult verify(func::FuncOp function);
  LogicalResult lower(func::FuncOp function, SymbolTable &symbols);
};

} // namespace

/// Refuses what has no place in the calling convention.
LogicalResult LowerEntryPointsPass::verify(func::FuncOp function) {
  auto isSupported = [](Type type) {
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      return !tensor.getEncoding() &&
             tensor.getElementType().isIntOrIndexOrFloat();
    return type.isIntOrIndexOrFloat();
  };
  auto refuse = [&](StringRef kind, size_t index, Type type) {
    return function.emitError(kind)
           << " " << index << " of public function '" << function.getName()
           << "' has type " << type
           << " (allowed: index, integers, floats, and ranked tensors of "
              "them)";
  };
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes()))
    if (!isSupported(type))
      return refuse("argument", index, type);
  for (auto [index, type] : llvm::enumerate(function.getResultTypes()))
    if (!isSupported(type))
      return refuse("result", index, type);
  // The branch may have come with a function that has been inlined; its
  // location tells.
  if (!function.getBody().hasOneBlock())
    return function.front().getTerminator()->emitOpError(
               "makes several blocks of public function '")
           << function.getName()
           << "' (allowed: one, with control flow of the scf dialect)";
  if (!SymbolTable::symbolKnownUseEmpty(function, getOperation()))
    return function.emitError("public function '")
           << function.getName()
           << "' has tensor results and is still called after inlining "
              "(allowed: calls that can be inlined)";
  return verifyLoopsKeepSizes(function);
}

LogicalResult LowerEntryPointsPass::lower(func::FuncOp function,
                                          SymbolTable &symbols) {
  std::string name = function.getName().str();
  FunctionType signature = function.getFunctionType();
  SmallVector<std::string> messages;
  FailureOr<func::FuncOp> shape =
      createShapeFunction(function, name + "_shape", messages);
  if (failed(shape))
    return failure();
  // Renames the function where the name is taken.
  symbols.insert(*shape);

  SmallVector<bool> inPlace;
  for (unsigned output = 0; output < signature.getNumResults(); ++output)
    inPlace.push_back(mayRunInPlace(function, output));
  DictionaryAttr attributes = function->getDiscardableAttrDictionary();
  lowerBody(function);
  function->setDiscardableAttrs(DictionaryAttr::get(&getContext()));
  // Private to MLIR does not mean private to the linker.
  function->setAttr(
      "llvm.linkage",
      LLVM::LinkageAttr::get(&getContext(), LLVM::Linkage::Internal));
  symbols.remove(function);
  function.setName(name + "_body");
  symbols.insert(function);

  OpBuilder builder(function);
  SmallVector<Type> types;
  for (Type type : signature.getInputs())
    types.push_back(getParameterType(type));
  for (Type type : signature.getResults())
    types.push_back(getOutputType(type));
  types.push_back(MemRefType::get({2}, builder.getI64Type()));
  auto entry = func::FuncOp::create(
      builder, function.getLoc(), name,
      builder.getFunctionType(types, builder.getI32Type()));
  symbols.insert(entry);
  EntryPointBuilder(entry, signature, *shape, function, inPlace, messages)
      .build();

  SmallVector<StringRef> messageRefs(messages.begin(), messages.end());
  entry->setDiscardableAttrs(attributes);
  entry->setAttr("meanvar.signature", TypeAttr::get(signature));
  entry->setAttr("meanvar.shape_function",
                 FlatSymbolRefAttr::get(shape->getOperation()));
  entry->setAttr("meanvar.messages", builder.getStrArrayAttr(messageRefs));
  StringRef emitInterface = LLVM::LLVMDialect::getEmitCWrapperAttrName();
  entry->setAttr(emitInterface, builder.getUnitAttr());
  (*shape)->setAttr(emitInterface, builder.getUnitAttr());
  return success();
}
