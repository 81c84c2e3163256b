import postgres from './postgres-setup.js'
import stackTemplate from './stack-template.js'

export default async function setup(): Promise<void> {
  await postgres()
  await stackTemplate()
}
