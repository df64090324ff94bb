// target-cpu: host
// opt-level: 3
// threads: 1
// parallel-bytes: 524288
// streaming-bytes: 1
// input: 131xf32=[0,2,4,1,3,0,2,4,1,3,0,2,4,1,3,0,2,4,1,3,0,2,4,1,3,0,2,4,1,3,0,2,4,1,3,0,2,4,1,3,0,2,4,1,3,0,2,4,1,3,0,2,4,1,3,0,2,4,1,3,0,2,4,1,3,0,2,4,1,3,0,2,4,1,3,0,2,4,1,3,0,2,4,1,3,0,2,4,1,3,0,2,4,1,3,0,2,4,1,3,0,2,4,1,3,0,2,4,1,3,0,2,4,1,3,0,2,4,1,3,0,2,4,1,3,0,2,4,1,3,0]

func.func @main(%v0: tensor<131xf32>) -> (tensor<131xf32>, tensor<131xf32>, tensor<131xf32>) {
  %v1 = meanvar.mvn %v0 axes = [] : tensor<131xf32>
  %v2 = meanvar.mvn %v0 axes = [] inside_sqrt : tensor<131xf32>
  %v3 = math.sqrt %v2 : tensor<131xf32>
  %v4 = meanvar.mvn %v2 axes = [] : tensor<131xf32>
  return %v1, %v3, %v4 : tensor<131xf32>, tensor<131xf32>, tensor<131xf32>
}
