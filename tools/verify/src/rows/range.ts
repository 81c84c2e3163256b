/** Contracts from one id to another, both included, in the order of the database. */
export interface Range {
  from: string
  to: string
}
