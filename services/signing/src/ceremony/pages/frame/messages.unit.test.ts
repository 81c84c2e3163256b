import { expect, it } from '@jest/globals'
import { codeMessages } from '@paraph/codes/code-words'
import { frenchTypographyFaults, textsOf } from '@paraph/testing/french-typography'
import { contractTypeNames } from '@paraph/web/contract-type-names'
import { pdfMessages } from '../../../sealing/pdf/messages.js'
import { CONSENTS } from '../../../signature/consent-text.js'
import { doneMessages } from '../done/messages.js'
import { helpMessages } from '../help/messages.js'
import { privacyMessages } from '../help/privacy-messages.js'
import { identifyMessages } from '../identify/messages.js'
import { outcomeMessages } from '../outcome/messages.js'
import { reportMessages } from '../report/messages.js'
import { reviewMessages } from '../review/messages.js'
import { verifyMessages } from '../verify/messages.js'
import { ceremonyMessages } from './messages.js'

const COUNTS = { lines: 1, words: 20, bytes: 12_345 }

/** The messages of the signed PDF, those with parameters filled in. */
const textsOfPdf = (locale: 'en' | 'fr') => {
  const { endOfContract, theContractIs, partyNumbers, codeSent, ...others } = pdfMessages(locale)
  return [
    others,
    endOfContract(COUNTS),
    theContractIs(COUNTS, 2),
    partyNumbers([0, 2]),
    codeSent([4]),
    codeSent([4, 5]),
  ]
}

const DICTIONARIES = {
  ceremonyMessages,
  codeMessages,
  contractTypeNames,
  doneMessages,
  helpMessages,
  identifyMessages,
  outcomeMessages,
  privacyMessages,
  reportMessages,
  reviewMessages,
  verifyMessages,
  pdfMessages: textsOfPdf,
  consents: (locale: 'en' | 'fr') => CONSENTS.map(({ text }) => text[locale]),
}

it.each(Object.entries(DICTIONARIES))(
  'the French of %s follows the typography of Canadian French [words: French]',
  (_name, inLocale) => {
    expect(textsOf(inLocale('fr')).flatMap(frenchTypographyFaults)).toEqual([])
  },
)

it.each(Object.entries(DICTIONARIES))(
  'the English of %s has none of the words that the style avoids',
  (_name, inLocale) => {
    const avoided = /e-mail|whoever|works no more|\bstands?\b|\bnumbers\b|!|\bplease\b|successfully/i
    const found = textsOf(inLocale('en')).filter((text) =>
      avoided.test(text.replace('“Signature Verified Successfully”', '')),
    )
    expect(found).toEqual([])
  },
)
