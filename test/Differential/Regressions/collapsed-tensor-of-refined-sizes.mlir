// Sizes that another operand makes known did not fit the buffer of the output.
// target-cpu: host
// opt-level: 3
// input: 3x2xf32=[[1,2],[3,4],[5,6]]
// input: 3x2xf32=[[1,2],[3,4],[5,7]]

func.func @main(%x: tensor<?x2xf32>, %y: tensor<3x2xf32>) -> (tensor<?x2xf32>, tensor<?xf32>) {
  %0 = math.rsqrt %x : tensor<?x2xf32>
  %c0 = arith.constant 0 : index
  %size = tensor.dim %x, %c0 : tensor<?x2xf32>
  %empty = tensor.empty(%size) : tensor<?x2xf32>
  %1 = linalg.add ins(%0, %y : tensor<?x2xf32>, tensor<3x2xf32>) outs(%empty : tensor<?x2xf32>) -> tensor<?x2xf32>
  %2 = tensor.collapse_shape %0 [[0, 1]] : tensor<?x2xf32> into tensor<?xf32>
  return %1, %2 : tensor<?x2xf32>, tensor<?xf32>
}
