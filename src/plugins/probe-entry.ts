import { parentPort, workerData } from 'node:worker_threads'
import { isJob, work } from './probe-thread.ts'

/** The part of a probe that runs in its thread; a bundle of its own. */
if (isJob(workerData)) {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- the port of a thread has no origin
  void work(workerData, (message) => parentPort?.postMessage(message))
}
