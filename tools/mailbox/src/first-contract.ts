// The first call of a developer, on the home page and in the terminal. Pure.

/** A curl command that creates a contract with two parties. It works as printed, in every shell. Lines of at most 78 characters. */
export const firstContractCommand = (apiUrl: string, key: string): string => `curl ${apiUrl}/contracts \\
  -H 'x-api-key: ${key}' \\
  -H 'Content-Type: application/json' \\
  -d '{"contractType":"nda",
"content":"CONFIDENTIALITY\\n\\nThe parties keep secrets secret.",
"parties":[
{"role":"Discloser","legalName":"Nordic Foods Ltd.","email":"a@example.com"},
{"role":"Recipient","legalName":"Jane Roe","email":"b@example.com"}]}'`
