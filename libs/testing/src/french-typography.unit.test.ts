import { expect, it } from '@jest/globals'
import { frenchTypographyFaults, textsOf } from './french-typography.js'

it.each([
  'Numéro du contrat: 12',
  'Numéro du contrat : 12',
  'Appuyez sur « Signer »',
  'Appuyez sur «Signer»',
  'Ce n’est pas vous\u00A0? Partez',
  'C’est fait ; revenez plus tard',
  'au plus 2 000 caractères',
  '29 $ CA par mois',
  '80% des appels',
  "L'acte est signé",
  'le 1 décembre',
  'le 1\u00A0décembre 2026',
])('French typography has a fault: "%s"', (text) => {
  expect(frenchTypographyFaults(text)).not.toEqual([])
})

it.each([
  'Numéro du contrat\u00A0: 12',
  'Erreur\u00A0:',
  'Appuyez sur «\u00A0Signer\u00A0». Ce n’est pas vous? Partez; revenez plus tard.',
  'au plus 2\u00A0000 caractères, à 14:03, le 31 décembre et le 1er décembre 2026',
  '29\u00A0$ CA, 80\u00A0% des appels',
  'https://sign.example.com/help#report',
])('French typography has no fault: "%s"', (text) => {
  expect(frenchTypographyFaults(text)).toEqual([])
})

it('the texts of a dictionary include its lists and tables, and its functions with names, a singular and a plural', () => {
  const messages = {
    text: 'a',
    list: ['b', 'c'],
    table: { row: 'd' },
    named: (name: string) => `e ${name}`,
    counted: (count: number) => `${count} f${count === 1 ? '' : 's'}`,
  }
  expect(textsOf(messages)).toEqual(['a', 'b', 'c', 'd', 'e Nom', 'e 1', 'e 12345', 'Nom fs', '1 f', '12345 fs'])
})
