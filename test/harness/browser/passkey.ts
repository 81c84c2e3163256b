// A device with passkeys in Chromium: the virtual authenticator of its DevTools protocol. It belongs to one page.
import type { Page } from 'playwright-core'
import { press } from './party.js'

/** Gives the page a device that verifies its person, by fingerprint so to speak. @returns functions that change the person */
export async function addPasskeyDevice(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    /** False: the device does not recognise the person. */
    recognise: (isUserVerified: boolean) =>
      session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    credentials: async () => (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
  }
}

/** On the page after an operator's first code: makes the passkey and leaves the page of the recovery codes. @returns the codes */
export async function makeFirstPasskey(page: Page): Promise<string[]> {
  await press(page, 'Make a passkey')
  const codes = await page.locator('#recovery-codes').textContent()
  await page.getByRole('link', { name: 'I have saved them, continue' }).click()
  return (codes ?? '').split('\n')
}
