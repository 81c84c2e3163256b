import { describe, expect, it } from '@jest/globals'
import { isSameOriginPost } from './same-origin.js'

const OURS = 'https://sign.example.com'

describe('the same-origin check of a form [ceremony: headers]', () => {
  it.each([
    ['our own page', { 'sec-fetch-site': 'same-origin', origin: OURS }, true],
    ['our own page, which sends no referrer', { 'sec-fetch-site': 'same-origin', origin: 'null' }, true],
    ['the person, with a reload', { 'sec-fetch-site': 'none' }, true],
    ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }, false],
    ['another site that hides its origin', { 'sec-fetch-site': 'cross-site', origin: 'null' }, false],
    ['another site that claims to be us', { 'sec-fetch-site': 'cross-site', origin: OURS }, false],
    ['a sister domain that sends no origin', { 'sec-fetch-site': 'same-site' }, false],
    ['a sister domain', { 'sec-fetch-site': 'same-site', origin: 'https://blog.example.com' }, false],
    ['a sister domain that claims to be us', { 'sec-fetch-site': 'same-site', origin: OURS }, false],
    ['a value that no browser sends', { 'sec-fetch-site': 'Same-Origin, cross-site' }, false],
    ['an old browser', {}, true],
    ['an old browser on another site that hides its origin', { origin: 'null' }, false],
    ['an old browser on our page', { origin: OURS }, true],
    ['an old browser on another site', { origin: 'https://evil.example' }, false],
    ['an old browser on our name without TLS', { origin: 'http://sign.example.com' }, false],
    ['an old browser on our name at another port', { origin: `${OURS}:8443` }, false],
    ['an old browser on a longer name', { origin: `${OURS}.evil.example` }, false],
  ])('recognises the origin of a form posted by %s', (_, headers, isOurs) =>
    expect(isSameOriginPost(headers, OURS)).toBe(isOurs),
  )
})
