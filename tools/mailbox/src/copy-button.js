// Shows the buttons that copy a field; without script they stay hidden.
for (const button of document.querySelectorAll('[data-copy]')) {
  button.hidden = false
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).value)
    button.textContent = 'Copied'
  })
}
