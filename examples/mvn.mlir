// Normalizes each row of a matrix: mean 0, standard deviation 1.
func.func @mvn(%x: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  %0 = meanvar.mvn %x axes = [1] : tensor<1024x1024xf32>
  return %0 : tensor<1024x1024xf32>
}
