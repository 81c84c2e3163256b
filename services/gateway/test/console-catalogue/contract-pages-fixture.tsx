// The list of contracts, one contract in every state, and the pages that cancel and erase one.
import { NDA } from '@paraph/signing/test/catalogue-data-fixture'
import { AddressPage } from '../../src/console/contracts/address-page.js'
import { CancelPage, ErasePage } from '../../src/console/contracts/contract-end-pages.js'
import { ContractListPage } from '../../src/console/contracts/contract-list-page.js'
import { ContractPage } from '../../src/console/contracts/contract-page.js'
import type { ContractDetail, ListedContract } from '../../src/console/contracts/contract-rows.js'
import { contractMessages } from '../../src/console/contracts/messages.js'
import type { PageProps } from '../../src/console/frame/page-props.js'
import {
  CANCELLED,
  CONTRACT,
  DECLINED,
  DECLINED_HISTORY,
  ERASED,
  HISTORY,
  LIST,
  MAILS,
  TO_BE_ERASED,
} from './contract-data-fixture.js'
import { member, owned, TIME_ZONE, TRIAL, type CatalogueEntry } from './entry-fixture.js'

const UNFILTERED = { search: '', status: '', contractType: '', problem: '', from: '', until: '' }

const contractList =
  (contracts: readonly ListedContract[], more: Partial<Parameters<typeof ContractListPage>[0]> = {}) =>
  (page: PageProps) => (
    <ContractListPage
      {...{ page, contracts, environment: 'production', newer: null, timeZone: TIME_ZONE, isCut: false, broad: [] }}
      older={contracts.length === 0 ? null : 'place'}
      filter={UNFILTERED}
      {...more}
    />
  )
const contract =
  (shown: ContractDetail, more: Partial<Parameters<typeof ContractPage>[0]> = {}) =>
  (page: PageProps) => (
    <ContractPage
      {...{ page, contract: shown, environment: 'production', timeZone: TIME_ZONE, mails: MAILS, history: HISTORY }}
      content={NDA}
      {...more}
    />
  )

export const contractPages: readonly CatalogueEntry[] = [
  owned('console-10-contracts', contractList(LIST)),
  owned('console-10n-contracts-none', contractList([]), 200, TRIAL),
  owned(
    'console-10f-contracts-no-match',
    contractList([], { filter: { ...UNFILTERED, search: 'EXT-20261124-00000000' } }),
  ),
  owned(
    'console-10b-contracts-broad-search',
    contractList([], { filter: { ...UNFILTERED, search: 'nor' }, broad: ['NOR'] }),
  ),
  owned(
    'console-10s-contracts-searched-in-part',
    contractList(LIST.slice(1, 2), {
      filter: {
        search: 'jane roe',
        status: 'open',
        contractType: 'nda',
        problem: 'declined',
        from: '2026-11-01',
        until: '2026-11-24',
      },
      isCut: true,
    }),
  ),
  owned(
    'console-10z-contracts-none-yet',
    contractList([], { filter: { ...UNFILTERED, search: 'jane', status: 'signed' }, isCut: true, older: 'place' }),
  ),
  owned('console-11-contract', contract(CONTRACT)),
  member('console-11v-contract-viewer', 'viewer', contract(CONTRACT)),
  owned('console-11t-contract-sandbox', contract(CONTRACT, { environment: 'sandbox' })),
  owned('console-11n-contract-declined', contract(DECLINED, { history: DECLINED_HISTORY })),
  owned('console-11c-contract-cancelled', (page) =>
    contract(CANCELLED, { notice: { kind: 'information', text: contractMessages(page.locale).cancelled } })(page),
  ),
  owned('console-11e-contract-erased', contract(ERASED)),
  owned('console-11d-contract-to-be-erased', contract(TO_BE_ERASED)),
  owned('console-11s-contract-to-be-erased-suspended', contract(TO_BE_ERASED, { isSuspended: true })),
  owned('console-11h-contract-held', contract({ ...CANCELLED, isHeld: true })),
  owned(
    'console-11u-contract-others-away',
    contract(CONTRACT, { content: undefined, mails: undefined, history: undefined }),
  ),
  owned('console-12-contract-cancel', (page) => (
    <CancelPage {...{ page, environment: 'production', contract: CONTRACT }} />
  )),
  owned(
    'console-12e-contract-cancel-error',
    (page) => (
      <CancelPage
        {...{ page, environment: 'production', contract: CONTRACT, typed: { number: 'EXT-20261120', reason: '' } }}
        errors={[{ field: 'number', message: contractMessages(page.locale).numberWrong }]}
      />
    ),
    422,
  ),
  owned('console-12a-contract-address', (page) => (
    <AddressPage {...{ page, environment: 'production', contract: CONTRACT, party: 2 }} />
  )),
  owned(
    'console-12b-contract-address-error',
    (page) => (
      <AddressPage
        {...{ page, environment: 'production', contract: CONTRACT, party: 2, typed: 'jane.roe' }}
        errors={[{ field: 'email', message: contractMessages(page.locale).addressWrong }]}
      />
    ),
    422,
  ),
  owned('console-12r-contract-erase', (page) => (
    <ErasePage {...{ page, environment: 'production', contract: CANCELLED }} />
  )),
]
