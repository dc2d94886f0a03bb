/** One entry of a list in the export; written as JSON. */
export type Entry = Readonly<Record<string, unknown>>;

const pageRows = 500;

/**
 * Reads page after page behind the last row of the one before, so that a long list takes no more memory than a page.
 *
 * @param read answers at most so many rows, in order, behind the last one.
 */
export async function* paged<Row>(read: (last: Row | null, limit: number) => Promise<Row[]>): AsyncGenerator<Row> {
  let last: Row | null = null;
  for (;;) {
    const rows: Row[] = await read(last, pageRows);
    yield* rows;
    last = rows.at(-1) ?? null;
    if (rows.length < pageRows) return;
  }
}
