func.func @matrix(%x: tensor<10x16xf32>) -> tensor<10x16xf32> {
  return %x : tensor<10x16xf32>
}
