// The fonts of pictures. Pages name system fonts, which differ between machines, so a picture names fonts that npm installs instead.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** Package → its style sheets. The packages of Arabic and Hebrew draw the names that the fonts before them lack. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  '@fontsource-variable/inter': ['index.css'],
  '@fontsource/charis-sil': ['400.css', '700.css'],
  '@fontsource-variable/jetbrains-mono': ['index.css'],
  '@fontsource-variable/noto-naskh-arabic': ['index.css'],
  '@fontsource-variable/noto-sans-hebrew': ['index.css'],
}
const OTHER_WRITINGS = "'Noto Naskh Arabic Variable', 'Noto Sans Hebrew Variable'"
const SANS = "'Inter Variable'"
const MONO = "'JetBrains Mono Variable'"

export interface PictureFonts {
  /** Declares every font, with URLs below `/fonts/`. */
  css: string
  /** `css`, and the custom properties of the style sheets of pages. */
  pageCss: string
  /** The file of a URL below `/fonts/`. */
  read(path: string): Buffer
}

/** @throws Error if a font is not installed, because a picture in another font shows line breaks that the design does not have */
export function loadPictureFonts(): PictureFonts {
  const css = Object.entries(PACKAGES).flatMap(([name, sheets]) =>
    sheets.map((sheet) => fileOf(`${name}/${sheet}`).toString().replaceAll('url(./', `url(/fonts/${name}/`)),
  )
  const tokens = {
    '--sans': `${SANS}, ${OTHER_WRITINGS}`,
    '--serif': `'Charis SIL', ${OTHER_WRITINGS}`,
    '--mono': MONO,
  }
  const declarations = Object.entries(tokens).map(([token, fonts]) => `${token}: ${fonts}, sans-serif;`)
  return {
    css: css.join('\n'),
    pageCss: [...css, `:root { ${declarations.join(' ')} }`].join('\n'),
    read: (path) => fileOf(path.slice('/fonts/'.length)),
  }
}

/** A mail names its fonts in inline styles: the first sans and the first monospaced font. */
export const inPictureFonts = (mail: string): string =>
  mail
    .replaceAll('font-family:Segoe UI', `font-family:${SANS},${OTHER_WRITINGS},Segoe UI`)
    .replaceAll('font-family:Menlo', `font-family:${MONO},Menlo`)

function fileOf(path: string): Buffer {
  try {
    return readFileSync(require.resolve(path))
  } catch (cause) {
    throw new Error(`Pictures need the font file ${path}. Run "npm ci", which installs it.`, { cause })
  }
}
