/** Lines that one read returns unless told otherwise, and at most. */
export const readLines = 2_000
export const mostReadLines = 20_000

/** Bytes of text that one read returns. */
export const readBytes = 50 * 1024

/** Bytes of an image that is handed to a model. */
export const imageBytes = 5 * 1024 * 1024

/** Bytes of a file that is held in memory: to be edited, patched, or counted in lines. */
export const wholeBytes = 16 * 1024 * 1024

/** Bytes of a larger file that are looked through for the first line that is wanted. */
export const scanBytes = 256 * 1024 * 1024

/** Entries that one listing returns unless told otherwise, and at most; entries of a directory that are looked at. */
export const listEntries = 500
export const mostListEntries = 5_000
export const mostDirectoryEntries = 100_000
