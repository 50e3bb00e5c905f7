import type { EditionId } from '../edition.ts'
import type { CoreToolSpecs } from './spec.ts'

const hit = {
  type: 'object',
  properties: {
    path: { type: 'string' },
    startLine: { type: 'integer' },
    endLine: { type: 'integer' },
    score: { type: 'number' },
    snippet: { type: 'string' },
    citation: { type: 'string' },
    source: { const: 'memory' },
  },
  required: ['path', 'startLine', 'endLine', 'score', 'snippet', 'citation', 'source'],
}

/** Inputs of the memory tools in an edition. */
export function memoryTools(_edition: EditionId): CoreToolSpecs {
  return {
    memory_search: {
      parameters: {
        type: 'object',
        properties: {
          query: { type: 'string', minLength: 1, description: 'What to look for, in your own words.' },
          maxResults: {
            type: 'integer',
            minimum: 1,
            maximum: 20,
            description: 'Passages wanted; 6 unless told.',
          },
          minScore: {
            type: 'number',
            minimum: 0,
            maximum: 1,
            description: 'Leaves out passages below this share of the best score.',
          },
        },
        required: ['query'],
        additionalProperties: false,
      },
      outputSchema: {
        type: 'object',
        properties: {
          results: { type: 'array', items: hit },
          total: { type: 'integer', description: 'Passages that match at all.' },
          files: { type: 'integer', description: 'Files that were searched.' },
          skipped: { type: 'array', items: { type: 'string' }, description: 'Files that were too large.' },
        },
        required: ['results', 'total', 'files', 'skipped'],
      },
      executionMode: 'parallel',
      risk: 'low',
    },
    memory_get: {
      parameters: {
        type: 'object',
        properties: {
          path: {
            type: 'string',
            minLength: 1,
            description: 'A memory file as memory_search names it: MEMORY.md or memory/….md.',
          },
          from: { type: 'integer', minimum: 1, description: 'First line, from 1; 1 unless told.' },
          lines: {
            type: 'integer',
            minimum: 1,
            maximum: 2000,
            description: 'Lines wanted; 200 unless told.',
          },
        },
        required: ['path'],
        additionalProperties: false,
      },
      outputSchema: {
        type: 'object',
        properties: {
          path: { type: 'string' },
          exists: { type: 'boolean' },
          from: { type: 'integer' },
          lines: { type: 'integer', description: 'Lines that are given.' },
          totalLines: { type: 'integer' },
          text: { type: 'string' },
          nextFrom: { type: 'integer', description: 'Where to go on; absent at the end of the file.' },
        },
        required: ['path', 'exists', 'from', 'lines', 'totalLines', 'text'],
      },
      executionMode: 'parallel',
      risk: 'low',
    },
  }
}
