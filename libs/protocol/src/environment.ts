// Production and sandbox. [Environments]
export const ENVIRONMENTS = ['production', 'sandbox'] as const
export type Environment = (typeof ENVIRONMENTS)[number]
