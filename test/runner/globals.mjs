// Replaces '@jest/globals' (modules.mjs): exports the functions that jest gave the runtime of this worker (runtime.mjs).
import { globals } from './runtime.mjs'

export const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } = globals
