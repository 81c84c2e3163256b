// Checks every French message of the console, of the page at / and of the error pages, also those that no picture shows.
import { expect, it } from '@jest/globals'
import { frenchTypographyFaults } from '@paraph/testing/french-typography'
import { homeMessages } from '../home/messages.js'
import { PLAIN_PAGES } from '../pages/plain-page-messages.js'
import { contractMessages, eventMessages, statusMessages } from './contracts/messages.js'
import { frameMessages } from './frame/messages.js'
import { keyMessages } from './keys/messages.js'
import { accountStatusMessages, operatorMessages, reportReasonMessages } from './operator/messages.js'
import { actMessages, actorMessages, factMessages } from './people/act-messages.js'
import { applicationMessages, volumeMessages } from './people/application-messages.js'
import { accountMessages } from './people/messages.js'
import { signInMessages } from './people/sign-in-messages.js'
import { usageMessages } from './usage/messages.js'

const DICTIONARIES = {
  accountMessages,
  accountStatusMessages,
  actMessages,
  actorMessages,
  applicationMessages,
  contractMessages,
  eventMessages,
  factMessages,
  frameMessages,
  homeMessages,
  keyMessages,
  operatorMessages,
  reportReasonMessages,
  signInMessages,
  statusMessages,
  usageMessages,
  volumeMessages,
}

/** A message with samples for its parameters: counts, of which one is above one. */
const textOf = (message: unknown): string =>
  typeof message === 'function' ? String((message as (...values: unknown[]) => string)('2', '3', '4')) : String(message)

it.each(Object.entries(DICTIONARIES))(
  'the French of %s has no-break spaces where Canadian French has them [D25]',
  (_, messages) => {
    for (const [key, message] of Object.entries(messages('fr')))
      expect(frenchTypographyFaults(textOf(message)).map((fault) => `${key}: ${fault}`)).toEqual([])
  },
)

it('the French of the error pages has no-break spaces where Canadian French has them [D25]', () => {
  for (const { title, text } of Object.values(PLAIN_PAGES))
    expect(frenchTypographyFaults(`${title.fr}. ${text.fr}`)).toEqual([])
})
