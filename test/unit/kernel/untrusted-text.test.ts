import { expect, test } from 'vitest'
import {
  cleanLine,
  cleanText,
  hasHiddenCharacters,
  showName,
  showText,
} from '../../../src/kernel/untrusted-text.ts'

test.each([
  ['plain text stays', 'Reads a file.', 'Reads a file.'],
  ['line breaks and tabs stay', 'a\n\tb', 'a\n\tb'],
  ['foreign line breaks become ours', 'a\r\nb\rc\u2028d\u2029e\u0085f', 'a\nb\nc\nd\ne\nf'],
  ['colour sequences go whole', 'a\u001B[31mred\u001B[0m', 'ared'],
  ['8-bit colour sequences too', 'a\u009B31mred', 'ared'],
  ['a title sequence goes with its text', 'a\u001B]0;owned\u0007b', 'ab'],
  ['a link sequence goes', '\u001B]8;;http://x.test\u001B\\here\u001B]8;;\u001B\\', 'here'],
  ['other control characters go', 'a\u0000\u0008\u007Fb', 'ab'],
  ['bidi overrides go', 'safe\u202Egpj.exe', 'safegpj.exe'],
  ['bidi isolates go', 'a\u2066b\u2069', 'ab'],
  ['zero-width characters go', 'a\u200Bb\uFEFFc', 'abc'],
  ['tag characters go', 'hi\u{E0049}\u{E0067}', 'hi'],
  ['joiners of scripts and emoji stay', '👩\u200D🚀 नि\u200Dत', '👩\u200D🚀 नि\u200Dत'],
  ['emoji stay', '🚀', '🚀'],
  ['half an emoji is replaced', 'a\uD83Db', 'a\uFFFDb'],
])('clean text: %s', (_name, text, expected) => {
  expect(cleanText(text, 200)).toBe(expected)
})

test.each([
  ['at the limit', 'abcde', 5, 'abcde'],
  ['past the limit', 'abcdef', 5, 'abcd…'],
  ['not inside an emoji', 'abc🚀def', 5, 'abc…'],
  ['a megabyte', 'x'.repeat(1e6), 4, 'xxx…'],
])('cut: %s', (_name, text, limit, expected) => {
  expect(cleanText(text, limit)).toBe(expected)
  expect(cleanText(text, limit).length).toBeLessThanOrEqual(limit)
})

test('a line has no breaks', () => {
  expect(cleanLine(' a\n  b\t\u001B[1mc ', 20)).toBe('a b c')
})

test.each([
  ['read_file', 'read_file'],
  ['töol', 'töol'],
  ['a\u001B[31m', 'a\\u{1b}[31m'],
  ['a\nb', 'a\\u{a}b'],
  ['a\u202Eb', 'a\\u{202e}b'],
  ['a\uD83D', 'a\\u{d83d}'],
])('show a name: %j', (name, shown) => {
  expect(showName(name)).toBe(shown)
  expect(hasHiddenCharacters(name)).toBe(name !== shown)
})

test('a shown name is bounded', () => {
  expect(showName('x'.repeat(1000), 10)).toBe('xxxxxxxxx…')
})

test.each([
  ['plain text, lines and tabs stay', 'a\n\tb – é 🚀', false, 'a\n\tb – é 🚀'],
  ['colours stay where there are any', '\u001B[31mred\u001B[39m', true, '\u001B[31mred\u001B[39m'],
  ['and nowhere else', '\u001B[31mred', false, '\\u{1b}[31mred'],
  ['no other sequence does', '\u001B[2J\u001B]0;x\u0007', true, '\\u{1b}[2J\\u{1b}]0;x\\u{7}'],
  ['the cursor stays where it is', 'a\rb\u0008c', true, 'a\\u{d}b\\u{8}c'],
  ['the direction stays', 'a\u202Eb', true, 'a\\u{202e}b'],
  ['what is not seen is written', 'a\u{E0041}b', true, 'a\\u{e0041}b'],
])('shown text: %s', (_name, text, color, expected) => {
  expect(showText(text, color)).toBe(expected)
})
