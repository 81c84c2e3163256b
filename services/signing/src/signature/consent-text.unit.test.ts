import { expect, it } from '@jest/globals'
import { sha256Hex } from '../chain/entry.js'
import { CONSENTS } from './consent-text.js'

it('every consent sentence stays unchanged, because evidence contains its hash [D30]', () => {
  expect(CONSENTS.map(({ id, text }) => [id, sha256Hex(text.en), sha256Hex(text.fr)])).toEqual([
    [
      'consent-1',
      '3aeebe0d5098e893143d5f72a6ef7493538fc8881d65cb86258e5cfef58c3563',
      'ba499a373359822891b27d9a072826865a8773cd8a5d3ec0bf8b5e37ef5971ac',
    ],
  ])
})
