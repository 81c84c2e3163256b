// The exports of '@jest/globals' for a test: jest's own functions, from the runtime of its worker.
import { globals } from './runtime.mjs'

export const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } = globals
