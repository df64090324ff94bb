//===- Tensors.cpp - Tensors of C as views --------------------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tensors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

#include <array>

using namespace mlir::meanvar;
using llvm::ArrayRef;
using llvm::createStringError;
using llvm::Expected;
using llvm::SmallVector;
using llvm::StringRef;
using llvm::Twine;

/// ElementKind as the C interface numbers it, which stays as it is.
static constexpr std::array elementKinds = {
    ElementKind::F16, ElementKind::BF16,  ElementKind::F32, ElementKind::F64,
    ElementKind::I1,  ElementKind::I8,    ElementKind::I16, ElementKind::I32,
    ElementKind::I64, ElementKind::Index, ElementKind::UI8};
static_assert(elementKinds[MEANVAR_F64] == ElementKind::F64 &&
                  elementKinds[MEANVAR_INDEX] == ElementKind::Index &&
                  elementKinds[MEANVAR_UI8] == ElementKind::UI8,
              "the order is that of MeanVarElementType");

MeanVarElementType mlir::meanvar::toElementType(ElementKind kind) {
  const auto *position = llvm::find(elementKinds, kind);
  return static_cast<MeanVarElementType>(position - elementKinds.begin());
}

static Expected<TensorView> viewTensor(const MeanVarTensor &tensor,
                                       const Twine &name,
                                       RequiredData required) {
  size_t type = tensor.elementType;
  if (type >= elementKinds.size())
    return createStringError(name + " has the unknown element type " +
                             Twine(type) + " (allowed: 0 to " +
                             Twine(elementKinds.size() - 1) + ")");
  if (tensor.rank != 0 && !tensor.shape)
    return createStringError(name + " has rank " + Twine(tensor.rank) +
                             ", but no shape");
  TensorView view(elementKinds[type], ArrayRef(tensor.shape, tensor.rank),
                  tensor.data);
  for (int64_t size : view.shape)
    if (size < 0)
      return createStringError(name + " has the negative size " + Twine(size));
  std::optional<uint64_t> bytes = view.getNumBytes();
  if (!bytes)
    return createStringError(name + " '" +
                             getTypeString(view.kind, view.shape) +
                             "' exceeds " + Twine(maxTensorBytes) + " bytes");
  bool needsData = required == RequiredData::All || tensor.rank == 0;
  if (needsData && *bytes != 0 && !tensor.data)
    return createStringError(
        name + " '" + getTypeString(view.kind, view.shape) + "' has no data");
  return view;
}

Expected<SmallVector<TensorView>>
mlir::meanvar::viewTensors(ArrayRef<MeanVarTensor> tensors, StringRef role,
                           RequiredData required) {
  SmallVector<TensorView> views;
  for (auto [index, tensor] : llvm::enumerate(tensors)) {
    auto view = viewTensor(tensor, role + " " + Twine(index), required);
    if (!view)
      return view.takeError();
    views.push_back(*view);
  }
  return views;
}
