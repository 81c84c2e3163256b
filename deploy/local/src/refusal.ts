/** Something that a person can put right: the message is one sentence or two that say what happened and what to do. */
export class Refusal extends Error {
  constructor(sentence: string, options?: ErrorOptions) {
    super(sentence, options)
    this.name = 'Refusal'
  }
}
