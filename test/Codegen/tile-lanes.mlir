// RUN: meanvar-opt %s --meanvar-tile-lanes --split-input-file | FileCheck %s

// Tiles of whole lanes, so that all passes over a tile find it in a cache. Rows: as
// many lanes as fit, here one.

// CHECK-LABEL: func @long_rows(
// CHECK-SAME:      %[[X:.*]]: tensor<64x65536xf32>)
// CHECK:         %[[INIT:.*]] = tensor.empty() : tensor<64x65536xf32>
// CHECK:         %[[Y:.*]] = scf.forall (%[[I:.*]]) in (64) shared_outs(%[[OUT:.*]] = %[[INIT]])
// CHECK:           %[[LANE:.*]] = tensor.extract_slice %[[X]][%[[I]], 0] [1, 65536] [1, 1]
// CHECK:           %[[TILE:.*]] = meanvar.mvn %[[LANE]] axes = [1] : tensor<1x65536xf32>
// CHECK:           tensor.parallel_insert_slice %[[TILE]] into %[[OUT]][%[[I]], 0] [1, 65536] [1, 1]
// CHECK:         return %[[Y]]
func.func @long_rows(%x: tensor<64x65536xf32>) -> tensor<64x65536xf32> {
  %0 = meanvar.mvn %x axes = [1] : tensor<64x65536xf32>
  return %0 : tensor<64x65536xf32>
}

// -----

// Several short rows share a tile.

// CHECK-LABEL: func @short_rows(
// CHECK:         scf.forall (%[[I:.*]]) = (0) to (64) step ([[LANES:[0-9]+]])
// CHECK:           tensor.extract_slice %{{.*}}[%[[I]], 0] [[[LANES]], 100] [1, 1]
func.func @short_rows(%x: tensor<64x100xf32>) -> tensor<64x100xf32> {
  %0 = meanvar.mvn %x axes = [1] : tensor<64x100xf32>
  return %0 : tensor<64x100xf32>
}

// -----

// Panels: lanes that are neighbours in memory, so that whole vectors of them are
// computed at once. The last panel is what is left.

// CHECK: #[[$REST:.*]] = affine_map<(d0) -> (-d0 + 100000, {{[0-9]+}})>
// CHECK-LABEL: func @panels(
// CHECK-SAME:      %[[X:.*]]: tensor<64x100000xf32>)
// CHECK:         scf.forall (%[[J:.*]]) = (0) to (100000) step ({{[0-9]+}}) shared_outs(%[[OUT:.*]] = %{{.*}})
// CHECK:           %[[SIZE:.*]] = affine.min #[[$REST]](%[[J]])
// CHECK:           %[[PANEL:.*]] = tensor.extract_slice %[[X]][0, %[[J]]] [64, %[[SIZE]]] [1, 1]
// CHECK:           %[[TILE:.*]] = meanvar.mvn %[[PANEL]] axes = [0] : tensor<64x?xf32>
// CHECK:           tensor.parallel_insert_slice %[[TILE]] into %[[OUT]][0, %[[J]]] [64, %[[SIZE]]] [1, 1]
func.func @panels(%x: tensor<64x100000xf32>) -> tensor<64x100000xf32> {
  %0 = meanvar.mvn %x axes = [0] : tensor<64x100000xf32>
  return %0 : tensor<64x100000xf32>
}

// -----

// They are as wide for every type.

// CHECK-LABEL: func @f64(
// CHECK:         scf.forall (%{{.*}}) = (0) to (4096) step (1024)
func.func @f64(%x: tensor<64x4096xf64>) -> tensor<64x4096xf64> {
  %0 = meanvar.mvn %x axes = [0] : tensor<64x4096xf64>
  return %0 : tensor<64x4096xf64>
}

// -----

// One panel may be all there is: then there is no loop.

// CHECK-LABEL: func @one_panel(
// CHECK-NOT:     scf.forall
// CHECK:         meanvar.mvn %{{.*}} axes = [0] : tensor<64x16xf32>
func.func @one_panel(%x: tensor<64x16xf32>) -> tensor<64x16xf32> {
  %0 = meanvar.mvn %x axes = [0] : tensor<64x16xf32>
  return %0 : tensor<64x16xf32>
}

// -----

// Other kept dimensions are tiled by 1.

// CHECK-LABEL: func @all_kept_dims(
// CHECK:         scf.forall (%[[I:.*]], %[[J:.*]]) in (3, 64)
// CHECK:           tensor.extract_slice %{{.*}}[0, %[[I]], %[[J]], 0] [8, 1, 1, 3136] [1, 1, 1, 1]
// CHECK:           meanvar.mvn %{{.*}} axes = [0, 3] : tensor<8x1x1x3136xf32>
func.func @all_kept_dims(%x: tensor<8x3x64x3136xf32>) -> tensor<8x3x64x3136xf32> {
  %0 = meanvar.mvn %x axes = [0, 3] : tensor<8x3x64x3136xf32>
  return %0 : tensor<8x3x64x3136xf32>
}

