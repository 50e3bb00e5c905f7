/** Reads a secret of the config: a text, `$NAME`, or a reference such as `{ source: "env", id }`; `missing` says why there is none and never holds a secret (gateway facts §3.4). */
export type ReadSecret = (
  value: unknown,
) => Promise<{ readonly value: string } | { readonly missing: string }>
