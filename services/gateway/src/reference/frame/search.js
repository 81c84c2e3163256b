// Search over the reference, by an index that is loaded when the field is first used. Without script the field stays hidden.
const form = document.querySelector('[data-index]')
const [field, state, list] = form.querySelectorAll('input, output, ul')
const plain = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
let entries

form.hidden = false
field.addEventListener('focus', load, { once: true })
field.addEventListener('input', show)
form.addEventListener('keydown', move)
form.addEventListener('submit', (event) => {
  event.preventDefault()
  list.querySelector('a')?.click()
})

function load() {
  const script = document.createElement('script')
  script.src = form.dataset.index
  script.onload = () => {
    entries = globalThis.referenceIndex.map(([href, page, title, text]) => {
      const name = plain(title)
      return { href, page, title, name, all: `${name} ${plain(page)} ${plain(text)}` }
    })
    show()
  }
  document.head.append(script)
}

function show() {
  const words = plain(field.value).split(/\s+/).filter(Boolean)
  if (entries === undefined) return
  const found = words.length === 0 ? [] : find(words)
  list.replaceChildren(...found.slice(0, 8).map(itemOf))
  list.hidden = found.length === 0
  const { none, found: counted } = form.dataset
  state.textContent = words.length === 0 ? '' : found.length === 0 ? none : `${counted} ${found.length}`
}

/** Entries with every word; those with the words in their title come first. */
function find(words) {
  const rank = ({ name }) =>
    name === words.join(' ') ? 0 : name.startsWith(words[0]) ? 1 : words.every((word) => name.includes(word)) ? 2 : 3
  return entries
    .filter(({ all }) => words.every((word) => all.includes(word)))
    .sort((one, other) => rank(one) - rank(other))
}

function itemOf({ href, page, title }) {
  const [item, link, where] = ['li', 'a', 'span'].map((name) => document.createElement(name))
  link.href = href
  where.textContent = page
  link.append(title, ' ', where)
  item.append(link)
  return item
}

/** Escape empties the field; the arrow keys move between the field and the results. */
function move(event) {
  if (event.key === 'Escape') {
    field.value = ''
    field.focus()
    return show()
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  event.preventDefault()
  const stops = [field, ...list.querySelectorAll('a')]
  stops[stops.indexOf(document.activeElement) + step]?.focus()
}
