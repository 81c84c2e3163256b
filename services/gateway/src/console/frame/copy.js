// Shows each copy button; a click copies the field that the button names. Without script the buttons stay hidden.
for (const button of document.querySelectorAll('[data-copy]')) {
  button.hidden = false
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).value)
    button.textContent = button.dataset.copied
  })
}
