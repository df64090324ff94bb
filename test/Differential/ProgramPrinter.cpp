//===- ProgramPrinter.cpp - Random programs as MLIR -----------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::meanvar;
using llvm::ArrayRef;
using llvm::formatv;
using llvm::SmallVector;

namespace {
using Sizes = SmallVector<int64_t>;

/// Prints a program, with the types of values as they follow from one another.
class ProgramPrinter {
public:
  ProgramPrinter(const Program &program, SizesForm form)
      : program(program), form(form), sizes(program.values.size()),
        body(bodyText) {}

  std::string run();

private:
  void setInputSizes(size_t index);
  std::string getType(size_t index) const {
    return getType(index, sizes[index]);
  }
  std::string getType(size_t index, ArrayRef<int64_t> shape) const {
    return "tensor<" + getTypeString(program.values[index].kind, shape) + ">";
  }
  /// Prints values or their types, in a list.
  std::string listNames(ArrayRef<size_t> indices) const;
  std::string listTypes(ArrayRef<size_t> indices) const;

  void print(const ProgramOperation &operation);
  void printMvn(const ProgramOperation &operation);
  void printMean(const ProgramOperation &operation);
  void printElementwise(const ProgramOperation &operation);
  void printConvert(const ProgramOperation &operation);
  void printScaleAndBias(const ProgramOperation &operation);
  void printTranspose(const ProgramOperation &operation);
  void printCollapse(const ProgramOperation &operation);
  void printSlice(const ProgramOperation &operation);

  /// Prints a value's sizes at run time as "%s1, %s2": those that the type
  /// lacks, in the order of `dims`.
  std::string printDynamicSizes(size_t index, ArrayRef<int64_t> dims);
  std::string printEmpty(size_t index, ArrayRef<int64_t> dims,
                         const std::string &type);
  std::string makeName() { return "%t" + std::to_string(numNames++); }

  const Program &program;
  SizesForm form;
  /// The sizes in the types, `dynamicSize` where left open.
  std::vector<Sizes> sizes;
  unsigned numNames = 0;
  std::string bodyText;
  llvm::raw_string_ostream body;
};
} // namespace

static std::string getName(size_t index) {
  return "%v" + std::to_string(index);
}

static bool isDynamic(int64_t size) { return size == dynamicSize; }

void ProgramPrinter::setInputSizes(size_t index) {
  const ProgramValue &value = program.values[index];
  sizes[index] = value.shape;
  for (auto [size, isMixedDynamic] :
       llvm::zip_equal(sizes[index], value.isDynamic))
    if (form == SizesForm::Dynamic ||
        (form == SizesForm::Mixed && isMixedDynamic))
      size = dynamicSize;
}

std::string ProgramPrinter::listNames(ArrayRef<size_t> indices) const {
  return llvm::join(llvm::map_range(indices, getName), ", ");
}

std::string ProgramPrinter::listTypes(ArrayRef<size_t> indices) const {
  return llvm::join(
      llvm::map_range(indices, [&](size_t index) { return getType(index); }),
      ", ");
}

//===----------------------------------------------------------------------===//
// The dialect
//===----------------------------------------------------------------------===//

void ProgramPrinter::printMvn(const ProgramOperation &operation) {
  size_t operand = operation.operands.front();
  SmallVector<size_t> results{operation.firstResult};
  if (operation.statistics)
    results.append({operation.firstResult + 1, operation.firstResult + 2});
  body << listNames(results) << " = meanvar.mvn " << getName(operand);
  if (operation.axes) {
    body << " axes = [";
    llvm::interleaveComma(*operation.axes, body);
    body << "]";
  }
  if (operation.epsilon)
    body << formatv(" epsilon = {0:e17}", *operation.epsilon);
  body << (operation.insideSqrt ? " inside_sqrt" : "")
       << (operation.centerOnly ? " center_only" : "")
       << (operation.statistics ? " statistics" : "") << " : "
       << getType(operand) << "\n";

  for (size_t result : results)
    sizes[result] = sizes[operand];
  // A result of `statistics` has 1 where its shape differs, or has 1 anyway.
  for (size_t result : llvm::drop_begin(results)) {
    auto rank = static_cast<int64_t>(sizes[operand].size());
    for (int64_t dim : llvm::seq(rank)) {
      Sizes reduced = operation.axes.value_or(Sizes{0, 2, 3});
      if (reduced.empty() || llvm::is_contained(reduced, dim) ||
          llvm::is_contained(reduced, dim - rank))
        sizes[result][dim] = 1;
    }
  }
}

