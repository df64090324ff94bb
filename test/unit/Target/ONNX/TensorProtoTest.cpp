//===- TensorProtoTest.cpp - Reading files of ONNX tensors ----------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/Target/ONNX/TensorProto.h"

#include "TemporaryDirectory.h"

#include <onnx/onnx_pb.h>

using namespace mlir::meanvar;

/// Returns a tensor `t` of shape [2] without data.
static onnx::TensorProto makeTensor(onnx::TensorProto::DataType type) {
  onnx::TensorProto proto;
  proto.set_name("t");
  proto.set_data_type(type);
  proto.add_dims(2);
  return proto;
}

/// Returns the message of the error that converting `proto` gives.
static std::string getError(const onnx::TensorProto &proto) {
  llvm::Expected<HostTensor> tensor = convertTensorProto(proto, "");
  return tensor ? "" : llvm::toString(tensor.takeError());
}

/// Returns the message of the error that reading the file `path` gives.
static std::string getFileError(llvm::StringRef path) {
  llvm::Expected<HostTensor> tensor = readTensorProtoFile(path);
  return tensor ? "" : llvm::toString(tensor.takeError());
}

namespace {

TEST(TensorProtoTest, ReadsFile) {
  onnx::TensorProto proto = makeTensor(onnx::TensorProto::DOUBLE);
  proto.add_double_data(0.1);
  proto.add_double_data(-2);
  TemporaryDirectory directory;
  llvm::Expected<HostTensor> tensor = readTensorProtoFile(
      directory.write("input_0.pb", proto.SerializeAsString()));
  ASSERT_TRUE(bool(tensor)) << llvm::toString(tensor.takeError());
  EXPECT_EQ(tensor->getTypeString(), "2xf64");
  EXPECT_EQ(tensor->getFloat(0), 0.1);
  EXPECT_EQ(tensor->getFloat(1), -2);
}

TEST(TensorProtoTest, ReadsIntegers) {
  using onnx::TensorProto;
  for (auto [type, first] :
       {std::pair(TensorProto::BOOL, 0), std::pair(TensorProto::INT8, -128),
        std::pair(TensorProto::UINT8, 255),
        std::pair(TensorProto::INT16, -32768),
        std::pair(TensorProto::INT32, INT32_MIN)}) {
    TensorProto proto = makeTensor(type);
    proto.add_int32_data(first);
    proto.add_int32_data(1);
    llvm::Expected<HostTensor> tensor = convertTensorProto(proto, "");
    ASSERT_TRUE(bool(tensor)) << llvm::toString(tensor.takeError());
    EXPECT_EQ(tensor->getInteger(0), first);
    EXPECT_EQ(tensor->getInteger(1), 1);
  }
  TensorProto proto = makeTensor(TensorProto::INT64);
  proto.add_int64_data(INT64_MIN);
  proto.add_int64_data(7);
  llvm::Expected<HostTensor> tensor = convertTensorProto(proto, "");
  ASSERT_TRUE(bool(tensor)) << llvm::toString(tensor.takeError());
  EXPECT_EQ(tensor->getInteger(0), INT64_MIN);
}

TEST(TensorProtoTest, ReadsExternalDataBesideFile) {
  onnx::TensorProto proto = makeTensor(onnx::TensorProto::FLOAT16);
  proto.set_data_location(onnx::TensorProto::EXTERNAL);
  onnx::StringStringEntryProto *entry = proto.add_external_data();
  entry->set_key("location");
  entry->set_value("data.bin");
  TemporaryDirectory directory;
  directory.write("data.bin", llvm::StringRef("\x00\x3c\x00\xc0", 4));
  llvm::Expected<HostTensor> tensor = readTensorProtoFile(
      directory.write("input_0.pb", proto.SerializeAsString()));
  ASSERT_TRUE(bool(tensor)) << llvm::toString(tensor.takeError());
  EXPECT_EQ(tensor->getFloat(0), 1);
  EXPECT_EQ(tensor->getFloat(1), -2);
}

TEST(TensorProtoTest, RefusesOtherTypes) {
  EXPECT_EQ(getError(makeTensor(onnx::TensorProto::UINT64)),
            "tensor 't' has element type uint64, which is not supported");
  EXPECT_EQ(getError(makeTensor(onnx::TensorProto::UNDEFINED)),
            "tensor 't' has element type undefined, which is not supported");
}

TEST(TensorProtoTest, RefusesIntegersOutOfRange) {
  onnx::TensorProto proto = makeTensor(onnx::TensorProto::BOOL);
  proto.add_int32_data(1);
  proto.add_int32_data(2);
  EXPECT_EQ(getError(proto), "tensor 't' has the value 2 in int32_data at 1 "
                             "(allowed: 0 to 1)");
}

TEST(TensorProtoTest, RefusesBytesThatAreNoBooleans) {
  onnx::TensorProto proto = makeTensor(onnx::TensorProto::BOOL);
  proto.set_raw_data(std::string("\x01\x10", 2));
  EXPECT_EQ(getError(proto),
            "tensor 't' is damaged: element 1 of type i1 is 16 "
            "(allowed: 0, 1)");
}

TEST(TensorProtoTest, RefusesFiles) {
  TemporaryDirectory directory;
  std::string missing = directory.getFile("missing.pb");
  EXPECT_EQ(getFileError(missing),
            "cannot read '" + missing + "': No such file or directory");
  EXPECT_EQ(getFileError(directory.getPath()),
            "cannot read '" + directory.getPath() +
                "': it is not a regular file");
  std::string empty = directory.write("empty.pb", "");
  EXPECT_EQ(getFileError(empty),
            "'" + empty + "' is not an ONNX tensor, or is damaged");
  std::string text = directory.write("text.pb", "not a tensor");
  EXPECT_EQ(getFileError(text),
            "'" + text + "' is not an ONNX tensor, or is damaged");
  std::string noData = directory.write(
      "no-data.pb", makeTensor(onnx::TensorProto::FLOAT).SerializeAsString());
  EXPECT_EQ(getFileError(noData),
            "'" + noData +
                "': tensor 't' has 0 elements in float_data, but its shape "
                "needs 2");
}

} // namespace
