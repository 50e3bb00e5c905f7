/** A repeatable source of numbers in [0, 1): a failing run is replayed from its printed seed. */
export function random(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x9e37_79b9) >>> 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0_aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a_2d97)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
  }
}

/** Size of a property run: the whole under OPENCLAW_TEST_FULL=1, else a twentieth. */
export function runs(whole: number): number {
  return process.env['OPENCLAW_TEST_FULL'] === '1' ? whole : Math.ceil(whole / 20)
}

/** The seed of a run, printed so that a failure can be replayed with OPENCLAW_TEST_SEED. */
export function seedOf(name: string): number {
  const given = process.env['OPENCLAW_TEST_SEED']
  const seed = given === undefined ? Math.floor(Math.random() * 2 ** 32) : Number(given)
  process.stdout.write(`${name}: OPENCLAW_TEST_SEED=${seed}\n`)
  return seed
}

/** Ends a run whose law does not hold, with what is needed to see why. */
export function law(holds: boolean, where: string): void {
  if (!holds) throw new Error(`the law is broken: ${where}`)
}
