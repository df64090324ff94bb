// RUN: meanvar-opt %s --meanvar-lower-entry-points --split-input-file | FileCheck %s

// F1: a public function with tensor results becomes three. @f_shape writes the sizes
// of the results; this one needs no check.

// CHECK-LABEL: func @f_shape(
// CHECK-SAME:      %[[X:.*]]: memref<?xf32>, %[[SIZES:.*]]: memref<?xi64>, %{{.*}}: memref<2xi64>) -> i32
// CHECK-SAME:      attributes {llvm.emit_c_interface}
// CHECK:         %[[SIZE:.*]] = memref.dim %[[X]], %c0
// CHECK:         %[[INTEGER:.*]] = arith.index_cast %[[SIZE]] : index to i64
// CHECK:         memref.store %[[INTEGER]], %[[SIZES]][%{{.*}}]
// CHECK:         return %{{.*}} : i32

// @f is what callers see. Everything about it that they may want to know is in
// attributes; the messages are those of all checks, in the order of their status.

// CHECK-LABEL: func @f(
// CHECK-SAME:      %[[X:.*]]: memref<?xf32>, %[[Y:.*]]: memref<?xf32>, %[[DETAIL:.*]]: memref<2xi64>) -> i32
// CHECK-SAME:      llvm.emit_c_interface
// CHECK-SAME:      meanvar.messages = ["output 0 has size {0} in dimension 0 (allowed: {1})",
// CHECK-SAME:                          "output 0 overlaps input 0 (allowed: exactly the same buffer, or none of it)"]
// CHECK-SAME:      meanvar.shape_function = @f_shape
// CHECK-SAME:      meanvar.signature = (tensor<?xf32>) -> tensor<?xf32>
//
// F4: the checks come first. The status is that of the shape function, or else of
// the first check that fails.
//
// CHECK:         %[[STATUS:.*]] = memref.alloca() : memref<i32>
// CHECK:         %[[SIZES:.*]] = memref.alloca() : memref<1xi64>
// CHECK:         %[[DYNAMIC_SIZES:.*]] = memref.cast %[[SIZES]]
// CHECK:         %[[CALL:.*]] = call @f_shape(%[[X]], %[[DYNAMIC_SIZES]], %[[DETAIL]])
// CHECK:         memref.store %[[CALL]], %[[STATUS]][]
// CHECK:         %[[GOT:.*]] = memref.dim %[[Y]], %c0
// CHECK:         %[[STORED:.*]] = memref.load %[[SIZES]][%{{.*}}]
// CHECK:         %[[WANT:.*]] = arith.index_cast %[[STORED]] : i64 to index
// CHECK:         arith.cmpi eq, %[[GOT]], %[[WANT]]
// CHECK:         scf.if
// CHECK:           memref.store %c1_i32, %[[STATUS]][]
// CHECK:           memref.store %{{.*}}, %[[DETAIL]][%c0{{.*}}]
// CHECK:           memref.store %{{.*}}, %[[DETAIL]][%c1{{.*}}]
//
// F2: an output must not overlap an input, but may be one.
//
// CHECK:         memref.extract_aligned_pointer_as_index %[[Y]]
// CHECK:         memref.extract_aligned_pointer_as_index %[[X]]
// CHECK:         scf.if
// CHECK:           memref.store %c2_i32, %[[STATUS]][]
//
// The computation is for valid arguments only.
//
// CHECK:         %[[FINAL:.*]] = memref.load %[[STATUS]][]
// CHECK:         %[[IS_VALID:.*]] = arith.cmpi eq, %[[FINAL]], %{{.*}}
// CHECK:         scf.if %[[IS_VALID]] {
// CHECK-NEXT:      func.call @f_body(%[[X]], %[[Y]])
// CHECK:         return %[[FINAL]] : i32

// @f_body computes on tensors. Inputs are not writable.

// CHECK-LABEL: func private @f_body(
// CHECK-SAME:      %[[X:.*]]: memref<?xf32>, %[[Y:.*]]: memref<?xf32>)
// CHECK-NEXT:    %[[INPUT:.*]] = bufferization.to_tensor %[[X]] restrict : memref<?xf32> to tensor<?xf32>
// CHECK-NEXT:    %[[RESULT:.*]] = meanvar.mvn %[[INPUT]] axes = [0] : tensor<?xf32>
// CHECK-NEXT:    bufferization.materialize_in_destination %[[RESULT]] in restrict writable %[[Y]]
// CHECK-NEXT:    return
func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = meanvar.mvn %x axes = [0] : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// Checks move to the shape function. Static sizes are checked there, too, and the
// body may rely on them.

