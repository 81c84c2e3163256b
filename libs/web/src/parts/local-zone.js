// Shows each instant in the zone of the reader, in the words of formatInstant (dates.ts), and offers that zone where a form asks for one.
const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
const isFrench = document.documentElement.lang.startsWith('fr')

for (const select of document.querySelectorAll('select[name=timeZone]'))
  if (select.value === '') select.value = timeZone

for (const element of document.querySelectorAll('time[data-local]')) {
  const at = new Date(element.dateTime)
  const [isShort, second] = ['short', 'seconds'].map((word) => element.dataset.local.includes(word))
  const write = (options, tag = isFrench ? 'fr-CA' : 'en-GB') =>
    new Intl.DateTimeFormat(tag, options).format(at).replace(/\s/g, '\u00A0')
  const time = { minute: '2-digit', ...(second && { second: '2-digit' }) }
  const dayIn = (zone) =>
    write({ dateStyle: isShort ? 'medium' : 'long', timeZone: zone }).replace(isFrench ? /^1(?!\d)/ : /^$/, '1er')
  const clockIn = (zone) => write({ hour: isFrench ? 'numeric' : '2-digit', ...time, hourCycle: 'h23', timeZone: zone })
  const nameOf = (timeZoneName) =>
    new Intl.DateTimeFormat(isFrench ? 'fr-CA' : 'en-CA', { timeZone, timeZoneName })
      .formatToParts(at)
      .find(({ type }) => type === 'timeZoneName').value
  const [day, clock] = [dayIn(timeZone), clockIn(timeZone)]
  const between = isFrench ? ' à\u00A0' : ', '
  const utc = `${clockIn('UTC')}\u00A0UTC`
  const isSame = day === dayIn('UTC')
  if (isSame && clock === clockIn('UTC')) element.textContent = day + between + utc
  else {
    const spoken = isFrench
      ? `${clock}, ${nameOf('longGeneric')}`
      : `${write({ hour: 'numeric', ...time, timeZone }, 'en-CA')} ${nameOf('longGeneric')}`
    const own = isShort ? `${clock}\u00A0${nameOf('short')}` : spoken
    element.textContent = `${day}${between}${own} (${isSame ? utc : dayIn('UTC') + between + utc})`
  }
}