// -----

// Where the size of a lane is known at run time only, so is the number of lanes in a
// tile, of which the bound is known.

// CHECK-LABEL: func @dynamic(
// CHECK-SAME:      %[[X:.*]]: tensor<?x?xf16>)
// CHECK:         %[[FIT:.*]] = arith.divui %c24576
// CHECK:         %[[NEXT:.*]] = arith.addi %[[FIT]], %c1
// CHECK:         %[[STEP:.*]] = affine.min #[[AT_MOST:.*]]()[%[[NEXT]]]
// CHECK:         scf.forall (%[[I:.*]]) = (0) to (%{{.*}}) step (%[[STEP]])
// CHECK:           %[[LANES:.*]] = affine.min
// CHECK:           tensor.extract_slice %[[X]][%[[I]], 0] [%[[LANES]], %{{.*}}] [1, 1]
// CHECK:           meanvar.mvn %{{.*}} axes = [1] : tensor<?x?xf16>
func.func @dynamic(%x: tensor<?x?xf16>) -> tensor<?x?xf16> {
  %0 = meanvar.mvn %x axes = [1] : tensor<?x?xf16>
  return %0 : tensor<?x?xf16>
}

// -----

// The statistics are written tile by tile.

// CHECK-LABEL: func @statistics(
// CHECK:         scf.forall (%[[I:.*]]) in (64) shared_outs(%[[Y:.*]] = %{{.*}}, %[[M:.*]] = %{{.*}}, %[[S:.*]] = %{{.*}})
// CHECK:           %[[TILE:.*]], %[[MEAN:.*]], %[[SCALE:.*]] = meanvar.mvn %{{.*}} statistics : tensor<1x65536xf32>
// CHECK-DAG:         tensor.parallel_insert_slice %[[TILE]] into %[[Y]][%[[I]], 0] [1, 65536] [1, 1]
// CHECK-DAG:         tensor.parallel_insert_slice %[[MEAN]] into %[[M]][%[[I]], 0] [1, 1] [1, 1]
// CHECK-DAG:         tensor.parallel_insert_slice %[[SCALE]] into %[[S]][%[[I]], 0] [1, 1] [1, 1]
func.func @statistics(%x: tensor<64x65536xf32>) -> (tensor<64x65536xf32>, tensor<64x1xf32>, tensor<64x1xf32>) {
  %0:3 = meanvar.mvn %x axes = [1] statistics : tensor<64x65536xf32>
  return %0#0, %0#1, %0#2 : tensor<64x65536xf32>, tensor<64x1xf32>, tensor<64x1xf32>
}

// -----

// One lane of all elements has nothing to tile.

// CHECK-LABEL: func @all_reduced(
// CHECK-NOT:     scf.forall
// CHECK:         meanvar.mvn %{{.*}} axes = [0] : tensor<200704xf32>
func.func @all_reduced(%x: tensor<200704xf32>) -> tensor<200704xf32> {
  %0 = meanvar.mvn %x axes = [0] : tensor<200704xf32>
  return %0 : tensor<200704xf32>
}

// -----

// An elementwise operation that alone uses the result comes along, and with it what it
// needs that is computed later; statistics stay results of the loop.

#all = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>

