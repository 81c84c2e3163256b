// A table of Markdown sentences. The first cell names its row; on a phone each row becomes a block with labels (reference.css).
import { InlineText } from './inline-text.js'

export function Table({ columns, rows }: { columns: readonly string[]; rows: readonly (readonly string[])[] }) {
  return (
    <table class="reference-table">
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.join('|')}>
            {row.map((cell, at) =>
              at === 0 ? (
                <th key={at} scope="row" data-label={columns[at]}>
                  <span>
                    <InlineText text={cell} />
                  </span>
                </th>
              ) : (
                <td key={at} data-label={columns[at]}>
                  <span>
                    <InlineText text={cell} />
                  </span>
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
