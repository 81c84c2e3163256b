// Checks every French message of the console, of the page at / and of the error pages, also those that no picture shows.
import { expect, it } from '@jest/globals'
import { frenchTypographyFaults, textsOf } from '@paraph/testing/french-typography'
import { logoMessages } from '../brand/messages.js'
import { homeMessages } from '../home/messages.js'
import { PLAIN_PAGES } from '../pages/plain-page-messages.js'
import { contractMessages, eventMessages, statusMessages } from './contracts/messages.js'
import { frameMessages, roleMessages } from './frame/messages.js'
import { keyMessages } from './keys/messages.js'
import { accountStatusMessages, operatorMessages, reportReasonMessages } from './operator/messages.js'
import { actMessages, actorMessages, factMessages } from './people/act-messages.js'
import { applicationMessages, volumeMessages } from './people/application-messages.js'
import { accountMessages, roleHints } from './people/messages.js'
import { signInMessages } from './people/sign-in-messages.js'
import { secondFactorMessages } from './second-factor/messages.js'
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
  logoMessages,
  operatorMessages,
  reportReasonMessages,
  roleHints,
  roleMessages,
  secondFactorMessages,
  signInMessages,
  statusMessages,
  usageMessages,
  volumeMessages,
}

it.each(Object.entries(DICTIONARIES))(
  'the French of %s follows the typography of Canadian French [D25]',
  (_name, inLocale) => {
    expect(textsOf(inLocale('fr')).flatMap(frenchTypographyFaults)).toEqual([])
  },
)

it('the French of the error pages follows the typography of Canadian French [D25]', () => {
  for (const { title, text } of Object.values(PLAIN_PAGES))
    expect(frenchTypographyFaults(`${title.fr}. ${text.fr}`)).toEqual([])
})
