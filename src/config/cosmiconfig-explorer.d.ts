/** The part of cosmiconfig that its own declarations leave out. */
declare module 'cosmiconfig/dist/ExplorerSync.js' {
  interface Found {
    readonly filepath: string
  }

  export class ExplorerSync {
    constructor(options: {
      readonly moduleName: string
      readonly searchPlaces: readonly string[]
      readonly searchStrategy: 'none'
      readonly loaders: Readonly<Record<string, (filepath: string, content: string) => unknown>>
      readonly transform: (result: Found | null) => Found | null
      readonly ignoreEmptySearchPlaces: boolean
      readonly applyPackagePropertyPathToConfiguration: boolean
      readonly cache: boolean
      readonly metaConfigFilePath: null
      readonly mergeImportArrays: boolean
      readonly mergeSearchPlaces: boolean
    })
    search(from: string): Found | null
  }
}
