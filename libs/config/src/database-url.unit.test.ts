import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from '@jest/globals'
import { databaseUrlError } from './database-url.js'

const folder = mkdtempSync(join(tmpdir(), 'paraph-url-'))
afterAll(() => rmSync(folder, { recursive: true }))
const ca = join(folder, 'ca.pem')
writeFileSync(ca, '-----BEGIN CERTIFICATE-----\n')
const BASE = 'postgres://u:hush@db.test:5432/contract'

it.each([
  BASE,
  BASE.replace('postgres', 'postgresql'),
  `${BASE}?sslmode=disable`,
  `${BASE}?sslmode=verify-full`,
  `${BASE}?sslmode=verify-full&sslrootcert=${ca}`,
])('the database URL may be %s [D48]', (url) => {
  expect(databaseUrlError(url)).toBeUndefined()
})

it.each([
  ['hush', 'must be postgres://'],
  ['https://u:hush@db.test/contract', 'must be postgres://'],
  ...['require', 'prefer', 'verify-ca', 'no-verify', 'hush'].map((mode) => [
    `${BASE}?sslmode=${mode}`,
    'sslmode must be',
  ]),
  [`${BASE}?ssl=true`, 'ssl and uselibpqcompat'],
  [`${BASE}?sslmode=verify-full&uselibpqcompat=true`, 'ssl and uselibpqcompat'],
  [`${BASE}?sslrootcert=${ca}`, 'needs sslmode=verify-full'],
  [`${BASE}?sslmode=verify-full&sslrootcert=/nowhere/hush`, 'sslrootcert names no file'],
  [`${BASE}?sslmode=verify-full&sslkey=${ca}`, 'sslkey names no file'],
])('the database URL may not be %s, and the error does not repeat it [D48, I14]', (url, sentence) => {
  expect(databaseUrlError(url!)).toContain(sentence)
  expect(databaseUrlError(url!)).not.toContain('hush')
})
