// The mark: one stroke, the flourish under a signature. Owns its geometry. Only decoration: a text states the same.
import { logoPath, type LogoFacts } from '@paraph/protocol/brand'

const STROKE = 'M2 15C30 4 78 1 96 5C110 9 76 21 52 20C36 19 44 11 60 11C80 11 94 19 118 9'

// The outline of the same stroke, drawn with a broad nib at -43 degrees, 0.9 to 3.3 wide, tapered at both ends.
const NIB =
  'M2 15Q2 15.1 5.4 14Q8.7 12.8 12.2 12Q15.7 11.2 19.1 10.6Q22.5 9.9 25.9 9.3Q29.3 8.7 32.8 8.1Q36.2 7.5 39.6 7.1Q43 6.6 46.4 6.2Q49.9 5.8 53.5 5.5Q57.1 5.2 60.5 5Q64 4.8 67.5 4.7Q70.9 4.6 74.4 4.6Q77.9 4.6 81.3 4.8Q84.8 4.9 88.2 5.3Q91.6 5.6 94.5 6.5Q97.4 7.4 97.6 7.5Q97.7 7.5 98 7.7Q98.3 7.9 97.9 8.6Q97.5 9.3 95 10.5Q92.6 11.8 89.3 12.9Q86 14.1 82.7 15Q79.4 15.9 75.9 16.6Q72.5 17.3 69.1 17.7Q65.7 18.2 62.2 18.5Q58.8 18.7 55.4 18.7Q52 18.7 48.9 18Q45.8 17.2 45.3 16.9Q44.9 16.6 44.6 16.5Q44.4 16.5 44.4 16Q44.4 15.5 45.4 14.9Q46.5 14.3 49.6 13.5Q52.7 12.7 56.1 12.5Q59.4 12.3 62.9 12.4Q66.3 12.6 69.8 13Q73.3 13.4 76.7 13.8Q80.1 14.3 83.7 14.7Q87.3 15.1 90.7 15.1Q94.2 15 97.8 14.6Q101.4 14.2 104.8 13.3Q108.2 12.5 111.5 11.4Q114.9 10.4 116.5 9.7Q118 9.1 118 9Q118 8.9 116.4 9.5Q114.8 10.1 111.4 11.1Q108.1 12.1 104.7 12.5Q101.3 13 97.7 13Q94.2 13 90.9 12.7Q87.5 12.4 84 12Q80.5 11.6 77 11.1Q73.6 10.6 70.1 10.3Q66.5 9.9 62.9 9.8Q59.4 9.7 55.9 10.2Q52.3 10.6 49 11.8Q45.7 13 44.7 13.8Q43.7 14.7 43 15.3Q42.3 15.9 42.2 17.1Q42.1 18.3 43.3 19.2Q44.4 20.1 48.1 20.7Q51.8 21.3 55.4 21.2Q58.9 21.2 62.4 20.9Q65.9 20.5 69.4 20Q72.9 19.4 76.4 18.7Q79.9 17.9 83.2 16.9Q86.6 15.9 89.9 14.6Q93.2 13.3 95.7 11.7Q98.2 10.1 99 9.4Q99.8 8.7 100.2 7.6Q100.7 6.6 100 5.7Q99.4 4.8 95.7 3.8Q92 2.9 88.5 2.6Q84.9 2.3 81.4 2.2Q77.9 2 74.4 2.1Q70.9 2.1 67.4 2.2Q63.9 2.4 60.4 2.6Q56.9 2.8 53.3 3.2Q49.7 3.5 46.2 3.9Q42.7 4.3 39.3 4.8Q35.9 5.3 32.4 5.9Q28.9 6.5 25.5 7.3Q22.1 8.1 18.8 9.1Q15.4 10.1 12 11.3Q8.6 12.5 5.3 13.7Q2 14.9 2 15Z'

/** The name with its stroke; a link if the site has a home page; the pages of the ceremony have none. */
export function Wordmark({ homeHref }: { homeHref?: string | undefined }) {
  const mark = (
    <>
      <span class="wordmark-name">Paraph</span>
      <svg class="wordmark-stroke" viewBox="0 0 120 24" aria-hidden="true" focusable="false">
        <path d={STROKE} fill="none" stroke="currentColor" stroke-width="2.7" stroke-linecap="round" />
      </svg>
    </>
  )
  if (homeHref === undefined) return <span class="wordmark">{mark}</span>
  return (
    <a class="wordmark" href={homeHref}>
      {mark}
    </a>
  )
}

/** Whose page it is: the logo, or the name of the account. No link, because the pages of the ceremony have no home. [D59] */
export function BrandMark({ name, logo }: { name: string; logo: LogoFacts | null }) {
  if (logo === null)
    return (
      <bdi class="brand-name" dir="auto">
        {name}
      </bdi>
    )
  const { width, height } = logo
  return <img class="brand-logo" src={logoPath(logo)} alt={name} {...{ width, height }} />
}

/** The name of the installation in the foot of a page with a brand. The stroke is Paraph's own. */
const ViaMark = ({ name }: { name: string }) => (name === 'Paraph' ? <Wordmark /> : <strong>{name}</strong>)

/** `via Paraph`, in both languages. */
export const Via = ({ name }: { name: string }) => (
  <p class="via">
    via <ViaMark name={name} />
  </p>
)

/** The flourish on a signed line. Its detail is visible from a width of 130 px. */
export function Flourish() {
  return (
    <svg class="flourish" viewBox="0 0 120 24" aria-hidden="true" focusable="false">
      <path d={NIB} fill="currentColor" />
    </svg>
  )
}