// CHECK-LABEL: func @consumer(
// CHECK-SAME:      %[[X:[^:]*]]: tensor<64x1024xf32>, %[[B:[^:]*]]: tensor<1024xf32>)
// CHECK:         %[[B2:.*]] = arith.addf %[[B]], %[[B]]
// CHECK:         %[[R:.*]]:3 = scf.forall (%[[I:.*]]) = {{.*}} -> (tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x1024xf32>)
// CHECK:           %[[TILE:.*]], %[[MEAN:.*]], %[[FACTOR:.*]] = meanvar.mvn
// CHECK:           %[[SUM:.*]] = linalg.generic {{.*}} ins(%[[TILE]], %{{.*}} : tensor<{{[0-9]+}}x1024xf32>, tensor<1024xf32>)
// CHECK-NOT:       tensor.parallel_insert_slice %[[TILE]]
// CHECK-DAG:       tensor.parallel_insert_slice %[[MEAN]]
// CHECK-DAG:       tensor.parallel_insert_slice %[[FACTOR]]
// CHECK-DAG:       tensor.parallel_insert_slice %[[SUM]]
// CHECK-NOT:     linalg.generic
// CHECK:         return %[[R]]#2, %[[R]]#0, %[[R]]#1
func.func @consumer(%x: tensor<64x1024xf32>, %b: tensor<1024xf32>) -> (tensor<64x1024xf32>, tensor<64x1xf32>, tensor<64x1xf32>) {
  %y, %mean, %factor = meanvar.mvn %x axes = [1] statistics : tensor<64x1024xf32>
  %b2 = arith.addf %b, %b : tensor<1024xf32>
  %init = tensor.empty() : tensor<64x1024xf32>
  %0 = linalg.generic {indexing_maps = [#all, #column, #all], iterator_types = ["parallel", "parallel"]}
      ins(%y, %b2 : tensor<64x1024xf32>, tensor<1024xf32>) outs(%init : tensor<64x1024xf32>) {
  ^bb0(%v: f32, %bias: f32, %out: f32):
    %s = arith.addf %v, %bias : f32
    linalg.yield %s : f32
  } -> tensor<64x1024xf32>
  return %0, %mean, %factor : tensor<64x1024xf32>, tensor<64x1xf32>, tensor<64x1xf32>
}

// -----

// It stays outside where it needs the statistics too, or where the result has other
// users.

#all = affine_map<(i, j) -> (i, j)>
#lane = affine_map<(i, j) -> (i, 0)>

// CHECK-LABEL: func @consumer_of_statistics(
// CHECK:         scf.forall.in_parallel
// CHECK:         linalg.generic
func.func @consumer_of_statistics(%x: tensor<64x1024xf32>, %init: tensor<64x1024xf32>) -> tensor<64x1024xf32> {
  %y, %mean, %factor = meanvar.mvn %x axes = [1] statistics : tensor<64x1024xf32>
  %0 = linalg.generic {indexing_maps = [#all, #lane, #all], iterator_types = ["parallel", "parallel"]}
      ins(%y, %mean : tensor<64x1024xf32>, tensor<64x1xf32>) outs(%init : tensor<64x1024xf32>) {
  ^bb0(%v: f32, %m: f32, %out: f32):
    %s = arith.addf %v, %m : f32
    linalg.yield %s : f32
  } -> tensor<64x1024xf32>
  return %0 : tensor<64x1024xf32>
}

// CHECK-LABEL: func @two_users(
// CHECK:         scf.forall.in_parallel
// CHECK:         linalg.generic
func.func @two_users(%x: tensor<64x1024xf32>, %init: tensor<64x1024xf32>) -> (tensor<64x1024xf32>, tensor<64x1024xf32>) {
  %y = meanvar.mvn %x axes = [1] : tensor<64x1024xf32>
  %0 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<64x1024xf32>) outs(%init : tensor<64x1024xf32>) {
  ^bb0(%v: f32, %out: f32):
    %n = arith.negf %v : f32
    linalg.yield %n : f32
  } -> tensor<64x1024xf32>
  return %0, %y : tensor<64x1024xf32>, tensor<64x1024xf32>
}

// -----

// Or where it is no loop over vectors: what it reads is transposed, or it computes with
// indices.

#all = affine_map<(i, j) -> (i, j)>
#turned = affine_map<(i, j) -> (j, i)>

// CHECK-LABEL: func @transposed_operand(
// CHECK:         scf.forall.in_parallel
// CHECK:         linalg.generic
func.func @transposed_operand(%x: tensor<64x1024xf32>, %b: tensor<1024x64xf32>, %init: tensor<64x1024xf32>) -> tensor<64x1024xf32> {
  %y = meanvar.mvn %x axes = [1] : tensor<64x1024xf32>
  %0 = linalg.generic {indexing_maps = [#all, #turned, #all], iterator_types = ["parallel", "parallel"]}
      ins(%y, %b : tensor<64x1024xf32>, tensor<1024x64xf32>) outs(%init : tensor<64x1024xf32>) {
  ^bb0(%v: f32, %w: f32, %out: f32):
    %s = arith.addf %v, %w : f32
    linalg.yield %s : f32
  } -> tensor<64x1024xf32>
  return %0 : tensor<64x1024xf32>
}

// CHECK-LABEL: func @indices(
// CHECK:         scf.forall.in_parallel
// CHECK:         linalg.generic
func.func @indices(%x: tensor<64x1024xf32>, %init: tensor<64x1024xf32>) -> tensor<64x1024xf32> {
  %y = meanvar.mvn %x axes = [1] : tensor<64x1024xf32>
  %0 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<64x1024xf32>) outs(%init : tensor<64x1024xf32>) {
  ^bb0(%v: f32, %out: f32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i32
    %f = arith.sitofp %j : i32 to f32
    %s = arith.addf %v, %f : f32
    linalg.yield %s : f32
  } -> tensor<64x1024xf32>
  return %0 : tensor<64x1024xf32>
}
