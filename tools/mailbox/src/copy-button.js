// Adds what a page cannot do without script: a button that copies the field it names. Without script it stays hidden.
for (const button of document.querySelectorAll('[data-copy]')) {
  button.hidden = false
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).value)
    button.textContent = 'Copied'
  })
}
