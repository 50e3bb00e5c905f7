import { globSync, readFileSync } from 'node:fs'

/** Directory of the package that a bundled module comes from, or null for the project's own sources. */
function packageDir(moduleId: string): string | null {
  return /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(moduleId)?.[0] ?? null
}

/** The licence texts of all packages in a bundle, which most of them want to travel with their code. */
export function thirdPartyLicenses(moduleIds: Iterable<string>): string {
  const dirs = new Set<string>()
  for (const id of moduleIds) {
    const dir = packageDir(id)
    if (dir !== null && !id.startsWith('\0')) dirs.add(dir)
  }
  const texts = [...dirs].map((dir) => {
    const { name, version, license } = JSON.parse(readFileSync(`${dir}/package.json`, 'utf8'))
    const [file] = globSync('{LICEN[CS]E,licen[cs]e}*', { cwd: dir })
    const text = file === undefined ? '' : `\n\n${readFileSync(`${dir}/${file}`, 'utf8').trim()}`
    return `${name} ${version} (${license})${text}`
  })
  return `${texts.toSorted().join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}
