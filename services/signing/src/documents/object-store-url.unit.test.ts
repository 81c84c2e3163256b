import { describe, expect, it } from '@jest/globals'
import { readObjectStoreUrl } from './object-store-url.js'

describe('OBJECT_STORE_URL [P43]', () => {
  it('holds host, bucket, region and credentials', () => {
    expect(readObjectStoreUrl('https://AKIA1:se%2Fcr+et@s3.eu-west-1.example.com/contracts?region=eu-west-1')).toEqual({
      endpoint: 'https://s3.eu-west-1.example.com',
      bucket: 'contracts',
      region: 'eu-west-1',
      credentials: { accessKeyId: 'AKIA1', secretAccessKey: 'se/cr+et' },
    })
  })

  it('without credentials leaves them to the environment, and without a region takes that of most stores', () => {
    expect(readObjectStoreUrl('https://store.example.com:9000/paraph/')).toEqual({
      endpoint: 'https://store.example.com:9000',
      bucket: 'paraph',
      region: 'us-east-1',
      credentials: undefined,
    })
  })

  it.each([
    ['no URL', 'canary'],
    ['another protocol', 's3://canary/bucket'],
    ['no bucket', 'https://canary:canary@store.example.com'],
    ['a folder in the bucket', 'https://canary:canary@store.example.com/bucket/folder'],
    ['a bucket in capitals', 'https://canary:canary@store.example.com/CANARY'],
    ['a key without its secret', 'https://canary@store.example.com/bucket'],
    ['a secret with a plain /', 'https://canary:can/ary@store.example.com/bucket'],
    ['a broken escape', 'https://canary:%E0%A4%A@store.example.com/bucket'],
    ['an unknown parameter', 'https://store.example.com/bucket?canary=1'],
  ])('refuses %s, and does not repeat the value', (_, text) => {
    expect(() => readObjectStoreUrl(text)).toThrow(/^(must be https:|takes no parameter)/)
    expect(() => readObjectStoreUrl(text)).not.toThrow(/canary/i)
  })
})
