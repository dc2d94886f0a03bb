import pg from "pg";
import { vi } from "vitest";

/** How the database means to run every statement of `work`, as it explains it itself, each with its text before it. */
export async function plansOf(pool: pg.Pool, work: () => Promise<unknown>): Promise<string[]> {
  const query = vi.spyOn(pg.Client.prototype, "query");
  const statements: { text: string; values: unknown[] }[] = [];
  try {
    await work();
    for (const [statement] of query.mock.calls as unknown as [unknown][])
      if (isStatement(statement)) statements.push({ text: statement.text, values: statement.values ?? [] });
  } finally {
    query.mockRestore();
  }
  const plans: string[] = [];
  for (const { text, values } of statements) {
    const { rows } = await pool.query<{ "QUERY PLAN": string }>(`explain ${text}`, values);
    plans.push([text, ...rows.map((row) => row["QUERY PLAN"])].join("\n"));
  }
  return plans;
}

function isStatement(value: unknown): value is { text: string; values?: unknown[] } {
  if (typeof value !== "object" || value === null || !("text" in value)) return false;
  return typeof value.text === "string" && /^\s*(?:\/\*.*\*\/)?\s*(?:select|with)/.test(value.text);
}
