// RUN: meanvar-opt %s --convert-meanvar-to-linalg --split-input-file | FileCheck %s

// The mean is one elementwise operation on the result's dimensions: a sum in
// operand order in a wider type, one product with 1/n, one rounding (M5).

// CHECK-LABEL: func @f16(
// CHECK-SAME:      %[[A:.*]]: tensor<8xf16>, %[[B:.*]]: tensor<8xf16>, %[[C:.*]]: tensor<8xf16>)
// CHECK-DAG:     %[[THIRD:.*]] = arith.constant 0.333333343 : f32
// CHECK-DAG:     %[[INIT:.*]] = tensor.empty() : tensor<8xf16>
// CHECK:         %[[Y:.*]] = linalg.generic {{.*}} iterator_types = ["parallel"]}
// CHECK-SAME:        ins(%[[A]], %[[B]], %[[C]] : {{.*}}) outs(%[[INIT]] : tensor<8xf16>)
// CHECK-NEXT:    ^bb0(%[[X0:.*]]: f16, %[[X1:.*]]: f16, %[[X2:.*]]: f16, %{{.*}}: f16):
// CHECK-DAG:       %[[W0:.*]] = arith.extf %[[X0]] : f16 to f32
// CHECK-DAG:       %[[W1:.*]] = arith.extf %[[X1]] : f16 to f32
// CHECK-DAG:       %[[W2:.*]] = arith.extf %[[X2]] : f16 to f32
// CHECK-DAG:       %[[S1:.*]] = arith.addf %[[W0]], %[[W1]] : f32
// CHECK-DAG:       %[[S2:.*]] = arith.addf %[[S1]], %[[W2]] : f32
// CHECK:           %[[M:.*]] = arith.mulf %[[S2]], %[[THIRD]] : f32
// CHECK:           %[[R:.*]] = arith.truncf %[[M]] : f32 to f16
// CHECK:           linalg.yield %[[R]] : f16
// CHECK:         return %[[Y]]
func.func @f16(%a: tensor<8xf16>, %b: tensor<8xf16>, %c: tensor<8xf16>) -> tensor<8xf16> {
  %0 = meanvar.mean %a, %b, %c : (tensor<8xf16>, tensor<8xf16>, tensor<8xf16>) -> tensor<8xf16>
  return %0 : tensor<8xf16>
}

// -----

// bf16 has the range of f32, so terms are scaled by a power of two that is at most
// 1/n before they are added: finite inputs do not overflow on the way (M5). The
// products are exact and may be contracted; the last one may not.

// CHECK-LABEL: func @bf16(
// CHECK-DAG:     %[[FACTOR:.*]] = arith.constant 1.33333337 : f32
// CHECK-DAG:     %[[SCALE:.*]] = arith.constant 2.500000e-01 : f32
// CHECK-COUNT-3:   arith.mulf %{{.*}}, %[[SCALE]] fastmath<contract> : f32
// CHECK:           %[[SUM:.*]] = arith.addf %{{.*}} fastmath<contract> : f32
// CHECK:           %[[M:.*]] = arith.mulf %[[SUM]], %[[FACTOR]] : f32
// CHECK:           arith.truncf %[[M]] : f32 to bf16
func.func @bf16(%a: tensor<8xbf16>, %b: tensor<8xbf16>, %c: tensor<8xbf16>) -> tensor<8xbf16> {
  %0 = meanvar.mean %a, %b, %c : (tensor<8xbf16>, tensor<8xbf16>, tensor<8xbf16>) -> tensor<8xbf16>
  return %0 : tensor<8xbf16>
}

// -----

