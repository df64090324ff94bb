// Cepstral mean and variance normalization: each coefficient of an utterance over all of
// its frames, however many.
func.func @normalize(%features: tensor<?x13xf32>) -> tensor<?x13xf32> {
  %0 = meanvar.mvn %features axes = [0] : tensor<?x13xf32>
  return %0 : tensor<?x13xf32>
}