// CHECK-LABEL: func @checks_shape(
// CHECK-SAME:      %[[A:.*]]: memref<?x?xf32>,
// CHECK:         %[[GOT:.*]] = memref.dim %[[A]], %c1
// CHECK:         arith.cmpi eq, %[[GOT]], %c4
// CHECK:         scf.if
// CHECK:           memref.store %c1_i32,
// CHECK:         %[[SIZE:.*]] = memref.dim %[[A]], %c0
// CHECK:         %[[OK:.*]] = arith.cmpi ult, %[[SIZE]], %c9
// CHECK:         scf.if
// CHECK:           memref.store %c2_i32,
// CHECK:           %[[DETAIL0:.*]] = arith.index_cast %[[SIZE]] : index to i64
// CHECK:           memref.store %[[DETAIL0]],
// CHECK-LABEL: func @checks(
// CHECK-SAME:      meanvar.messages = ["input 0 has size {0} in dimension 1 (allowed: {1})", "{0} is not below {1}", "output 0 has size
// CHECK:         %[[SIZED:.*]] = memref.cast %{{.*}} : memref<?x?xf32> to memref<?x4xf32>
// CHECK:         call @checks_body(%[[SIZED]],
// CHECK-LABEL: func private @checks_body(
// CHECK-SAME:      memref<?x4xf32>
// CHECK-NOT:     cf.assert
func.func @checks(%a: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %c9 = arith.constant 9 : index
  %size = tensor.dim %a, %c0 : tensor<?x4xf32>
  %ok = arith.cmpi ult, %size, %c9 : index
  cf.assert %ok, "{0} is not below {1}"
  %0 = meanvar.mvn %a axes = [1] : tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// -----

// Scalar arguments are passed by value; a scalar result is a buffer of rank 0, and
// has no size. Sizes may depend on scalars.

// CHECK-LABEL: func @scalars_shape(
// CHECK-SAME:      %[[N:.*]]: index, %{{.*}}: f32, %[[SIZES:.*]]: memref<?xi64>, %{{.*}}: memref<2xi64>) -> i32
// CHECK:         %[[SIZE:.*]] = arith.index_cast %[[N]] : index to i64
// CHECK:         memref.store %[[SIZE]], %[[SIZES]][%c0{{.*}}]
// CHECK-LABEL: func @scalars(
// CHECK-SAME:      %{{.*}}: index, %{{.*}}: f32, %{{.*}}: memref<?xf32>, %{{.*}}: memref<f32>, %{{.*}}: memref<2xi64>) -> i32
// CHECK-SAME:      meanvar.signature = (index, f32) -> (tensor<?xf32>, f32)
// CHECK:         memref.alloca() : memref<1xi64>
// CHECK-LABEL: func private @scalars_body(
// CHECK-SAME:      %[[N:.*]]: index, %[[F:.*]]: f32, %{{.*}}: memref<?xf32>, %[[RESULT:.*]]: memref<f32>)
// CHECK:         memref.store %[[F]], %[[RESULT]][] : memref<f32>
func.func @scalars(%n: index, %f: f32) -> (tensor<?xf32>, f32) {
  %0 = tensor.splat %f[%n] : tensor<?xf32>
  return %0, %f : tensor<?xf32>, f32
}

// -----

// Several results: outputs must not overlap each other. An output of another
// element type than the input's must not be its buffer at all.

// CHECK-LABEL: func @results(
// CHECK-SAME:      "output 1 overlaps input 0", "output 1 overlaps output 0"
// CHECK-SAME:      "output 2 overlaps input 0", "output 2 overlaps output 0", "output 2 overlaps output 1"]
func.func @results(%x: tensor<4x8xf16>) -> (tensor<4x8xf16>, tensor<4x1xf32>, tensor<4x1xf32>) {
  %0:3 = meanvar.mvn %x axes = [1] statistics : tensor<4x8xf16>
  return %0#0, %0#1, %0#2 : tensor<4x8xf16>, tensor<4x1xf32>, tensor<4x1xf32>
}

// -----

// F2: the output may be the buffer of an input. One meanvar operation writes each
// element after all reads of it, so nothing is copied ...

// CHECK-LABEL: func @in_place(
// CHECK-NOT:     memref.copy
// CHECK:         return
func.func @in_place(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = meanvar.mean %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// ... while of a longer function an input that is an output is copied first.

// CHECK-LABEL: func @copied(
// CHECK-SAME:      %[[A:.*]]: memref<?xf32>, %[[Y:.*]]: memref<?xf32>, %{{.*}}: memref<2xi64>)
// CHECK:         %[[SOURCE:.*]] = scf.if %{{.*}} -> (memref<?xf32>) {
// CHECK:           %[[COPY:.*]] = memref.alloc(
// CHECK:           memref.copy %[[A]], %[[COPY]]
// CHECK:           scf.yield %[[COPY]]
// CHECK:         } else {
// CHECK:           scf.yield %[[A]]
// CHECK:         call @copied_body(%[[SOURCE]], %[[Y]])
func.func @copied(%a: tensor<?xf32>) -> tensor<?xf32> {
  %0 = meanvar.mvn %a axes = [0] : tensor<?xf32>
  %1 = meanvar.mean %a, %0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}

// -----

// The statistics are written before the last lanes are read: an input that is the
// buffer of one of them is copied.

// CHECK-LABEL: func @statistics(
// CHECK:         memref.copy
func.func @statistics(%x: tensor<4x1xf32>) -> (tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>) {
  %0:3 = meanvar.mvn %x axes = [1] statistics : tensor<4x1xf32>
  return %0#0, %0#1, %0#2 : tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>
}

// -----

// A name that is taken: the attribute says what the shape function is called.

// CHECK-LABEL: func @taken_shape_0(
// CHECK-LABEL: func @taken(
// CHECK-SAME:      meanvar.shape_function = @taken_shape_0
// CHECK:         call @taken_shape_0(
// CHECK-LABEL: func private @taken_body_{{[0-9]+}}(
func.func @taken(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = meanvar.mvn %x axes = [0] : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @taken_shape()
func.func private @taken_body()

// -----

// Attributes of the function are kept.

// CHECK-LABEL: func @named(
// CHECK-SAME:      meanvar.input_names = ["X"]
func.func @named(%x: tensor<4xf32>) -> tensor<4xf32> attributes {meanvar.input_names = ["X"]} {
  %0 = meanvar.mvn %x axes = [0] : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Functions without tensor results, and private ones, keep their signatures.

// CHECK-LABEL: func @main() {
// CHECK-LABEL: func private @helper(%{{.*}}: tensor<4xf32>) -> tensor<4xf32> {
// CHECK-LABEL: func private @declared(tensor<4xf32>) -> tensor<4xf32>
func.func @main() {
  return
}
func.func private @helper(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func private @declared(tensor<4xf32>) -> tensor<4xf32>
