// One expression that a test evaluates inside a page to measure the current layout. The page itself does not load this script.
;(() => {
  const isShown = (element) =>
    element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0
  const nameOf = (element) => `${element.tagName.toLowerCase()} "${(element.textContent || element.name || '').trim()}"`
  /** True for a link inside a sentence, which may be as small as its line of text. [WCAG 2.5.8, inline] */
  const isInSentence = (element) =>
    getComputedStyle(element).display === 'inline' &&
    (element.closest('p, li, dd')?.textContent ?? '').trim().length > element.textContent.trim().length
  const targets = [...document.querySelectorAll('a[href], button, summary, textarea, input:not([type=hidden])')].filter(
    (element) => isShown(element) && !isInSentence(element),
  )
  /** The target of a checkbox or radio button is the row of its label. */
  const areaOf = (element) =>
    (element.matches('[type=checkbox], [type=radio]') ? element.closest('.tick') : element).getBoundingClientRect()
  const least = (element) => (element.matches('.button, input, textarea') ? 44 : 24)
  return {
    lang: document.documentElement.lang,
    title: document.title,
    headings: [...document.querySelectorAll('h1')].map((heading) => heading.textContent),
    focused: document.activeElement?.className ?? '',
    /** CSS pixels by which the page is wider than the window. */
    sideways: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    smallTargets: targets
      .filter((element) => Math.min(areaOf(element).width, areaOf(element).height) < least(element) - 0.5)
      .map((element) => `${nameOf(element)}: ${areaOf(element).width} x ${areaOf(element).height}`),
    controls: [...document.querySelectorAll('form, button, nav, input, textarea, .button')].filter(isShown).map(nameOf),
    paper: getComputedStyle(document.body).backgroundColor,
    colours: [
      ...new Set(
        [...document.querySelectorAll('h1, p, dd, li, strong')]
          .filter(isShown)
          .map((element) => getComputedStyle(element).color),
      ),
    ],
    text: document.body.innerText,
    violations: globalThis.policyViolations ?? [],
  }
})()
