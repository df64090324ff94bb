// RUN: meanvar-opt %s --allow-unregistered-dialect --convert-onnx-to-meanvar | FileCheck %s

// The form in which torch-mlir imports ONNX models, generic.

// CHECK-LABEL: func @mvn(
// CHECK-SAME:      %[[X:.*]]: !torch.vtensor<[2,?,4],f32>
// CHECK:         %[[IN:.*]] = "torch_c.to_builtin_tensor"(%[[X]]) : (!torch.vtensor<[2,?,4],f32>) -> tensor<2x?x4xf32>
// CHECK:         %[[Y:.*]] = meanvar.mvn %[[IN]] axes = [1, 2] : tensor<2x?x4xf32>
// CHECK:         %[[OUT:.*]] = "torch_c.from_builtin_tensor"(%[[Y]]) : (tensor<2x?x4xf32>) -> !torch.vtensor<[2,?,4],f32>
// CHECK:         return %[[OUT]]
func.func @mvn(%x: !torch.vtensor<[2,?,4],f32>) -> !torch.vtensor<[2,?,4],f32> {
  %0 = "torch.operator"(%x) <{name = "onnx.MeanVarianceNormalization"}> ({}) {torch.onnx.axes = [1 : si64, 2 : si64]} : (!torch.vtensor<[2,?,4],f32>) -> !torch.vtensor<[2,?,4],f32>
  return %0 : !torch.vtensor<[2,?,4],f32>
}

// CHECK-LABEL: func @mean(
// CHECK:         meanvar.mean %{{.*}}, %{{.*}} : (tensor<3xbf16>, tensor<bf16>) -> tensor<3xbf16>
// CHECK:         "torch_c.from_builtin_tensor"
func.func @mean(%a: !torch.vtensor<[3],bf16>, %b: !torch.vtensor<[],bf16>) -> !torch.vtensor<[3],bf16> {
  %0 = "torch.operator"(%a, %b) {name = "onnx.Mean"} : (!torch.vtensor<[3],bf16>, !torch.vtensor<[],bf16>) -> !torch.vtensor<[3],bf16>
  return %0 : !torch.vtensor<[3],bf16>
}

// Other operators, other types, and types that say less stay.

// CHECK-LABEL: func @others(
// CHECK-NOT:     meanvar.
// CHECK:         return
func.func @others(%a: !torch.vtensor<[3],f32>, %i: !torch.vtensor<[3],si64>, %u: !torch.vtensor<*,f32>) {
  "torch.operator"(%a) {name = "onnx.Relu"} : (!torch.vtensor<[3],f32>) -> !torch.vtensor<[3],f32>
  "torch.operator"(%a) {name = "aten.mean"} : (!torch.vtensor<[3],f32>) -> !torch.vtensor<[3],f32>
  "torch.operator"(%a) : (!torch.vtensor<[3],f32>) -> !torch.vtensor<[3],f32>
  "torch.operator"(%i) {name = "onnx.Mean"} : (!torch.vtensor<[3],si64>) -> !torch.vtensor<[3],si64>
  "torch.operator"(%u) {name = "onnx.Mean"} : (!torch.vtensor<*,f32>) -> !torch.vtensor<*,f32>
  "torch.operator"(%a) {name = "onnx.Mean"} : (!torch.vtensor<[3],f32>) -> !torch.vtensor<[?],f32>
  return
}
