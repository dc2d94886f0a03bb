import type { OutputOf } from "@fava/wire/endpoint.ts";
import type { beanStatement } from "@fava/wire/endpoints/beans.ts";

export type StatementPage = OutputOf<typeof beanStatement>;
export type StatementRow = StatementPage["rows"][number];
export type StatementFilter = 0 | 1 | 2 | 3;

/** One page that is asked for; `cursor` undefined: from the newest row on. A new object is a new question. */
interface Ask {
  readonly filter: StatementFilter;
  readonly cursor: string | undefined;
}

/** The statement as it is shown. Only the answer to the present `ask` counts; a late one to an older changes nothing. */
export type StatementList = { ask: Ask } & (
  | { status: "loading" }
  | { status: "failed" }
  | {
      status: "ready";
      rows: readonly StatementRow[];
      next: string | null;
      more: "idle" | "loading" | "failed";
    }
);

export type StatementEvent =
  /** Another filter, another try, or a transfer that came meanwhile. */
  | { type: "show"; filter: StatementFilter }
  | { type: "more" }
  | { type: "loaded"; ask: Ask; page: StatementPage }
  | { type: "failed"; ask: Ask };

export const firstList: StatementList = { ask: { filter: 0, cursor: undefined }, status: "loading" };

/** Pure; whoever shows the list asks the server for every new `ask`. */
export function stepStatement(list: StatementList, event: StatementEvent): StatementList {
  switch (event.type) {
    case "show":
      return { ask: { filter: event.filter, cursor: undefined }, status: "loading" };
    case "more":
      if (list.status !== "ready" || list.next === null || list.more === "loading") return list;
      return { ...list, ask: { filter: list.ask.filter, cursor: list.next }, more: "loading" };
    case "loaded":
      return event.ask === list.ask ? loaded(list, event.page) : list;
    case "failed":
      if (event.ask !== list.ask) return list;
      return list.status === "ready" ? { ...list, more: "failed" } : { ask: list.ask, status: "failed" };
  }
}

function loaded(list: StatementList, page: StatementPage): StatementList {
  const before = list.status === "ready" ? list.rows : [];
  return { ask: list.ask, status: "ready", rows: [...before, ...page.rows], next: page.next, more: "idle" };
}
