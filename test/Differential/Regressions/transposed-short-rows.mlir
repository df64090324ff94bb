// target-cpu: host
// opt-level: 3
// threads: 1
// parallel-bytes: 524288
// streaming-bytes: 8388608
// input: 8x4xf64=[[0,2,4,1],[3,0,2,4],[1,3,0,2],[4,1,3,0],[2,4,1,3],[0,2,4,1],[3,0,2,4],[1,3,0,2]]
// input: 4x1xf64=[[0],[2],[4],[1]]
// input: 4x8xf64=[[0,2,4,1,3,0,2,4],[1,3,0,2,4,1,3,0],[2,4,1,3,0,2,4,1],[3,0,2,4,1,3,0,2]]

func.func @main(%v0: tensor<8x4xf64>, %v3: tensor<4x1xf64>, %v4: tensor<4x8xf64>) -> (tensor<2x2xf64>, tensor<4x8xf64>) {
  %t0 = tensor.empty() : tensor<4x8xf64>
  %v1 = linalg.transpose ins(%v0 : tensor<8x4xf64>) outs(%t0 : tensor<4x8xf64>) permutation = [1, 0]
  %v2 = tensor.extract_slice %v1 [0, 5] [2, 2] [2, 2] : tensor<4x8xf64> to tensor<2x2xf64>
  %v5 = meanvar.mean %v1, %v1, %v3, %v4, %v4, %v4 : (tensor<4x8xf64>, tensor<4x8xf64>, tensor<4x1xf64>, tensor<4x8xf64>, tensor<4x8xf64>, tensor<4x8xf64>) -> tensor<4x8xf64>
  %v6 = meanvar.mvn %v5 axes = [] : tensor<4x8xf64>
  %v7 = meanvar.mvn %v6 axes = [] : tensor<4x8xf64>
  return %v2, %v7 : tensor<2x2xf64>, tensor<4x8xf64>
}
