import { join } from "node:path";
import { runningEmbeddedUrl } from "@fava/server/db/embedded.ts";
import { openDatabase } from "@fava/server/db/pool.ts";
import type { Product } from "./product.ts";

/** Queries the running product's own database, for what no page shows. */
export async function rowsOf(
  { dataDirectory }: Pick<Product, "dataDirectory">,
  text: string,
  values: readonly unknown[] = [],
): Promise<Record<string, unknown>[]> {
  const url = await runningEmbeddedUrl({ directory: join(dataDirectory, "postgres"), log: () => undefined });
  if (url === null) throw new Error("the product has no database of its own");
  await using database = openDatabase(url, { max: 1 });
  const { rows } = await database.pool.query<Record<string, unknown>>(text, [...values]);
  return rows;
}