/// M4: the size that two operands give.
static int64_t combineSizes(int64_t lhs, int64_t rhs) {
  for (int64_t size : {lhs, rhs})
    if (!isDynamic(size) && size != 1)
      return size;
  return isDynamic(lhs) || isDynamic(rhs) ? dynamicSize : 1;
}

void ProgramPrinter::printMean(const ProgramOperation &operation) {
  size_t result = operation.firstResult;
  Sizes &common = sizes[result];
  common.assign(program.values[result].shape.size(), 1);
  for (size_t operand : operation.operands) {
    size_t offset = common.size() - sizes[operand].size();
    for (auto [dim, size] : llvm::enumerate(sizes[operand]))
      common[offset + dim] = combineSizes(common[offset + dim], size);
  }
  body << getName(result) << " = meanvar.mean " << listNames(operation.operands)
       << " : (" << listTypes(operation.operands) << ") -> " << getType(result)
       << "\n";
}

//===----------------------------------------------------------------------===//
// Upstream operations
//===----------------------------------------------------------------------===//

std::string ProgramPrinter::printDynamicSizes(size_t index,
                                              ArrayRef<int64_t> dims) {
  SmallVector<std::string> names;
  for (int64_t dim : dims) {
    if (!isDynamic(sizes[index][dim]))
      continue;
    std::string constant = makeName();
    std::string size = makeName();
    body << constant << " = arith.constant " << dim << " : index\n  ";
    body << size << " = tensor.dim " << getName(index) << ", " << constant
         << " : " << getType(index) << "\n  ";
    names.push_back(size);
  }
  return llvm::join(names, ", ");
}

std::string ProgramPrinter::printEmpty(size_t index, ArrayRef<int64_t> dims,
                                       const std::string &type) {
  std::string dynamicSizes = printDynamicSizes(index, dims);
  std::string name = makeName();
  body << name << " = tensor.empty(" << dynamicSizes << ") : " << type
       << "\n  ";
  return name;
}

void ProgramPrinter::printElementwise(const ProgramOperation &operation) {
  size_t operand = operation.operands.front();
  std::string type = getType(operand);
  std::string second;
  if (operation.constant) {
    std::string element = getElementName(program.values[operand].kind).str();
    std::string constant = makeName();
    body << constant
         << formatv(" = arith.constant {0:e17} : ", *operation.constant)
         << element << "\n  ";
    auto dims = llvm::to_vector(
        llvm::seq<int64_t>(static_cast<int64_t>(sizes[operand].size())));
    std::string dynamicSizes = printDynamicSizes(operand, dims);
    second = makeName();
    body << second << " = tensor.splat " << constant;
    if (!dynamicSizes.empty())
      body << "[" << dynamicSizes << "]";
    body << " : " << type << "\n  ";
  } else if (operation.operands.size() == 2) {
    size_t other = operation.operands.back();
    second = getName(other);
    if (getType(other) != type) {
      second = makeName();
      body << second << " = tensor.cast " << getName(other) << " : "
           << getType(other) << " to " << type << "\n  ";
    }
  }
  size_t result = operation.firstResult;
  sizes[result] = sizes[operand];
  body << getName(result) << " = " << operation.name << " " << getName(operand);
  if (!second.empty())
    body << ", " << second;
  body << " : " << type << "\n";
}

void ProgramPrinter::printConvert(const ProgramOperation &operation) {
  size_t operand = operation.operands.front();
  size_t result = operation.firstResult;
  sizes[result] = sizes[operand];
  body << getName(result) << " = " << operation.name << " " << getName(operand)
       << " : " << getType(operand) << " to " << getType(result) << "\n";
}

