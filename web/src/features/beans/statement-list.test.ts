import { expect, test } from "vitest";
import { firstList, type StatementList, type StatementPage, stepStatement } from "./StatementSheet.tsx";

const row = (id: string) => ({ id }) as StatementPage["rows"][number];
const page = (ids: string[], next: string | null): StatementPage => ({ rows: ids.map(row), next });
const ids = (list: StatementList) => (list.status === "ready" ? list.rows.map(({ id }) => id) : []);
const answered = (list: StatementList, rows: StatementPage) =>
  stepStatement(list, { type: "loaded", ask: list.ask, page: rows });
const unanswered = (list: StatementList) => stepStatement(list, { type: "failed", ask: list.ask });
const more = (list: StatementList) => stepStatement(list, { type: "more" });

test("[BEANS-360] pages follow each other by the cursor until the last one", () => {
  const asking = more(answered(firstList, page(["3", "2"], "2")));
  expect(asking).toMatchObject({ ask: { filter: 0, cursor: "2" }, more: "loading" });
  expect(more(asking)).toBe(asking);
  const all = answered(asking, page(["1"], null));
  expect(ids(all)).toEqual(["3", "2", "1"]);
  expect(more(all)).toBe(all);
});

test("[BEANS-360] a page that does not come leaves the rows and can be asked for again", () => {
  const failed = unanswered(more(answered(firstList, page(["3"], "3"))));
  expect(failed).toMatchObject({ status: "ready", more: "failed" });
  expect(ids(failed)).toEqual(["3"]);
  expect(ids(answered(more(failed), page(["2"], null)))).toEqual(["3", "2"]);
});

test("[BEANS-361] another filter begins anew, and late answers to what was asked before are dropped", () => {
  const all = answered(firstList, page(["3"], null));
  const calls = stepStatement(all, { type: "show", filter: 2 });
  expect(calls).toEqual({ ask: { filter: 2, cursor: undefined }, status: "loading" });
  expect(stepStatement(calls, { type: "loaded", ask: all.ask, page: page(["9"], null) })).toBe(calls);
  expect(stepStatement(calls, { type: "failed", ask: all.ask })).toBe(calls);
  expect(ids(answered(calls, page(["1"], null)))).toEqual(["1"]);
});

test("[BEANS-360] a statement that could not be loaded says so until it is asked for again", () => {
  const failed = unanswered(firstList);
  expect(failed.status).toBe("failed");
  const again = stepStatement(failed, { type: "show", filter: 0 });
  expect(again.status).toBe("loading");
  expect(again.ask).not.toBe(failed.ask);
});
