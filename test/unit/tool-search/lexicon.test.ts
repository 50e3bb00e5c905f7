import { expect, test } from 'vitest'
import { abbreviations } from '../../../src/tool-search/lexicon/abbreviations.ts'
import { foreignActions } from '../../../src/tool-search/lexicon/foreign-actions.ts'
import { foreignComputing } from '../../../src/tool-search/lexicon/foreign-computing.ts'
import { foreignEveryday } from '../../../src/tool-search/lexicon/foreign-everyday.ts'
import { wordForms } from '../../../src/tool-search/lexicon/forms.ts'
import { topics } from '../../../src/tool-search/lexicon/topics.ts'
import { readRun, readWords } from '../../../src/tool-search/foreign.ts'
import { stem } from '../../../src/tool-search/porter2.ts'
import { relatedTerms } from '../../../src/tool-search/synonyms.ts'

const rows = (text: string): string[] => text.trim().split('\n')

test('every row of the foreign lexicon has an English column and eight languages', () => {
  const wrong = rows(
    [foreignActions, foreignComputing, foreignEveryday].map((text) => text.trim()).join('\n'),
  ).filter((row) => row.split('|').length !== 9 || !/^[a-z /]+$/.test(row.split('|')[0] ?? ''))
  expect(wrong).toEqual([])
})

test('every row of the directed lexicons has two sides', () => {
  expect(
    [...rows(abbreviations), ...rows(topics)].filter((row) => !/^[a-z0-9 ]+: [a-z0-9 ]+$/.test(row)),
  ).toEqual([])
})

test('every form in the lexicon is one that the stemmer keeps apart', () => {
  const wrong = rows(wordForms).filter((row) => {
    const forms = row.split(' ')
    return forms.length < 2 || new Set(forms.map(stem)).size !== forms.length
  })
  expect(wrong).toEqual([])
})

test('synonyms are mutual, abbreviations and topics go one way', () => {
  const of = (term: string): string[] => relatedTerms(term).map((related) => related.term)
  expect(of('folder')).toContain('directori')
  expect(of('directori')).toContain('folder')
  expect(of('mkdir')).toEqual(['creat', 'directori'])
  expect(of('creat')).not.toContain('mkdir')
  expect(of('umbrella')).toContain('weather')
  expect(of('weather')).not.toContain('umbrella')
})

test.each([
  [
    '查询美元兑欧元的汇率',
    '查询=query/search/get/query 美元=dollar/usd 兑=exchange 欧元=euro/eur 汇率=exchange rate',
  ],
  ['グラフを作成する', 'グラフ=chart/graph/graph 作成=create/make/new/add'],
  ['파일을 삭제', '파일=file'],
])('%s', (run, expected) => {
  const found = readRun(run.split(' ')[0] ?? '').map(
    ({ from, length, readings }) =>
      `${run.slice(from, from + length)}=${readings.map((words) => words.join(' ')).join('/')}`,
  )
  expect(found.join(' ')).toBe(expected)
})

test.each([
  ['crear una carpeta nueva', 'es'],
  ['einen neuen ordner anlegen', 'de'],
  ['creer un nouveau dossier', 'fr'],
  ['criar uma nova pasta', 'pt'],
  ['создать новую папку', 'ru'],
  ['створити нову папку з іменем', undefined],
  ['create a new folder', undefined],
  ['list all files in the directory', undefined],
  ['git log', undefined],
  ['die roll', undefined],
])('%s is read as %s', (query, language) => {
  const english = new Set(['a', 'all', 'in', 'the'])
  const known = new Set(['create', 'new', 'folder', 'list', 'files', 'directory', 'git', 'log', 'roll'])
  const read = readWords(
    query.split(' '),
    (word) => known.has(word),
    (word) => english.has(word),
  )
  expect(read?.language).toBe(language)
})
