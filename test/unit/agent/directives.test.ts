import { expect, test } from 'vitest'
import { takeDirective } from '../../../src/agent/directives.ts'

test.each([
  ['/elevated', '', null, true],
  ['  /elevated  ', '', null, true],
  ['/elevated full', '', 'full', true],
  ['/Elevated: ON', '', 'on', true],
  ['/elev ask', '', 'ask', true],
  ['/elevated banana', '', 'banana', true],
  ['/elevated full restart the server', 'restart the server', 'full', false],
  ['please /elevated ask restart it', 'please restart it', 'ask', false],
  ['restart it /elevated off', 'restart it', 'off', false],
  ['/elevated on /elevated full go', 'go', 'full', false],
  ['/elevated full\nrestart it\nnow', 'restart it\nnow', 'full', false],
  ['\n\n/elevated full go', 'go', 'full', false],
])('takes the order out of %j', (message, text, word, alone) => {
  expect(takeDirective(message)).toEqual({ text, directive: { word, alone } })
})

test.each([
  'what does /elevated do?',
  'the docs say `/elevated full`',
  'x/elevated full',
  '/elevatedfull',
  'go /elevated fully now',
  'look at this:\n/elevated full',
  'a patch\n\n+ /elevated full\n',
  '',
])('leaves %j as it is', (message) => {
  expect(takeDirective(message)).toEqual({ text: message, directive: null })
})
