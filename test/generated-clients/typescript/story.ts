// The main story with a client that openapi-generator makes for TypeScript. Arguments: the address of the API and a sandbox key.
import {
  AccountApi,
  ApiErrorFromJSON,
  Configuration,
  ContractsApi,
  ResponseError,
  type Contract,
  type CreateContract,
} from './client/index.js'

const [basePath = '', apiKey = '', futureCode] = process.argv.slice(2)
const configuration = new Configuration({ basePath, apiKey })
const contracts = new ContractsApi(configuration)

function expectEqual(found: unknown, expected: unknown): void {
  if (found !== expected) throw new Error(`expected ${String(expected)}, found ${String(found)}`)
}

/** Waits until everyone has signed, by long polls. */
async function untilSigned(id: string): Promise<Contract> {
  let known: { ifNoneMatch: string; prefer: string } | undefined
  for (;;) {
    try {
      const answer = await contracts.getContractRaw({ id, ...known })
      const { contract } = await answer.value()
      if (contract.status === 'signed') return contract
      known = { ifNoneMatch: answer.raw.headers.get('etag') ?? '', prefer: 'wait=10' }
    } catch (error) {
      if (!(error instanceof ResponseError) || error.response.status !== 304) throw error
    }
  }
}

/** The error that a call is refused with. */
async function refusalOf(call: Promise<unknown>) {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof ResponseError)) throw new Error('the call was not refused')
  return ApiErrorFromJSON(await error.response.json())
}

const contractOf = (...tags: string[]): CreateContract => ({
  contractType: 'sales-agreement',
  content: 'SALE\n\nA bicycle.',
  // The document says that no two parties are equal, for which the generator has a set.
  parties: new Set(tags.map((tag) => ({ role: tag, legalName: `The ${tag}`, email: `signs+${tag}@simulator.test` }))),
})

const status = await new AccountApi(configuration).getStatus()
expectEqual(status.key.environment, 'sandbox')
const createContract = contractOf('buyer', 'seller')
const { contract } = await contracts.createContract({ createContract, idempotencyKey: 'typescript-1' })
expectEqual((await untilSigned(contract.id)).signatures.length, 2)
const unknown = await refusalOf(contracts.getContract({ id: 'contract-1795183380000-k3v9x2m1q' }))
expectEqual(unknown.code, futureCode)
const refused = await refusalOf(contracts.createContract({ createContract: contractOf('buyer') }))
expectEqual(refused.issues?.[0]?.path, 'parties')
console.log('story passed')