void ProgramPrinter::printScaleAndBias(const ProgramOperation &operation) {
  size_t operand = operation.operands.front();
  size_t result = operation.firstResult;
  sizes[result] = sizes[operand];
  auto dims = llvm::to_vector(
      llvm::seq<int64_t>(static_cast<int64_t>(sizes[operand].size())));
  std::string empty = printEmpty(operand, dims, getType(result));
  auto list = [](ArrayRef<int64_t> dims) {
    return llvm::join(
        llvm::map_range(dims,
                        [](int64_t dim) { return "d" + std::to_string(dim); }),
        ", ");
  };
  std::string all = "(" + list(dims) + ")";
  std::string identity = "affine_map<" + all + " -> " + all + ">";
  std::string part =
      "affine_map<" + all + " -> (" + list(operation.dims) + ")>";
  std::string element = getElementName(program.values[operand].kind).str();
  SmallVector<std::string> iterators(dims.size(), "\"parallel\"");
  body << getName(result) << " = linalg.generic {indexing_maps = [" << identity
       << ", " << part << ", " << part << ", " << identity
       << "], iterator_types = [" << llvm::join(iterators, ", ") << "]} ins("
       << listNames(operation.operands) << " : "
       << listTypes(operation.operands) << ") outs(" << empty << " : "
       << getType(result) << ") {\n  ^bb0(%x: " << element
       << ", %s: " << element << ", %b: " << element << ", %o: " << element
       << "):\n"
       << "    %p = arith.mulf %x, %s : " << element << "\n"
       << "    %r = arith.addf %p, %b : " << element << "\n"
       << "    linalg.yield %r : " << element << "\n  } -> " << getType(result)
       << "\n";
}

void ProgramPrinter::printTranspose(const ProgramOperation &operation) {
  size_t operand = operation.operands.front();
  size_t result = operation.firstResult;
  for (int64_t dim : operation.dims)
    sizes[result].push_back(sizes[operand][dim]);
  std::string empty = printEmpty(operand, operation.dims, getType(result));
  body << getName(result) << " = linalg.transpose ins(" << getName(operand)
       << " : " << getType(operand) << ") outs(" << empty << " : "
       << getType(result) << ") permutation = [";
  llvm::interleaveComma(operation.dims, body);
  body << "]\n";
}

void ProgramPrinter::printCollapse(const ProgramOperation &operation) {
  size_t operand = operation.operands.front();
  size_t result = operation.firstResult;
  int64_t first = operation.dims.front();
  Sizes &collapsed = sizes[result];
  collapsed = sizes[operand];
  bool isOpen = isDynamic(collapsed[first]) || isDynamic(collapsed[first + 1]);
  collapsed[first] =
      isOpen ? dynamicSize : collapsed[first] * collapsed[first + 1];
  collapsed.erase(collapsed.begin() + first + 1);
  body << getName(result) << " = tensor.collapse_shape " << getName(operand)
       << " [";
  int64_t dim = 0;
  for (int64_t group : llvm::seq(static_cast<int64_t>(collapsed.size()))) {
    body << (group == 0 ? "[" : ", [") << dim++;
    if (group == first)
      body << ", " << dim++;
    body << "]";
  }
  body << "] : " << getType(operand) << " into " << getType(result) << "\n";
}

void ProgramPrinter::printSlice(const ProgramOperation &operation) {
  size_t operand = operation.operands.front();
  size_t result = operation.firstResult;
  sizes[result] = operation.sizes;
  body << getName(result) << " = tensor.extract_slice " << getName(operand);
  for (ArrayRef<int64_t> list : {ArrayRef<int64_t>(operation.offsets),
                                 ArrayRef<int64_t>(operation.sizes),
                                 ArrayRef<int64_t>(operation.strides)}) {
    body << " [";
    llvm::interleaveComma(list, body);
    body << "]";
  }
  body << " : " << getType(operand) << " to " << getType(result) << "\n";
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

void ProgramPrinter::print(const ProgramOperation &operation) {
  body << "  ";
  switch (operation.kind) {
  case OperationKind::Mvn:
    return printMvn(operation);
  case OperationKind::Mean:
    return printMean(operation);
  case OperationKind::Elementwise:
    return printElementwise(operation);
  case OperationKind::Convert:
    return printConvert(operation);
  case OperationKind::ScaleAndBias:
    return printScaleAndBias(operation);
  case OperationKind::Transpose:
    return printTranspose(operation);
  case OperationKind::Collapse:
    return printCollapse(operation);
  case OperationKind::Slice:
    return printSlice(operation);
  }
}

std::string ProgramPrinter::run() {
  std::string arguments;
  for (size_t input : program.inputs) {
    setInputSizes(input);
    arguments += (arguments.empty() ? "" : ", ") + getName(input) + ": " +
                 getType(input);
  }
  for (const ProgramOperation &operation : program.operations)
    print(operation);
  return "func.func @main(" + arguments + ") -> (" +
         listTypes(program.outputs) + ") {\n" + bodyText + "  return " +
         listNames(program.outputs) + " : " + listTypes(program.outputs) +
         "\n}\n";
}

std::string mlir::meanvar::printProgram(const Program &program,
                                        SizesForm form) {
  return ProgramPrinter(program, form).run();
}
