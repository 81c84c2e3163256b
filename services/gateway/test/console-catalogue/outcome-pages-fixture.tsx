// The pages that replace a page.
import { OutcomePage } from '../../src/console/people/sign-in-pages.js'
import { member, owned, solo, type CatalogueEntry } from './entry-fixture.js'

export const outcomePages: readonly CatalogueEntry[] = [
  solo('console-18-not-found', (page) => <OutcomePage page={page} kind="notFound" />, 404),
  owned('console-18f-form', (page) => <OutcomePage page={page} kind="form" />, 403),
  member('console-18r-role', 'viewer', (page) => <OutcomePage page={page} kind="role" />, 403),
  owned('console-18u-unchecked', (page) => <OutcomePage page={page} kind="unchecked" />, 503),
  owned('console-18l-too-long', (page) => <OutcomePage page={page} kind="tooLong" />, 413),
  owned('console-18t-trouble', (page) => <OutcomePage page={page} kind="trouble" reference="4f1c2a9e" />, 500),
]