// CHECK-LABEL: func @f32(
// CHECK-COUNT-2:   arith.extf %{{.*}} : f32 to f64
// CHECK:           arith.addf %{{.*}} : f64
// CHECK:           arith.extf %{{.*}} : f32 to f64
// CHECK:           arith.addf %{{.*}} : f64
// CHECK:           arith.mulf %{{.*}} : f64
// CHECK:           arith.truncf %{{.*}} : f64 to f32
func.func @f32(%a: tensor<8xf32>, %b: tensor<8xf32>, %c: tensor<8xf32>) -> tensor<8xf32> {
  %0 = meanvar.mean %a, %b, %c : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// The sum of two is rounded once in f32 already; where it overflows, the sum of halves
// does not.

// CHECK-LABEL: func @two_f32(
// CHECK-NOT:       f64
// CHECK-DAG:       %[[HALF:.*]] = arith.constant 5.000000e-01 : f32
// CHECK-DAG:       %[[INF:.*]] = arith.constant 0x7F800000 : f32
// CHECK-DAG:       %[[SUM:.*]] = arith.addf %[[A:[^ ]*]], %[[B:[^ ]*]] : f32
// CHECK-DAG:       %[[A2:.*]] = arith.mulf %[[A]], %[[HALF]] fastmath<contract> : f32
// CHECK-DAG:       %[[B2:.*]] = arith.mulf %[[B]], %[[HALF]] fastmath<contract> : f32
// CHECK-DAG:       %[[HALVES:.*]] = arith.addf %[[A2]], %[[B2]] fastmath<contract> : f32
// CHECK-DAG:       %[[ABS:.*]] = math.absf %[[SUM]] : f32
// CHECK-DAG:       %[[OVER:.*]] = arith.cmpf oeq, %[[ABS]], %[[INF]] : f32
// CHECK-DAG:       %[[USUAL:.*]] = arith.mulf %[[SUM]], %[[HALF]] : f32
// CHECK:           arith.select %[[OVER]], %[[HALVES]], %[[USUAL]]
// CHECK-NOT:       f64
func.func @two_f32(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %0 = meanvar.mean %a, %b : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// f64 has no wider type. The sum of two is rounded once anyway ...

// CHECK-LABEL: func @f64_two(
// CHECK:         ^bb0(%[[X0:.*]]: f64, %[[X1:.*]]: f64, %{{.*}}: f64):
// CHECK-NEXT:      %[[SUM:.*]] = arith.addf %[[X0]], %[[X1]] : f64
// CHECK-NEXT:      %[[M:.*]] = arith.mulf %[[SUM]], %{{.*}} : f64
// CHECK-NEXT:      linalg.yield %[[M]] : f64
func.func @f64_two(%a: tensor<8xf64>, %b: tensor<8xf64>) -> tensor<8xf64> {
  %0 = meanvar.mean %a, %b : (tensor<8xf64>, tensor<8xf64>) -> tensor<8xf64>
  return %0 : tensor<8xf64>
}

// -----

// ... and of more than two the rounding error of each addition is kept (TwoSum) and
// added at the end, unless it is NaN because the sum overflowed (M6).

// CHECK-LABEL: func @f64_three(
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0.000000e+00 : f64
// CHECK:         ^bb0(%[[X0:.*]]: f64, %[[X1:.*]]: f64, %[[X2:.*]]: f64, %{{.*}}: f64):
// CHECK:           %[[S1:.*]] = arith.addf %[[X0]], %[[X1]] : f64
// CHECK:           %[[P1:.*]] = arith.subf %[[S1]], %[[X0]] : f64
// CHECK:           %[[P0:.*]] = arith.subf %[[S1]], %[[P1]] : f64
// CHECK-DAG:       %[[E0:.*]] = arith.subf %[[X0]], %[[P0]] : f64
// CHECK-DAG:       %[[E1:.*]] = arith.subf %[[X1]], %[[P1]] : f64
// CHECK:           arith.addf %[[E0]], %[[E1]] : f64
// CHECK:           %[[S2:.*]] = arith.addf %[[S1]], %[[X2]] : f64
// CHECK:           %[[IS_NUMBER:.*]] = arith.cmpf ord, %[[E:.*]], %[[E]] : f64
// CHECK:           %[[ERROR:.*]] = arith.select %[[IS_NUMBER]], %[[E]], %[[ZERO]] : f64
// CHECK:           %[[SUM:.*]] = arith.addf %[[S2]], %[[ERROR]] : f64
// CHECK:           arith.mulf %[[SUM]], %{{.*}} : f64
func.func @f64_three(%a: tensor<8xf64>, %b: tensor<8xf64>, %c: tensor<8xf64>) -> tensor<8xf64> {
  %0 = meanvar.mean %a, %b, %c : (tensor<8xf64>, tensor<8xf64>, tensor<8xf64>) -> tensor<8xf64>
  return %0 : tensor<8xf64>
}

// -----

// M2: a dimension of static size 1 is dropped by a slice, and the map of the operand
// leaves out what it does not have. Nothing is copied.

// CHECK-DAG: #[[$WHOLE:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-DAG: #[[$MIDDLE:.*]] = affine_map<(d0, d1, d2) -> (d1)>
// CHECK-DAG: #[[$SCALAR:.*]] = affine_map<(d0, d1, d2) -> ()>
// CHECK-LABEL: func @broadcast(
// CHECK-SAME:      %[[A:.*]]: tensor<2x3x4xf32>, %[[B:.*]]: tensor<3x1xf32>, %[[C:.*]]: tensor<f32>)
// CHECK:         %[[COLUMN:.*]] = tensor.extract_slice %[[B]][0, 0] [3, 1] [1, 1] : tensor<3x1xf32> to tensor<3xf32>
// CHECK:         linalg.generic {indexing_maps = [#[[$WHOLE]], #[[$MIDDLE]], #[[$SCALAR]], #[[$WHOLE]]]
// CHECK-SAME:        ins(%[[A]], %[[COLUMN]], %[[C]] :
func.func @broadcast(%a: tensor<2x3x4xf32>, %b: tensor<3x1xf32>, %c: tensor<f32>) -> tensor<2x3x4xf32> {
  %0 = meanvar.mean %a, %b, %c : (tensor<2x3x4xf32>, tensor<3x1xf32>, tensor<f32>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// -----

// M3: a size `?` that may turn out to be 1 is read through a slice of the result's
// size, whose stride is 1 or, where the operand is stretched, 0.

// CHECK-LABEL: func @may_stretch(
// CHECK-SAME:      %[[A:.*]]: tensor<?x4xf32>, %[[B:.*]]: tensor<3x4xf32>)
// CHECK:         %[[SIZE:.*]] = tensor.dim %[[A]], %c0
// CHECK:         %[[IS_WHOLE:.*]] = arith.cmpi eq, %[[SIZE]], %c3
// CHECK:         %[[STRIDE:.*]] = arith.select %[[IS_WHOLE]], %c1, %c0 : index
// CHECK:         %[[VIEW:.*]] = tensor.extract_slice %[[A]][0, 0] [3, 4] [%[[STRIDE]], 1] : tensor<?x4xf32> to tensor<3x4xf32>
// CHECK:         linalg.generic {{.*}} ins(%[[VIEW]], %[[B]] :
func.func @may_stretch(%a: tensor<?x4xf32>, %b: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %0 = meanvar.mean %a, %b : (tensor<?x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// -----

// Either of two may be stretched to the other: the result has the size of the one
// that is not 1.

// CHECK-LABEL: func @either_may_stretch(
// CHECK-SAME:      %[[A:.*]]: tensor<?xf32>, %[[B:.*]]: tensor<?xf32>)
// CHECK:         %[[SIZE:.*]] = arith.select %{{.*}}, %{{.*}}, %{{.*}} : index
// CHECK:         %[[LHS:.*]] = tensor.extract_slice %[[A]][0] [%[[SIZE]]] [%{{.*}}] : tensor<?xf32> to tensor<?xf32>
// CHECK:         %[[RHS:.*]] = tensor.extract_slice %[[B]][0] [%[[SIZE]]] [%{{.*}}] : tensor<?xf32> to tensor<?xf32>
// CHECK:         %[[INIT:.*]] = tensor.empty(%[[SIZE]]) : tensor<?xf32>
// CHECK:         linalg.generic {{.*}} ins(%[[LHS]], %[[RHS]] : {{.*}}) outs(%[[INIT]] :
func.func @either_may_stretch(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = meanvar.mean %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// No other operand reaches the dimension `?`, so it is whole.

// CHECK-LABEL: func @is_whole(
// CHECK-SAME:      %[[A:.*]]: tensor<?x4xf32>, %[[B:.*]]: tensor<4xf32>)
// CHECK-NOT:     tensor.extract_slice
// CHECK:         linalg.generic {{.*}} ins(%[[A]], %[[B]] :
func.func @is_whole(%a: tensor<?x4xf32>, %b: tensor<4xf32>) -> tensor<?x4xf32> {
  %0 = meanvar.mean %a, %b : (tensor<?x4xf32>, tensor<4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// -----

// M4: a declared size is used, since it has been checked; a size that the declared
// type hides is used, too, and the type restored behind.

// CHECK-LABEL: func @declared_says_more(
// CHECK:         tensor.empty() : tensor<5xf32>
// CHECK:         linalg.generic
// CHECK-NOT:     tensor.cast
func.func @declared_says_more(%a: tensor<?xf32>, %b: tensor<f32>) -> tensor<5xf32> {
  %0 = meanvar.mean %a, %b : (tensor<?xf32>, tensor<f32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// CHECK-LABEL: func @declared_says_less(
// CHECK:         tensor.empty() : tensor<5xf32>
// CHECK:         %[[Y:.*]] = linalg.generic
// CHECK:         %[[CAST:.*]] = tensor.cast %[[Y]] : tensor<5xf32> to tensor<?xf32>
// CHECK:         return %[[CAST]]
func.func @declared_says_less(%a: tensor<5xf32>, %b: tensor<f32>) -> tensor<?xf32> {
  %0 = meanvar.mean %a, %b : (tensor<5xf32>, tensor<f32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// CHECK-LABEL: func @rank_0(
// CHECK:         linalg.generic {{.*}} iterator_types = []}
func.func @rank_0(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = meanvar.mean %a, %b : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// Many operands: tiles, to which at most twelve operands at a time are added, with their
// rounding errors where the type is f64.

// CHECK-LABEL: func @many(
// CHECK:         scf.forall (%[[I:.*]]) = (0) to (40000) step (32768) shared_outs(%[[OUT:.*]] = %{{.*}})
// CHECK:           %[[COUNT:.*]] = affine.min
// CHECK:           %[[TILE:.*]] = tensor.extract_slice %[[OUT]][%[[I]]] [%[[COUNT]]] [1]
// CHECK:           %[[SUM:.*]]:2 = linalg.generic {{.*}} attrs = {meanvar.has_streams}
// CHECK-COUNT-49:    arith.{{add|sub}}f
// CHECK-NEXT:        linalg.yield %{{.*}}, %{{.*}} : f64, f64
// CHECK-COUNT-9:   tensor.extract_slice %{{.*}}[%[[I]]] [%[[COUNT]]] [1]
// CHECK:           %[[MEAN:.*]] = linalg.generic {{.*}}, %[[SUM]]#0, %[[SUM]]#1 : {{.*}}) outs(%[[TILE]] : tensor<?xf64>) attrs = {meanvar.has_streams}
// CHECK:             arith.mulf
// CHECK:           tensor.parallel_insert_slice %[[MEAN]] into %[[OUT]][%[[I]]] [%[[COUNT]]] [1]
func.func @many(%x0: tensor<40000xf64>, %x1: tensor<40000xf64>, %x2: tensor<40000xf64>,
                %x3: tensor<40000xf64>, %x4: tensor<40000xf64>, %x5: tensor<40000xf64>,
                %x6: tensor<40000xf64>, %x7: tensor<40000xf64>, %x8: tensor<40000xf64>,
                %x9: tensor<40000xf64>, %x10: tensor<40000xf64>, %x11: tensor<40000xf64>,
                %x12: tensor<40000xf64>, %x13: tensor<40000xf64>, %x14: tensor<40000xf64>,
                %x15: tensor<40000xf64>, %x16: tensor<40000xf64>) -> tensor<40000xf64> {
  %0 = meanvar.mean %x0, %x1, %x2, %x3, %x4, %x5, %x6, %x7, %x8, %x9, %x10, %x11,
                        %x12, %x13, %x14, %x15, %x16
      : (tensor<40000xf64>, tensor<40000xf64>, tensor<40000xf64>,
         tensor<40000xf64>, tensor<40000xf64>, tensor<40000xf64>,
         tensor<40000xf64>, tensor<40000xf64>, tensor<40000xf64>,
         tensor<40000xf64>, tensor<40000xf64>, tensor<40000xf64>,
         tensor<40000xf64>, tensor<40000xf64>, tensor<40000xf64>,
         tensor<40000xf64>, tensor<40000xf64>) -> tensor<40000xf64>
  return %0 : tensor<40000xf64>
}

// -----

// Up to sixteen are added in one loop.

// CHECK-LABEL: func @sixteen(
// CHECK-NOT:     scf.forall
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
func.func @sixteen(%x0: tensor<40000xf32>, %x1: tensor<40000xf32>, %x2: tensor<40000xf32>,
                   %x3: tensor<40000xf32>, %x4: tensor<40000xf32>, %x5: tensor<40000xf32>,
                   %x6: tensor<40000xf32>, %x7: tensor<40000xf32>, %x8: tensor<40000xf32>,
                   %x9: tensor<40000xf32>, %x10: tensor<40000xf32>, %x11: tensor<40000xf32>,
                   %x12: tensor<40000xf32>, %x13: tensor<40000xf32>, %x14: tensor<40000xf32>,
                   %x15: tensor<40000xf32>) -> tensor<40000xf32> {
  %0 = meanvar.mean %x0, %x1, %x2, %x3, %x4, %x5, %x6, %x7, %x8, %x9, %x10, %x11,
                        %x12, %x13, %x14, %x15
      : (tensor<40000xf32>, tensor<40000xf32>, tensor<40000xf32>,
         tensor<40000xf32>, tensor<40000xf32>, tensor<40000xf32>,
         tensor<40000xf32>, tensor<40000xf32>, tensor<40000xf32>,
         tensor<40000xf32>, tensor<40000xf32>, tensor<40000xf32>,
         tensor<40000xf32>, tensor<40000xf32>, tensor<40000xf32>,
         tensor<40000xf32>) -> tensor<40000xf32>
  return %0 : tensor<40000xf32>
}

// -----

// More than two f32 values are added in f64. A row that many rows share is converted and
// scaled once; what is left for each element is one addition, and the rounding.

// CHECK: #[[$ROW:.*]] = affine_map<(d0, d1, d2) -> (d2)>
// CHECK-LABEL: func @shared_row(
// CHECK-SAME:      %[[A:.*]]: tensor<64x1x1xf32>, %[[B:.*]]: tensor<1x64x1xf32>, %[[C:.*]]: tensor<1x1x1024xf32>)
// CHECK-DAG:     %[[THIRD:.*]] = arith.constant 0.33333333333333331 : f64
// CHECK:         %[[SCALED:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<1024xf64>)
// CHECK:           %[[W:.*]] = arith.extf %{{.*}} : f32 to f64
// CHECK:           arith.mulf %[[W]], %[[THIRD]] : f64
// CHECK:         linalg.generic {indexing_maps = [{{.*}}, {{.*}}, #[[$ROW]], {{.*}}]{{.*}} ins(%{{.*}}, %{{.*}}, %[[SCALED]] : tensor<64xf32>, tensor<64xf32>, tensor<1024xf64>)
// CHECK-NEXT:    ^bb0(%[[X:.*]]: f32, %[[Y:.*]]: f32, %[[Z:.*]]: f64, %{{.*}}: f32):
// CHECK:           %[[SUM:.*]] = arith.addf %{{.*}}, %{{.*}} : f64
// CHECK:           %[[PART:.*]] = arith.mulf %[[SUM]], %[[THIRD]] : f64
// CHECK:           %[[MEAN:.*]] = arith.addf %[[PART]], %[[Z]] : f64
// CHECK:           arith.truncf %[[MEAN]] : f64 to f32
func.func @shared_row(%a: tensor<64x1x1xf32>, %b: tensor<1x64x1xf32>, %c: tensor<1x1x1024xf32>) -> tensor<64x64x1024xf32> {
  %0 = meanvar.mean %a, %b, %c : (tensor<64x1x1xf32>, tensor<1x64x1xf32>, tensor<1x1x1024xf32>) -> tensor<64x64x1024xf32>
  return %0 : tensor<64x64x1024xf32>
}

// -----

// Not a long one, and none that few rows share.

// CHECK-LABEL: func @other_rows(
// CHECK-NOT:     f64>
// CHECK:         return
func.func @other_rows(%a: tensor<64x5000xf32>, %b: tensor<5000xf32>, %c: tensor<4x8xf32>, %d: tensor<8xf32>) -> (tensor<64x5000xf32>, tensor<4x8xf32>) {
  %0 = meanvar.mean %a, %b, %b : (tensor<64x5000xf32>, tensor<5000xf32>, tensor<5000xf32>) -> tensor<64x5000xf32>
  %1 = meanvar.mean %c, %d, %d : (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return %0, %1 : tensor<64x5000xf32>, tensor<4x8xf32>
}
