// Shows each copy button and copies the field it names. Without script the buttons stay hidden.
for (const button of document.querySelectorAll('[data-copy]')) {
  button.hidden = false
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).value)
    button.textContent = button.dataset.copied
  })
}
