/** Globals of the language itself that a snippet may use; code generation is off, and nothing here waits, shares or collects. */
export const languageGlobals: readonly string[] = `
  globalThis Infinity NaN undefined eval isFinite isNaN parseFloat parseInt
  decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape
  Object Function Boolean Symbol Number BigInt Math Date Temporal Intl String RegExp JSON
  Error AggregateError EvalError RangeError ReferenceError SuppressedError SyntaxError TypeError URIError
  Promise Reflect Proxy Iterator DisposableStack AsyncDisposableStack
  Array ArrayBuffer DataView Map Set WeakMap WeakSet
  Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array
  BigInt64Array BigUint64Array Float16Array Float32Array Float64Array
`
  .trim()
  .split(/\s+/)
