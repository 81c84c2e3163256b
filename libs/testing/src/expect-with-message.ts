import { expect } from '@jest/globals'

type Matchers<T> = ReturnType<typeof expect<T>>

/** `expect`, where `message` leads the text of a failure. jest's own `expect` takes no message. */
export const expectWithMessage = <T>(value: T, message: string): Matchers<T> => withMessage(expect(value), message)

function withMessage<T extends object>(matchers: T, message: string): T {
  const lead = (error: unknown): never => {
    if (error instanceof Error) {
      const { message: found, stack = '' } = error
      error.message = `${message}\n\n${found}`
      // jest prints the stack, which holds a copy of the text, and shows the source of its first line: the test, not this file.
      error.stack = stack.replace(found, () => error.message).replaceAll(/^ +at .*\/expect-with-message\.ts.*\n/gm, '')
    }
    throw error
  }
  return new Proxy(matchers, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      // `not`, `resolves` and `rejects` hold matchers in turn.
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
