// Files that cost a check as much as they can. For tests and benchmarks.
import { randomFillSync } from 'node:crypto'
import { constants, deflateRawSync } from 'node:zlib'

const MEBIBYTE = 1_048_576

/** A deflate stream of some kilobytes that inflates to `mebibytes` of zeros. */
export function deflateBomb(mebibytes: number): Buffer {
  const block = deflateRawSync(Buffer.alloc(MEBIBYTE), { level: 9, finishFlush: constants.Z_FULL_FLUSH })
  const end = Buffer.from([0x03, 0x00, 0, 0, 0, 0])
  return Buffer.concat([Buffer.from([0x78, 0xda]), ...Array.from({ length: mebibytes }, () => block), end])
}

/** A PDF with one attachment, `evidence.jws`, whose compressed bytes are `stream`. */
export function pdfWithAttachment(stream: Buffer): Buffer {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R /Names << /EmbeddedFiles << /Names [(evidence.jws) 3 0 R] >> >> >>',
    '<< /Type /Pages /Kids [] /Count 0 >>',
    '<< /Type /Filespec /F (evidence.jws) /UF (evidence.jws) /EF << /F 4 0 R >> >>',
    `<< /Type /EmbeddedFile /Filter /FlateDecode /Length ${stream.length} >>`,
  ]
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')]
  const offsets: number[] = []
  const length = () => parts.reduce((sum, part) => sum + part.length, 0)
  for (const [index, object] of objects.entries()) {
    offsets.push(length())
    parts.push(Buffer.from(`${index + 1} 0 obj\n${object}\n`))
    if (index === 3) parts.push(Buffer.from('stream\n'), stream, Buffer.from('\nendstream\n'))
    parts.push(Buffer.from('endobj\n'))
  }
  const xref = length()
  const rows = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  parts.push(Buffer.from(`xref\n0 5\n0000000000 65535 f \n${rows}trailer\n<< /Size 5 /Root 1 0 R >>\n`))
  return Buffer.concat([...parts, Buffer.from(`startxref\n${xref}\n%%EOF\n`)])
}

/** Random bytes that begin like a PDF. */
export function noise(bytes: number): Buffer {
  const file = randomFillSync(Buffer.allocUnsafe(bytes))
  file.write('%PDF-1.7\n', 'latin1')
  return file
}
