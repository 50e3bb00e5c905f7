import { describe, expect, test } from 'vitest'
import { buildIndex } from '../../../src/tool-search/index.ts'
import { rank } from '../../../src/tool-search/rank.ts'
import { search } from '../../../src/tool-search/search.ts'
import { index, mcp, plugin } from './fixtures.ts'

function names(query: string, limit = 3): string[] {
  return rank(index, query, { limit }).hits.map((hit) => hit.name)
}

describe('the best tool for a query', () => {
  test.each([
    // plain words, inflected and split
    ['create a branch', 'git__git_create_branch'],
    ['creating branches', 'git__git_create_branch'],
    ['show commits', 'git__git_log'],
    ['containers', 'docker__list-containers'],
    ['hacker news stories', 'hackernews__getStories'],
    // parameters of trusted tools, their listed values
    ['attachment', 'send_email'],
    ['urgent', 'send_email'],
    // other words for it
    ['new folder', 'filesystem__create_directory'],
    ['mkdir', 'filesystem__create_directory'],
    ['ls', 'filesystem__list_directory'],
    ['do I need an umbrella, will it rain', 'weather__get_forecast'],
    // slips of the pen
    ['git brnach', 'git__git_create_branch'],
    ['wether forcast', 'weather__get_forecast'],
    ['dokcer', 'docker__list-containers'],
    ['hackernewss', 'hackernews__getStories'],
    ['contain', 'docker__list-containers'],
    // a path is a value, not a wish
    ['write the summary to /var/docker/weather/notes.md', 'filesystem__write_file'],
    // an identifier inside a sentence names a tool
    ['please use sessions_spawn for the weather forecast', 'sessions_spawn'],
  ])('%s', (query, expected) => {
    expect(names(query)[0]).toBe(expected)
  })

  test.each([
    ['zh', '列出所有容器', 'docker__list-containers'],
    ['zh', '新建文件夹', 'filesystem__create_directory'],
    ['zh', '天气预报', 'weather__get_forecast'],
    ['zh', '汇率', 'exchange__exchange_rate'],
    ['ja', '新しいブランチを作成する', 'git__git_create_branch'],
    ['ja', 'フォルダを作る', 'filesystem__create_directory'],
    ['ko', '날씨 예보를 보여줘', 'weather__get_forecast'],
    ['de', 'Wettervorhersage für morgen', 'weather__get_forecast'],
    ['de', 'einen neuen Ordner anlegen', 'filesystem__create_directory'],
    ['de', 'Kreisdiagramm erstellen', 'charts__generate_pie_chart'],
    ['es', 'crear una rama nueva', 'git__git_create_branch'],
    ['es', 'enviar un correo electrónico', 'send_email'],
    ['fr', 'créer un nouveau dossier', 'filesystem__create_directory'],
    ['pt', 'enviar uma mensagem por e-mail', 'send_email'],
    ['ru', 'создать новую папку', 'filesystem__create_directory'],
    ['a Chinese tool for English words', 'trending topics', 'news__get-hot'],
  ])('%s: %s', (_language, query, expected) => {
    expect(names(query)[0]).toBe(expected)
  })
})

describe('exact names and ids', () => {
  const twins = buildIndex([
    plugin('a', 'the', 'The article'),
    plugin('b', 'search', 'Look for search in search engines'),
    plugin('c', 'search_all', 'search search search'),
    plugin('d', '查询', 'Look something up'),
    plugin('e', 'Read', 'A reader'),
    plugin('f', 'read', 'Another reader'),
    mcp('files', 'read', 'A third reader'),
    plugin('g', 'openclaw:b:search', 'A tool named like the id of another'),
    plugin('h', '/tmp/x.txt', 'A tool named like a path'),
  ])

  test.each([
    ['the', 'openclaw:a:the'],
    ['search', 'openclaw:b:search'],
    ['查询', 'openclaw:d:查询'],
    ['Read', 'openclaw:e:Read'],
    ['read', 'openclaw:f:read'],
    ['files__read', 'mcp:files:files__read'],
    ['FILES__READ', 'mcp:files:files__read'],
    ['  files__read ', 'mcp:files:files__read'],
    ['mcp:files:files__read', 'mcp:files:files__read'],
    ['openclaw:c:search_all', 'openclaw:c:search_all'],
    ['openclaw:b:search', 'openclaw:g:openclaw:b:search'],
    ['/tmp/x.txt', 'openclaw:h:/tmp/x.txt'],
  ])('%s', (query, id) => {
    expect(rank(twins, query, { limit: 1 }).hits[0]?.id).toBe(id)
  })

  test('the name without its server prefix finds the tool before others', () => {
    expect(names('git_create_branch')[0]).toBe('git__git_create_branch')
  })
})

describe('no hits', () => {
  test.each([
    ['', 'no-usable-terms'],
    ['   ', 'no-usable-terms'],
    ['the of and please', 'no-usable-terms'],
    ['?! …', 'no-usable-terms'],
    ['запустити підагента', 'no-usable-terms'],
    ['ค้นหาไฟล์', 'no-usable-terms'],
    ['zzyzx', 'no-match'],
    ['qwrtz plmk', 'no-match'],
  ])('%j: %s', (query, reason) => {
    expect(rank(index, query, { limit: 8 })).toEqual({ hits: [], total: 0, reason })
  })

  test('an exact name inside a query without usable terms still hits', () => {
    expect(names('запустити sessions_spawn')).toEqual(['sessions_spawn'])
  })

  test('an empty catalogue', () => {
    expect(rank(buildIndex([]), 'weather', { limit: 8 })).toEqual({ hits: [], total: 0, reason: 'no-match' })
  })
})

