// Parses OBJECT_STORE_URL. Pure.
import { z } from 'zod'

export interface ObjectStoreSettings {
  /** Scheme, host and port. */
  endpoint: string
  bucket: string
  region: string
  /** Undefined: the AWS SDK finds them (a role of the pod or of the machine, or AWS_* variables). */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined
}

const FORM = 'must be https://KEY_ID:SECRET@host/bucket?region=NAME, with %2F for each / in the secret'
/** The names that every S3 accepts as a part of a path. */
const BUCKET = /^\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])\/?$/
/** Most stores that have no regions expect this one. */
const DEFAULT_REGION = 'us-east-1'

/** @throws Error with a message that does not repeat the URL, which may contain a secret */
export function readObjectStoreUrl(text: string): ObjectStoreSettings {
  const url = URL.parse(text)
  const bucket = BUCKET.exec(url?.pathname ?? '')?.[1]
  if (!url || !/^https?:$/.test(url.protocol) || bucket === undefined) throw new Error(FORM)
  if ((url.username === '') !== (url.password === '')) throw new Error(FORM)
  if ([...url.searchParams.keys()].some((name) => name !== 'region') || url.hash !== '')
    throw new Error('takes no parameter but region')
  return {
    endpoint: url.origin,
    bucket,
    region: url.searchParams.get('region') || DEFAULT_REGION,
    credentials:
      url.username === '' ? undefined : { accessKeyId: decode(url.username), secretAccessKey: decode(url.password) },
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Error(FORM)
  }
}

/** The setting of that form. */
export const objectStoreSetting = z.string().transform((text, context) => {
  try {
    return readObjectStoreUrl(text)
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message })
    return z.NEVER
  }
})
