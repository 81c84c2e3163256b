import { expect } from '@jest/globals'

type Matchers<T> = ReturnType<typeof expect<T>>

/** `expect` whose failures begin with `message`; jest's own `expect` accepts no message. */
export const expectWithMessage = <T>(value: T, message: string): Matchers<T> => withMessage(expect(value), message)

function withMessage<T extends object>(matchers: T, message: string): T {
  const lead = (error: unknown): never => {
    if (error instanceof Error) {
      const { message: found, stack = '' } = error
      error.message = `${message}\n\n${found}`
      // jest prints the stack, which contains a copy of the text, and the source of its first frame, which must be the test.
      error.stack = stack.replace(found, () => error.message).replaceAll(/^ +at .*\/expect-with-message\.ts.*\n/gm, '')
    }
    throw error
  }
  return new Proxy(matchers, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      // `not`, `resolves` and `rejects` are objects of matchers.
      if (typeof member === 'object' && member !== null) return withMessage(member, message)
      if (typeof member !== 'function') return member
      return (...argv: unknown[]) => {
        try {
          const outcome: unknown = Reflect.apply(member, target, argv)
          return outcome instanceof Promise ? outcome.catch(lead) : outcome
        } catch (error) {
          return lead(error)
        }
      }
    },
  })
}
