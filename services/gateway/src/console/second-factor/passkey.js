// Lets the browser make or use a passkey where a page asks for one, and sends its answer with the form. Without this script, and in a
// browser without passkeys, the page says what is missing. The print buttons need a script too.
const canUse = 'PublicKeyCredential' in window && 'parseRequestOptionsFromJSON' in PublicKeyCredential

for (const part of canUse ? document.querySelectorAll('[data-passkey]') : []) {
  const form = part.querySelector('form')
  const [button, missing, failed] = ['button', 'missing', 'failed'].map((name) =>
    part.querySelector(`[data-passkey-${name}]`),
  )
  missing.hidden = true
  button.hidden = false
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    failed.hidden = true
    button.disabled = true
    try {
      const options = JSON.parse(part.dataset.options)
      const credential =
        part.dataset.passkey === 'create'
          ? await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
          : await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) })
      form.elements.answer.value = JSON.stringify(credential.toJSON())
      form.submit()
    } catch {
      // The person closed the dialogue, or the device has no such passkey.
      failed.hidden = false
      button.disabled = false
      button.focus()
    }
  })
}

for (const button of document.querySelectorAll('[data-print]')) {
  button.hidden = false
  button.addEventListener('click', () => window.print())
}
