// The verifier compares the objects of an object store with their rows. [I5, P43, D43]
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { FIRST_MS, openInstallation, type Installation } from '../../test/installation-fixture.js'
import type { ObjectReader } from '../check.js'
import { verifyInvariants } from '../verify-invariants.js'

let installation: Installation
/** The contracts, in their order. */
const IDS = [1, 2, 3, 4].map((n) => `contract-${FIRST_MS + n * 1_000}-${String(n).padStart(9, 'a')}`)
beforeAll(async () => {
  installation = await openInstallation(4)
  await installation.change(
    'signing',
    `insert into sealed_evidence (contract_id, key_id, jws_sha256, jws_bytes, object_key)
       select contract_id, 'k', 'jws hash', 9, contract_id || '/jws-x' from evidence_chain;
     insert into sealed_copy (contract_id, pdf_sha256, pdf_bytes, object_key)
       select contract_id, 'pdf hash', 7, contract_id || '/pdf-x' from evidence_chain`,
  )
}, 120_000)
afterAll(() => installation?.close())

/** A store whose objects are as they should be, except those in `states`. */
function storeWith(states: Record<string, 'missing' | 'altered'>) {
  const asked = new Map<string, object>()
  const objects: ObjectReader = {
    check: (key, expected) => {
      asked.set(key, expected)
      return Promise.resolve(states[key] ?? 'intact')
    },
  }
  return { asked, objects }
}
const verify = async (objects?: ObjectReader) => {
  const scope = { since: undefined, contractId: undefined, withinSeconds: 60 }
  const { violations, checks } = await verifyInvariants(installation.urls, scope, { objects, pauseMs: 0 })
  const looked = Object.assign({}, ...checks.map((check) => check.looked)) as Record<string, number>
  return { found: violations.map(({ subject, fault }) => `${subject}: ${fault}`), looked }
}

it('each object is compared with the hash and size of its row, and a missing or altered one is a violation', async () => {
  const store = storeWith({ [`${IDS[1]}/jws-x`]: 'missing', [`${IDS[2]}/pdf-x`]: 'altered' })
  const { found, looked } = await verify(store.objects)
  expect(found).toEqual([
    `${IDS[1]}: has a document that is missing in the object store`,
    `${IDS[2]}: has a document that was altered in the object store`,
  ])
  expect(looked['objects']).toBe(8)
  expect(store.asked.size).toBe(8)
  expect(store.asked.get(`${IDS[0]}/jws-x`)).toEqual({ sha256: 'jws hash', size: 9 })
  expect(store.asked.get(`${IDS[0]}/pdf-x`)).toEqual({ sha256: 'pdf hash', size: 7 })
})

it('without the store, its objects are counted as not read, and their rows are still checked', async () => {
  expect(await verify()).toMatchObject({ found: [], looked: { 'objects not read': 8 } })
  await installation.change(
    'signing',
    `insert into object_deletion (object_key, reserved_until, created_at) values
       ('${IDS[0]}/pdf-x', now() + interval '1 hour', now()),
       ('contract-1-erased/pdf-x', null, now() - interval '1 hour'),
       ('contract-2-erased/pdf-x', null, now()),
       ('contract-3-sealing/pdf-x', now() + interval '30 minutes', now() - interval '30 minutes')`,
  )
  expect((await verify()).found).toEqual([
    `${IDS[0]}: has a document in the object store that is about to be deleted`,
    'contract-1-erased: has an object in the object store that should be deleted by now',
  ])
})

it('a store that does not answer ends the verification', async () => {
  const check = () => Promise.reject(new Error('check: no answer in time'))
  await expect(verify({ check })).rejects.toThrow('no answer in time')
})
