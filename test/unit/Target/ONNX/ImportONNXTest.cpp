//===- ImportONNXTest.cpp - Importing models from C++ ---------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/Target/ONNX/ImportONNX.h"

#include "TemporaryDirectory.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

#include <onnx/onnx_pb.h>

using namespace mlir;
using namespace mlir::meanvar;

/// Returns a model that returns its input, a float of rank 0.
static std::string makeModel() {
  onnx::ModelProto model;
  model.set_ir_version(8);
  model.mutable_graph()->set_name("identity");
  onnx::ValueInfoProto *input = model.mutable_graph()->add_input();
  input->set_name("x");
  onnx::TypeProto::Tensor *type = input->mutable_type()->mutable_tensor_type();
  type->set_elem_type(onnx::TensorProto::FLOAT);
  type->mutable_shape();
  model.mutable_graph()->add_output()->set_name("x");
  return model.SerializeAsString();
}

/// Returns the one message that importing the file `path` gives.
static std::string getFileError(StringRef path) {
  MLIRContext context;
  std::string message;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    message += diagnostic.str();
    return success();
  });
  EXPECT_FALSE(importONNXModel(path, &context));
  return message;
}

namespace {

TEST(ImportONNXTest, ImportsFileAndBuffer) {
  TemporaryDirectory directory;
  std::string model = makeModel();
  MLIRContext context;
  OwningOpRef<ModuleOp> fromFile =
      importONNXModel(directory.write("model.onnx", model), &context);
  ASSERT_TRUE(fromFile);
  EXPECT_TRUE(fromFile->lookupSymbol<func::FuncOp>("identity"));
  OwningOpRef<ModuleOp> fromBuffer =
      importONNXModel(llvm::MemoryBufferRef(model, "identity.onnx"), &context);
  ASSERT_TRUE(fromBuffer);
  EXPECT_TRUE(fromBuffer->lookupSymbol<func::FuncOp>("identity"));
}

TEST(ImportONNXTest, RefusesEveryTruncation) {
  std::string model = makeModel();
  TemporaryDirectory directory;
  for (size_t size = 0; size < model.size(); ++size) {
    std::string path =
        directory.write("model.onnx", StringRef(model).take_front(size));
    EXPECT_NE(getFileError(path), "") << "of " << size << " bytes";
  }
}

TEST(ImportONNXTest, RefusesFiles) {
  TemporaryDirectory directory;
  EXPECT_EQ(getFileError(directory.getFile("missing.onnx")),
            "the file cannot be read: No such file or directory");
  EXPECT_EQ(getFileError(directory.getPath()),
            "the file cannot be read: it is not a regular file");
  EXPECT_EQ(getFileError(directory.write("empty.onnx", "")),
            "the file is empty");
}

} // namespace
