import { expect, test } from 'vitest'
import { stem } from '../../../src/tool-search/porter2.ts'

// Pairs of word and stem as the published algorithm gives them, at least one per step and exception.
const table = `
  caresses caress    ponies poni          ties tie             cries cri            gas gas            gaps gap
  kiwis kiwi         bus bus              succeed succeed      agreed agre          feed feed          luxuriated luxuri
  hopping hop        hoping hope          falling fall         filing file          egged egg          added add
  cry cri            by by                say say              enjoy enjoy          generically generic
  digitizer digit    operator oper        conditional condit   sensibility sensibl  happiness happi    hopefulness hope
  vietnamization vietnam  formative format  triplicate triplic  replacement replac  adjustment adjust  adoption adopt
  probate probat     rate rate            controller control   rolling roll         nephrologist nephrolog
  organization organiz  organ organ       university universiti  universal universal emergency emergenc  emerge emerg
  internal internal  intern intern        skies sky            dying die            news news          proceed proceed
  a a                is is                été été              s3 s3
`
const pairs = table.trim().split(/\s+/)

test.each(pairs.flatMap((word, at) => (at % 2 === 0 ? [[word, pairs[at + 1]]] : [])))(
  '%s becomes %s',
  (word, stemmed) => {
    expect(stem(word ?? '')).toBe(stemmed)
  },
)

test.each([
  'create creates created creating',
  'list lists listed listing',
  'repository repositories',
  'delete deleted deleting',
])('forms of one word share a stem: %s', (forms) => {
  expect(new Set(forms.split(' ').map(stem)).size).toBe(1)
})
