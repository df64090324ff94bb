// target-cpu: host
// opt-level: 3
// threads: 1
// parallel-bytes: 524288
// input: 2x2xf32=[[0,2],[4,1]]
// input: 2x2xf32=[[0,2],[4,1]]
// input: 2x2xf32=[[0,2],[4,1]]

func.func @main(%v0: tensor<2x2xf32>, %v2: tensor<2x?xf32>, %v3: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x?xf32>) {
  %t0 = arith.constant 2.00000000000000000e+00 : f32
  %t1 = tensor.splat %t0 : tensor<2x2xf32>
  %v1 = arith.addf %v0, %t1 : tensor<2x2xf32>
  %t2 = tensor.empty() : tensor<2x2xf32>
  %v4 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v1, %v2, %v3 : tensor<2x2xf32>, tensor<2x?xf32>, tensor<2x2xf32>) outs(%t2 : tensor<2x2xf32>) {
  ^bb0(%x: f32, %s: f32, %b: f32, %o: f32):
    %p = arith.mulf %x, %s : f32
    %r = arith.addf %p, %b : f32
    linalg.yield %r : f32
  } -> tensor<2x2xf32>
  %v5 = meanvar.mvn %v2 axes = [0] : tensor<2x?xf32>
  return %v4, %v5 : tensor<2x2xf32>, tensor<2x?xf32>
}
