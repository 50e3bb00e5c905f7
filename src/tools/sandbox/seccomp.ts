/*
 * A sandbox that is started by root runs as root's own user outside its namespaces: what namespaces do not cover (keyrings, a set-user-id bit
 * that stays on a file of the workspace, a terminal that is shared) has to be refused by the kernel at the call.
 */

/** What a call is refused for: always, or if one of its arguments has one of these bits, or is this value. */
type Rule =
  | readonly [number: number]
  | readonly [number: number, argument: number, test: 'bits' | 'is', value: number]

interface Machine {
  readonly audit: number
  /** Calls that fail as if they were not allowed. */
  readonly refused: readonly Rule[]
  /** Calls that fail as if the kernel were too old for them, so that libraries take the way that can be judged. */
  readonly absent: readonly number[]
  /** Bit of calls in another numbering, all of which are refused. */
  readonly foreign: number | null
}

const setId = 0o6000
const newUserNamespace = 0x1000_0000
const [TIOCSTI, TIOCLINUX] = [0x5412, 0x541c]

const always = (...numbers: readonly number[]): Rule[] => numbers.map((number) => [number] as const)

/** The same numbers everywhere: io_uring, new mounts, memory of others, landed after the tables were joined. */
const joined = [425, 426, 427, 428, 429, 430, 431, 432, 433, 442]

const machines: Readonly<Record<string, Machine>> = {
  x64: {
    audit: 0xc000_003e,
    refused: [
      // keyrings; modules, kexec, reboot, swap, accounting, quota, log; mounts and namespaces; bpf, perf, userfaultfd; handles
      ...always(248, 249, 250, 175, 313, 176, 246, 320, 169, 167, 168, 163, 179, 103),
      ...always(165, 166, 155, 308, 321, 298, 323, 303, 304, 153, 161, 212, ...joined),
      [16, 1, 'is', TIOCSTI],
      [16, 1, 'is', TIOCLINUX],
      [56, 0, 'bits', newUserNamespace],
      [272, 0, 'bits', newUserNamespace],
      [90, 1, 'bits', setId],
      [91, 1, 'bits', setId],
      [268, 2, 'bits', setId],
      [452, 2, 'bits', setId],
      [85, 1, 'bits', setId],
      [2, 2, 'bits', setId],
      [257, 3, 'bits', setId],
      [133, 1, 'bits', setId],
      [259, 2, 'bits', setId],
    ],
    absent: [435, 437],
    foreign: 0x4000_0000,
  },
  arm64: {
    audit: 0xc000_00b7,
    refused: [
      ...always(217, 218, 219, 105, 273, 106, 104, 294, 142, 224, 225, 89, 60, 116),
      ...always(40, 39, 41, 268, 280, 241, 282, 264, 265, 58, 51, ...joined),
      [29, 1, 'is', TIOCSTI],
      [29, 1, 'is', TIOCLINUX],
      [220, 0, 'bits', newUserNamespace],
      [97, 0, 'bits', newUserNamespace],
      [52, 1, 'bits', setId],
      [53, 2, 'bits', setId],
      [452, 2, 'bits', setId],
      [56, 3, 'bits', setId],
      [33, 2, 'bits', setId],
    ],
    absent: [435, 437],
    foreign: null,
  },
}

const op = { load: 0x20, equal: 0x15, atLeast: 0x35, bits: 0x45, end: 0x06 } as const
const [allowed, notPermitted, notThere] = [0x7fff_0000, 0x0005_0001, 0x0005_0026]

type Instruction = readonly [code: number, then: number, otherwise: number, value: number]

const loadNumber: Instruction = [op.load, 0, 0, 0]

/** The filter as the kernel takes it (classic BPF over `seccomp_data`, little-endian); null for a machine whose numbers are not known here. */
export function seccompFilter(arch: string): Uint8Array | null {
  const machine = Object.hasOwn(machines, arch) ? machines[arch] : undefined
  if (machine === undefined) return null
  const { audit, refused, absent, foreign } = machine
  const refuse: Instruction = [op.end, 0, 0, notPermitted]
  const program: Instruction[] = [
    [op.load, 0, 0, 4],
    [op.equal, 1, 0, audit],
    refuse,
    loadNumber,
    ...(foreign === null ? [] : [[op.atLeast, 0, 1, foreign] as const, refuse]),
    ...absent.flatMap((number): Instruction[] => [
      [op.equal, 0, 1, number],
      [op.end, 0, 0, notThere],
    ]),
    ...refused.flatMap(instructions),
    [op.end, 0, 0, allowed],
  ]
  const bytes = new DataView(new ArrayBuffer(program.length * 8))
  for (const [index, [code, then, otherwise, value]] of program.entries()) {
    const at = index * 8
    bytes.setUint16(at, code, true)
    bytes.setUint8(at + 2, then)
    bytes.setUint8(at + 3, otherwise)
    bytes.setUint32(at + 4, value, true)
  }
  return new Uint8Array(bytes.buffer)
}

function instructions(rule: Rule): Instruction[] {
  const [number] = rule
  const refuse: Instruction = [op.end, 0, 0, notPermitted]
  if (rule.length === 1) return [[op.equal, 0, 1, number], refuse]
  const [, argument, test, value] = rule
  return [
    [op.equal, 0, 4, number],
    // The low half of the argument: modes, flags and requests are 32 bits wide.
    [op.load, 0, 0, 16 + 8 * argument],
    [test === 'bits' ? op.bits : op.equal, 0, 1, value],
    refuse,
    loadNumber,
  ]
}
