// What a command of `paraph` is: its name, options and operand, and what running it returns.
import type { LauncherConfig } from './config.js'
import type { OperatorClient } from './operator-client.js'

interface OptionRule {
  /** Placeholder of the value in the usage line. Without a placeholder, the option is a flag, whose value is `yes`. */
  value?: string
  required?: true
  /** The allowed values. Without `oneOf`, any value is allowed. */
  oneOf?: readonly string[]
}

type OptionRules = Readonly<Record<string, OptionRule>>
type Values = Readonly<Record<string, string>>
type ValuesOf<Rules extends OptionRules> = {
  readonly [Name in keyof Rules]: Rules[Name] extends { required: true } ? string : string | undefined
}

/**
 * The result of a command. `--json` prints `answer`; otherwise the program prints `text`. `isWell: false` (exit 1): a check failed.
 * `isOpen` (exit 3): no check failed, but not everything could be checked.
 */
export interface Said {
  answer: unknown
  text: string
  isWell?: boolean
  isOpen?: boolean
}

/** The positional argument of a command. */
interface Operand<Name extends string = string> {
  name: Name
  /** Placeholder in the usage line. */
  value: string
  optional?: true
}

interface Description<Rules extends OptionRules = OptionRules, Name extends string = string> {
  /** The group and the verb, such as `account list`; or one word alone, such as `doctor`. */
  name: string
  purpose: string
  options: Rules
  operand?: Operand<Name>
}

export type Command = Description &
  (
    | {
        /** Calls the services. */
        run: (client: OperatorClient, values: Values) => Promise<Said>
      }
    | {
        /** Needs no service, only the settings. */
        runAlone: (config: LauncherConfig, values: Values) => Promise<Said>
      }
  )

/** Commands under one heading of the help. */
export interface Section {
  title: string
  commands: readonly Command[]
}

/** A required option. @param value its placeholder */
export const needed = (value: string) => ({ value, required: true }) as const

/** The operand of a command about one object. */
export const ID = { name: 'id', value: 'ID' } as const

/** A command that makes one call and prints its answer with `text`. */
export function callCommand<const Rules extends OptionRules, Answer, Name extends string = never>({
  call,
  text,
  ...description
}: Description<Rules, Name> & {
  call: (client: OperatorClient, values: ValuesOf<Rules> & Readonly<Record<Name, string>>) => Promise<Answer>
  text: (answer: Answer) => string
}): Command {
  const run = async (client: OperatorClient, values: Values): Promise<Said> => {
    const answer = await call(client, values as ValuesOf<Rules> & Record<Name, string>)
    return { answer, text: text(answer) }
  }
  return { ...description, run }
}
