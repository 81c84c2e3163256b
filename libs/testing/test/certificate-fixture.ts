// Certificate authorities for a test and certificates that they issue, by openssl.
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']

/** Creates an authority; the caller closes it. */
export async function createAuthority(name: string) {
  const folder = await mkdtemp(join(tmpdir(), 'paraph-ca-'))
  const file = (what: string) => join(folder, what)
  const caFile = file('ca.pem')
  const caArguments = ['-keyout', file('ca.key'), '-out', caFile, '-subj', `/CN=${name}`]
  await run('openssl', ['req', '-x509', ...NEW_KEY, ...caArguments, '-addext', 'keyUsage=critical,keyCertSign,cRLSign'])
  return {
    caFile,
    caPem: await readFile(caFile, 'utf8'),
    /** Issues a certificate with its key. @param names such as `DNS:localhost,IP:127.0.0.1` @param isExpired ended yesterday */
    async issue(
      subject: string,
      names: string,
      { isExpired = false } = {},
    ): Promise<{ certificate: string; key: string; certificateFile: string; keyFile: string }> {
      const [certificateFile, keyFile] = [file(`${subject}.pem`), file(`${subject}.key`)]
      const ours = ['-keyout', keyFile, '-out', certificateFile, '-subj', `/CN=${subject}`]
      const extensions = ['-addext', `subjectAltName=${names}`, '-addext', 'basicConstraints=critical,CA:FALSE']
      await run('openssl', [
        'req',
        '-x509',
        ...NEW_KEY,
        '-CA',
        caFile,
        '-CAkey',
        file('ca.key'),
        ...ours,
        ...extensions,
      ])
      if (isExpired) {
        const copied = ['-copy_extensions', 'copyall']
        const request = file(`${subject}.csr`)
        await run('openssl', [
          'x509',
          '-x509toreq',
          '-in',
          certificateFile,
          '-signkey',
          keyFile,
          ...copied,
          '-out',
          request,
        ])
        const signed = ['-CA', caFile, '-CAkey', file('ca.key'), '-CAcreateserial', '-days', '-1', ...copied]
        await run('openssl', ['x509', '-req', '-in', request, ...signed, '-out', certificateFile])
      }
      return {
        certificate: await readFile(certificateFile, 'utf8'),
        key: await readFile(keyFile, 'utf8'),
        certificateFile,
        keyFile,
      }
    },
    close: () => rm(folder, { recursive: true }),
  }
}
