import { expect, it } from '@jest/globals'
import { isNameOf } from './typed-name.js'

it.each([
  ['Jane Roe', 'Jane Roe'],
  ['jane   roe ', 'Jane Roe'],
  ['O\u2019Brien', "O'Brien"],
  ['J R R Tolkien', 'J. R. R. Tolkien'],
  ['Nordic Foods Ltd', 'Nordic Foods Ltd.'],
  ['Helene Cote', 'Hélène Côté'],
  ['Hélène Côté', 'Hélène Côté'],
  ['Helene Cote', 'He\u0301le\u0300ne Co\u0302te\u0301'],
  ['STRASSE', 'Straße'],
  ['Hélène Dupre', 'Hélène Dupré'],
  ['Jean-Luc', 'Jean\u2011Luc'],
  ['...', '...'],
  ['ＪＡＮＥ', 'Jane'],
  ['Seán O\u00B4Brien', "Seán O'Brien"],
  ['Lukasz Soren', 'Łukasz Søren'],
  ['Nguyên', 'Nguyễn'],
  ['J. R. Roe', 'J.R. Roe'],
  ['JR Roe', 'J. R. Roe'],
  ['علیرضا', 'علی\u200Cرضا'],
])('the typed name %j is accepted for %j [D26]', (typed, legalName) => {
  expect(isNameOf(typed, legalName)).toBe(true)
})

it.each([
  ['', 'Jane Roe'],
  ['. .', '...'],
  [`J${'.'.repeat(400)}ane Roe`, 'Jane Roe'],
  ['Jane\r\nRoe', 'Jane Roe'],
  ['Jane', 'Jane Roe'],
  ['Jane Doe', 'Jane Roe'],
  ['JaneRoe', 'Jane Roe'],
  ['Jané Roe', 'Jane Roe'],
  ['Łukasz', 'Lukasz'],
  ['Nguyễn', 'Nguyên'],
  ['JaneRoe', 'Jane Roe Jr.'],
])('the typed name %j is rejected for %j [D26]', (typed, legalName) => {
  expect(isNameOf(typed, legalName)).toBe(false)
})