describe('misspelt names, when no word matches', () => {
  test.each([
    ['gitcreatbrnch', 'git__git_create_branch'],
    ['exchngrate', 'exchange__exchange_rate'],
    ['sesionspawn', 'sessions_spawn'],
  ])('%s', async (query, expected) => {
    expect(rank(index, query, { limit: 3 }).reason).toBe('no-match')
    expect((await search(index, query, { limit: 3 })).hits[0]?.name).toBe(expected)
  })

  test('nonsense stays without hits', async () => {
    expect(await search(index, 'zzyzx', { limit: 3 })).toEqual({ hits: [], total: 0, reason: 'no-match' })
  })
})

describe('shares of sources', () => {
  const noisy = buildIndex([
    ...Array.from({ length: 30 }, (_, at) => mcp('noisy', `find_report_${at}`, 'Find a report')),
    mcp('quiet', 'find_report_99', 'Find a report'),
    mcp('other', 'unrelated', 'Bake bread'),
  ])

  test('a noisy server leaves room for a nearly equal hit of another', () => {
    const { hits, total } = rank(noisy, 'find report', { limit: 8 })
    expect(hits.map((hit) => hit.name)).toContain('quiet__find_report_99')
    expect(hits).toHaveLength(8)
    expect(total).toBe(31)
  })

  test('but not for a poor one', () => {
    const poor = buildIndex([
      ...Array.from({ length: 30 }, (_, at) => mcp('noisy', `find_report_${at}`, 'Find a report')),
      mcp(
        'quiet',
        'bake_bread',
        'Bake bread. It takes hours to find good flour for each and every single loaf',
      ),
    ])
    expect(rank(poor, 'find report', { limit: 8 }).hits.every((hit) => hit.name.startsWith('noisy__'))).toBe(
      true,
    )
  })

  test('scores never rise down the list', () => {
    const scores = rank(noisy, 'find report', { limit: 20 }).hits.map((hit) => hit.score)
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
  })
})

test('several wishes in one query are all served', () => {
  const found = names(
    'What will the weather be tomorrow in the city? And then send an email message with the forecast to my boss.',
    4,
  )
  expect(found).toEqual(expect.arrayContaining(['weather__get_forecast', 'send_email']))
})

describe('a server with hundreds of tools that all say the same', () => {
  const noisy = Array.from({ length: 300 }, (_, at) =>
    mcp('noisy', `issue_${at}`, `Create a GitHub issue fast ${at}`),
  )
  const crowd = buildIndex([
    ...noisy,
    plugin('github', 'gh_create_issue', 'Create a GitHub issue'),
    plugin('other', 'start_server', 'Start something'),
  ])

  test.each(['create a github issue', 'crate githb isue'])(
    'leaves room for one that fits as well: %s',
    (query) => {
      const { hits } = rank(crowd, query, { limit: 8 })
      expect(hits.map(({ name }) => name).indexOf('gh_create_issue')).toBe(4)
      const scores = hits.map(({ score }) => score)
      expect(scores).toEqual(scores.toSorted((a, b) => b - a))
    },
  )

  test('is not beaten by a tool that has a rarer synonym of one word alone', () => {
    const { hits } = rank(crowd, 'create a github issue', { limit: 8 })
    expect(hits.map(({ name }) => name)).not.toContain('start_server')
  })
})

describe('words that the stemmer keeps apart, and values of a known shape', () => {
  const near = buildIndex([
    plugin('a', 'discovery_log', 'Tells who made a discovery'),
    plugin('b', 'radium_prices', 'Prices of radium'),
    plugin('d', 'tower_height', 'The height of a tower'),
    plugin('c', 'tower_age', 'The age of a tower'),
    plugin('e', 'weather_now', 'Weather of a city', { parameters: [{ name: 'city' }, { name: 'unit' }] }),
    plugin('f', 'weather_then', 'Weather of a city', { parameters: [{ name: 'city' }, { name: 'date' }] }),
  ])

  test.each([
    ['who discovered this', 'discovery_log'],
    ['how high is this tower', 'tower_height'],
    ['weather in the city', 'weather_now'],
    ['weather in the city on March 8th', 'weather_then'],
  ])('%s', (query, expected) => {
    expect(rank(near, query, { limit: 3 }).hits[0]?.name).toBe(expected)
  })
})

test.each(['töol', 'bad name!', 'mcp:cat:töol', 'cat__t-ol'])(
  'the name that a server gave its tool finds it first: %s',
  (query) => {
    const renamed = buildIndex([
      { ...mcp('cat', 't-ol', 'Odd'), id: 'mcp:cat:töol' },
      { ...mcp('cat', 'bad-name-', 'Bad name'), id: 'mcp:cat:bad name!' },
      plugin('shed', 'tool_bad_name', 'A tool of a bad name'),
      plugin('shed', 'tool', 'A tool'),
    ])
    const expected = query === 'bad name!' ? 'mcp:cat:bad name!' : 'mcp:cat:töol'
    expect(rank(renamed, query, { limit: 3 }).hits[0]?.id).toBe(expected)
  },
)
