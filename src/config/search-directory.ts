/*
 * cosmiconfig's public entry first looks for settings of its own in the working directory: it would run `.config/config.js`
 * of a stranger's checkout, and let its package.json choose another config. Its explorer alone searches where it is told.
 */
import { ExplorerSync } from 'cosmiconfig/dist/ExplorerSync.js'

function present(): true {
  return true
}

/** The first of `names` that is a file in `directory`, or null; contents are not looked at. */
export function searchDirectory(directory: string, names: readonly string[]): string | null {
  const explorer = new ExplorerSync({
    moduleName: 'openclaw',
    searchPlaces: names,
    searchStrategy: 'none',
    loaders: { '.json': present },
    transform: (result) => result,
    ignoreEmptySearchPlaces: false,
    applyPackagePropertyPathToConfiguration: false,
    cache: false,
    metaConfigFilePath: null,
    mergeImportArrays: true,
    mergeSearchPlaces: false,
  })
  return explorer.search(directory)?.filepath ?? null
}
