func.func @mvn(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = meanvar.mvn %x axes = [1] : tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
