/** Names of NumPy that programs here use most, for completion. */
export const NUMPY_NAMES = (
  "abs all allclose any arange argmax argmin argsort array asarray atleast_1d atleast_2d bincount bool_ " +
  "broadcast_to ceil clip concatenate copy cos cumprod cumsum diag diff divide dot dtype einsum empty " +
  "empty_like exp expand_dims expm1 eye flip float32 float64 floor full full_like gradient hstack hypot " +
  "identity inf int64 interp isclose isfinite isinf isnan linalg linspace log log10 log1p log2 logaddexp " +
  "matmul max maximum mean median min minimum moveaxis multiply nan nan_to_num ndarray newaxis nonzero ones " +
  "ones_like outer pad percentile pi power prod quantile ravel repeat reshape roll round searchsorted sign " +
  "sin sort split sqrt square squeeze stack std subtract sum swapaxes take tanh tensordot tile trace " +
  "transpose tril triu unique var vdot vstack where zeros zeros_like"
).split(" ");
