// Shows each copy button; a click copies the field or the code that the button names. Without script the buttons stay hidden.
for (const button of document.querySelectorAll('[data-copy]')) {
  button.hidden = false
  button.addEventListener('click', async () => {
    const source = document.getElementById(button.dataset.copy)
    await navigator.clipboard.writeText(source.value ?? source.textContent)
    button.textContent = button.dataset.copied
  })
}
