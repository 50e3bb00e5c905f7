import { createDocument, scanDocument } from '../../config/document.ts'
import { findConfig } from '../../config/find.ts'
import { loadConfig, type LoadedConfig, type LoadOptions } from '../../config/load.ts'
import { maxRootBytes, readText } from '../../config/read.ts'
import { OpenClawError } from '../../kernel/errors.ts'

function isUnreadable(error: unknown): error is OpenClawError {
  return (
    error instanceof OpenClawError && (error.code === 'CONFIG_INVALID' || error.code === 'INCLUDE_INVALID')
  )
}

function explainUnreadable(error: OpenClawError): OpenClawError {
  const message = `${error.message}\na config that cannot be read is not edited; nothing was written`
  return new OpenClawError(error.code, message, {
    hints: [...error.hints, 'openclaw config edit opens the file, to mend this place by hand'],
    data: error.data,
    cause: error,
  })
}

/** Hands the config over as scanned, where it has to be scanned for editing anyway: that says what another parser would say again. */
async function withScan(load: LoadOptions): Promise<LoadOptions> {
  const { file, exists } = await findConfig(load)
  if (!exists) return load
  const text = readText(file, maxRootBytes, (problem, hint) => {
    return new OpenClawError('CONFIG_INVALID', `config file ${file} ${problem}`, {
      hints: [hint],
      data: { file },
    })
  })
  const document = scanDocument(file, text)
  return document === null ? load : { ...load, documents: new Map([[file, document]]) }
}

/** Loads the config that is to be changed. A plan that replaces texts as a whole can do with one that cannot be read. */
export async function openForEdit(
  load: LoadOptions,
  mends: boolean,
): Promise<{ loaded: LoadedConfig; readable: boolean }> {
  try {
    return { loaded: await loadConfig(await withScan(load)), readable: true }
  } catch (error) {
    if (!isUnreadable(error)) throw error
    if (!mends) throw explainUnreadable(error)
    const { file } = await findConfig(load)
    const broken = createDocument(
      file,
      readText(file, maxRootBytes, () => error),
      {},
    )
    return { loaded: await loadConfig({ ...load, documents: new Map([[file, broken]]) }), readable: false }
  }
}
