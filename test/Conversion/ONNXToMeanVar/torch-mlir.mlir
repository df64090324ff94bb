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

// CHECK-LABEL: func @layer_normalization(
// CHECK-SAME:      %[[X:.*]]: !torch.vtensor<[2,3,5],f32>, %[[W:arg[0-9]*]]: !torch.vtensor<[3,5],f32>, %[[B:arg[0-9]*]]:
// CHECK:         %[[IN:.*]] = "torch_c.to_builtin_tensor"(%[[X]])
// CHECK:         %[[N:.*]], %[[MEAN:.*]], %[[FACTOR:.*]] = meanvar.mvn %[[IN]] axes = [1, 2] epsilon = 0.10000000149011612 inside_sqrt statistics : tensor<2x3x5xf32>
// CHECK-DAG:     %[[SCALE:.*]] = "torch_c.to_builtin_tensor"(%[[W]])
// CHECK-DAG:     %[[BIAS:.*]] = "torch_c.to_builtin_tensor"(%[[B]])
// CHECK:         %[[S:.*]] = linalg.generic {{.*}} ins(%[[N]], %[[SCALE]], %[[BIAS]] : tensor<2x3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>)
// CHECK-DAG:     %[[Y:.*]] = "torch_c.from_builtin_tensor"(%[[S]])
// CHECK-DAG:     %[[M:.*]] = "torch_c.from_builtin_tensor"(%[[MEAN]]) : (tensor<2x1x1xf32>) -> !torch.vtensor<[2,1,1],f32>
// CHECK-DAG:     %[[F:.*]] = "torch_c.from_builtin_tensor"(%[[FACTOR]])
// CHECK:         return %[[Y]], %[[M]], %[[F]]
func.func @layer_normalization(%x: !torch.vtensor<[2,3,5],f32>, %w: !torch.vtensor<[3,5],f32>, %b: !torch.vtensor<[3,5],f32>) -> (!torch.vtensor<[2,3,5],f32>, !torch.vtensor<[2,1,1],f32>, !torch.vtensor<[2,1,1],f32>) {
  %0:3 = "torch.operator"(%x, %w, %b) <{name = "onnx.LayerNormalization"}> ({}) {torch.onnx.axis = -2 : si64, torch.onnx.epsilon = 1.000000e-01 : f32} : (!torch.vtensor<[2,3,5],f32>, !torch.vtensor<[3,5],f32>, !torch.vtensor<[3,5],f32>) -> (!torch.vtensor<[2,3,5],f32>, !torch.vtensor<[2,1,1],f32>, !torch.vtensor<[2,1,1],f32>)
  return %0#0, %0#1, %0#2 : !torch.vtensor<[2,3,5],f32>, !torch.vtensor<[2,1,1],f32>, !torch.vtensor<[2,1,1],f32>
}

// CHECK-LABEL: func @without_bias(
// CHECK:         meanvar.mvn %{{.*}} axes = [1] epsilon = 9.9999997473787516E-6 inside_sqrt : tensor<?x4xbf16>
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<?x4xbf16>, tensor<4xbf16>)
// CHECK:           arith.mulf %{{.*}}, %{{.*}} : f32
// CHECK-NOT:       arith.addf
// CHECK:         return
func.func @without_bias(%x: !torch.vtensor<[?,4],bf16>, %w: !torch.vtensor<[4],bf16>, %none: !torch.none) -> !torch.vtensor<[?,4],bf16> {
  %0 = "torch.operator"(%x, %w, %none) {name = "onnx.LayerNormalization"} : (!torch.vtensor<[?,4],bf16>, !torch.vtensor<[4],bf16>, !torch.none) -> !torch.vtensor<[?,4],bf16>
  return %0 : !torch.vtensor<[?,4],bf16>
}

// CHECK-LABEL: func @instance_normalization(
// CHECK:         %[[N:.*]] = meanvar.mvn %{{.*}} axes = [2, 3] epsilon = 0.0099999997764825821 inside_sqrt : tensor<2x3x4x5xf32>
// CHECK:         linalg.generic {{.*}} ins(%[[N]], %{{.*}}, %{{.*}} : tensor<2x3x4x5xf32>, tensor<3xf32>, tensor<3xf32>)
// CHECK:         return
func.func @instance_normalization(%x: !torch.vtensor<[2,3,4,5],f32>, %w: !torch.vtensor<[3],f32>, %b: !torch.vtensor<[3],f32>) -> !torch.vtensor<[2,3,4,5],f32> {
  %0 = "torch.operator"(%x, %w, %b) {name = "onnx.InstanceNormalization", torch.onnx.epsilon = 0.00999999977 : f32} : (!torch.vtensor<[2,3,4,5],f32>, !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>) -> !torch.vtensor<[2,3,4,5],f32>
  return %0 : !torch.vtensor<[2,3,4,5],f32>
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
