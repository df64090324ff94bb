// RUN: meanvar-opt %s --meanvar-to-llvm --split-input-file > %t.mlir
// RUN: FileCheck %s --input-file %t.mlir \
// RUN:   --implicit-check-not="llvm.func {{.*[^{]$}}" --implicit-check-not=malloc \
// RUN:   --implicit-check-not="llvm.fptrunc {{.*}}bf16"

// Whatever the element type, and along either dimension of a matrix whose sizes are
// known or not, the passes over a tile are loops over vectors.
//
// No function is declared (a line that does not end with a brace), so nothing is
// called but what one public function consists of: no allocation of a temporary of
// the operand's size, no library. And bf16 is never rounded by an instruction,
// which would lose subnormals (M6).

// Rows: several vector accumulators of f32, from time to time added to a sum in f64,
// which is reduced horizontally once. Products may be fused with additions.

// CHECK-LABEL: llvm.func @rows(
// CHECK:         llvm.call @rows_shape(
// CHECK:         llvm.call @rows_body(
// CHECK-LABEL: llvm.func internal @rows_body(
// CHECK:       ^[[BLOCK:bb[0-9]+]](%{{.*}}: i64, %{{.*}}: vector<16xf32>, %{{.*}}: vector<16xf32>, %{{.*}}: vector<16xf32>, %{{.*}}: vector<16xf32>,
// CHECK:         %[[X:.*]] = llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
// CHECK:         %[[D:.*]] = llvm.fsub %[[X]], %{{.*}} {fastmathFlags = #llvm.fastmath<contract>} : vector<16xf32>
// CHECK-DAG:     %[[D2:.*]] = llvm.fmul %[[D]], %[[D]] {fastmathFlags = #llvm.fastmath<contract>} : vector<16xf32>
// CHECK-DAG:     llvm.fadd %{{.*}}, %[[D]] : vector<16xf32>
// CHECK-DAG:     llvm.fadd %{{.*}}, %[[D2]] {fastmathFlags = #llvm.fastmath<contract>} : vector<16xf32>
// CHECK:         llvm.br ^[[BLOCK]]({{.*}}) {loop_annotation =
// CHECK:         llvm.fpext %{{.*}} : vector<16xf32> to vector<16xf64>
// CHECK:         llvm.intr.vector.reduce.fadd"({{.*}}, vector<16xf64>) -> f64
// CHECK:         llvm.intr.sqrt(%{{.*}}) : (vector<
// CHECK:         llvm.store %{{.*}}, %{{.*}} {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
// CHECK:         llvm.return
func.func @rows(%x: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  %0 = meanvar.mvn %x axes = [1] : tensor<1024x1024xf32>
  return %0 : tensor<1024x1024xf32>
}

// -----

// Columns: a lane for each element of the accumulators.

// CHECK-LABEL: llvm.func internal @columns_body(
// CHECK:         %[[X:.*]] = llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
// CHECK:         %[[D:.*]] = llvm.fsub %{{.*}}, %{{.*}} {fastmathFlags = #llvm.fastmath<contract>} : vector<16xf32>
// CHECK:         llvm.fmul %[[D]], %[[D]] {fastmathFlags = #llvm.fastmath<contract>} : vector<16xf32>
// CHECK:         llvm.fpext %{{.*}} : vector<16xf32> to vector<16xf64>
// CHECK:         llvm.fadd %{{.*}} : vector<16xf64>
// CHECK:         llvm.return
func.func @columns(%x: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  %0 = meanvar.mvn %x axes = [0] : tensor<1024x1024xf32>
  return %0 : tensor<1024x1024xf32>
}

// -----

// Sizes known at run time only: the same, and what is left in a masked vector.

