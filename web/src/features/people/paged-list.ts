/** One answer of a list that comes page by page. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  /** Null on the last page. */
  readonly next: string | null;
  readonly total?: number;
}

/** One page that is asked for; `cursor` undefined: the first. A new object is a new question. */
interface Ask {
  readonly cursor: string | undefined;
}

interface Ready<Row> {
  status: "ready";
  rows: readonly Row[];
  /** As the newest page says; null for lists that are not counted. */
  total: number | null;
  next: string | null;
  more: "idle" | "loading" | "failed";
}

/** A list as it is shown. Only the answer to the present `ask` counts; a late one to an older changes nothing. */
export type PagedList<Row> = { ask: Ask } & ({ status: "loading" } | { status: "failed" } | Ready<Row>);

export type PagedEvent<Row> =
  /** From the beginning, with nothing shown meanwhile. */
  | { type: "anew" }
  /** From the beginning; the present rows stay until the answer, and where none comes. */
  | { type: "refresh" }
  | { type: "more" }
  | { type: "loaded"; ask: Ask; page: Page<Row>; keyOf: (row: Row) => number }
  | { type: "failed"; ask: Ask };

export const firstAsk: { ask: Ask; status: "loading" } = { ask: { cursor: undefined }, status: "loading" };

/** Pure; whoever shows the list asks the server for every new `ask`. */
export function stepPaged<Row>(list: PagedList<Row>, event: PagedEvent<Row>): PagedList<Row> {
  switch (event.type) {
    case "anew":
      return { ask: { cursor: undefined }, status: "loading" };
    case "refresh":
      if (list.status === "ready") return { ...list, ask: { cursor: undefined }, more: "idle" };
      return { ask: { cursor: undefined }, status: "loading" };
    case "more":
      if (list.status !== "ready" || list.next === null || list.more === "loading") return list;
      return { ...list, ask: { cursor: list.next }, more: "loading" };
    case "loaded":
      return event.ask === list.ask ? loaded(list, event) : list;
    case "failed":
      if (event.ask !== list.ask) return list;
      if (list.status !== "ready") return { ask: list.ask, status: "failed" };
      return list.more === "loading" ? { ...list, more: "failed" } : list;
  }
}

/** Somebody may have moved to a later page since the one before was read: nobody is shown twice. */
function loaded<Row>(
  list: PagedList<Row>,
  { ask, page, keyOf }: Extract<PagedEvent<Row>, { type: "loaded" }>,
): PagedList<Row> {
  const before = list.status === "ready" && ask.cursor !== undefined ? list.rows : [];
  const present = new Set(before.map(keyOf));
  const rows = [...before, ...page.rows.filter((row) => !present.has(keyOf(row)))];
  return { ask, status: "ready", rows, total: page.total ?? null, next: page.next, more: "idle" };
}