// CHECK-LABEL: llvm.func internal @dynamic_rows_body(
// CHECK:         llvm.load %{{.*}} : !llvm.ptr -> vector<16xf32>
// CHECK:         llvm.intr.masked.load {{.*}} vector<16xf32>
// CHECK:         llvm.intr.vector.reduce.fadd"(
// CHECK:         llvm.intr.masked.store {{.*}} vector<16xf32>
// CHECK:         llvm.return
func.func @dynamic_rows(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = meanvar.mvn %x axes = [1] : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: llvm.func internal @dynamic_columns_body(
// CHECK:         llvm.load %{{.*}} : !llvm.ptr -> vector<16xf32>
// CHECK:         llvm.intr.masked.load {{.*}} vector<16xf32>
// CHECK:         llvm.intr.masked.store {{.*}} vector<16xf32>
// CHECK:         llvm.return
func.func @dynamic_columns(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = meanvar.mvn %x axes = [0] : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// f16 is loaded as such and computed as f32.

// CHECK-LABEL: llvm.func internal @f16_body(
// CHECK:         %[[X:.*]] = llvm.load %{{.*}} : !llvm.ptr -> vector<16xf16>
// CHECK:         llvm.fpext %{{.*}} : vector<16xf16> to vector<16xf32>
// CHECK:         llvm.fsub %{{.*}} : vector<16xf32>
// CHECK:         %[[Y:.*]] = llvm.fptrunc %{{.*}} : vector<16xf32> to vector<16xf16>
// CHECK:         llvm.store %[[Y]], %{{.*}} : vector<16xf16>, !llvm.ptr
// CHECK:         llvm.return
func.func @f16(%x: tensor<1024x1024xf16>) -> tensor<1024x1024xf16> {
  %0 = meanvar.mvn %x axes = [1] : tensor<1024x1024xf16>
  return %0 : tensor<1024x1024xf16>
}

// -----

// bf16 is loaded and stored as pairs of even and odd elements.

// CHECK-LABEL: llvm.func internal @bf16_body(
// CHECK:         %[[X:.*]] = llvm.load %{{.*}} : !llvm.ptr -> vector<32xi16>
// CHECK:         llvm.bitcast %[[X]] : vector<32xi16> to vector<16xi32>
// CHECK:         llvm.fsub %{{.*}} : vector<16xf32>
// CHECK:         llvm.select %{{.*}} : vector<16xi1>, vector<16xf32>
// CHECK:         %[[Y:.*]] = llvm.bitcast %{{.*}} : vector<16xi32> to vector<32xi16>
// CHECK:         llvm.store %[[Y]], %{{.*}} : vector<32xi16>, !llvm.ptr
// CHECK:         llvm.return
func.func @bf16(%x: tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16> {
  %0 = meanvar.mvn %x axes = [1] : tensor<1024x1024xbf16>
  return %0 : tensor<1024x1024xbf16>
}

// -----

// CHECK-LABEL: llvm.func internal @f64_body(
// CHECK:         llvm.load %{{.*}} : !llvm.ptr -> vector<8xf64>
// CHECK:         llvm.intr.vector.reduce.fadd"({{.*}}, vector<8xf64>) -> f64
// CHECK:         llvm.store %{{.*}} : vector<8xf64>, !llvm.ptr
// CHECK:         llvm.return
func.func @f64(%x: tensor<1024x1024xf64>) -> tensor<1024x1024xf64> {
  %0 = meanvar.mvn %x axes = [1] : tensor<1024x1024xf64>
  return %0 : tensor<1024x1024xf64>
}

// -----

// The mean is a loop over vectors, too, also where it cannot be known which operand
// is stretched.

// CHECK-LABEL: llvm.func internal @mean_body(
// CHECK-COUNT-2: llvm.load %{{.*}} : !llvm.ptr -> vector<16xf32>
// CHECK:         llvm.fadd %{{.*}} : vector<16xf64>
// CHECK:         llvm.store %{{.*}} : vector<16xf32>, !llvm.ptr
// CHECK:         llvm.return
func.func @mean(%a: tensor<1024x1024xf32>, %b: tensor<1024x1024xf32>, %c: tensor<f32>) -> tensor<1024x1024xf32> {
  %0 = meanvar.mean %a, %b, %c : (tensor<1024x1024xf32>, tensor<1024x1024xf32>, tensor<f32>) -> tensor<1024x1024xf32>
  return %0 : tensor<1024x1024xf32>
}

// -----

// CHECK-LABEL: llvm.func internal @dynamic_mean_body(
// CHECK:         llvm.load %{{.*}} : !llvm.ptr -> vector<16xf32>
// CHECK:         llvm.store %{{.*}} : vector<16xf32>, !llvm.ptr
// CHECK:         llvm.return
func.func @dynamic_mean(%a: tensor<?x?xf32>, %b: tensor<?xf32>) -> tensor<?x?xf32> {
  %0 = meanvar.mean %a, %b : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
