import { signInByApi, type Who } from "../e2e/support/session.ts";
import { rowsOf } from "../e2e/support/product-database.ts";
import type { ServedProduct } from "./served-product.ts";

/** Calls that an account needs before it counts as known. */
const calls = 10;
const ageDays = 30;

/**
 * Creates accounts and marks them in the database as a month old with passed calls. The first picture of a new account
 * is always covered, so only that would be measured.
 */
export async function signInAsKnown(product: ServedProduct, people: readonly Who[]): Promise<void> {
  for (const who of people) await signInByApi(product.url, who);
  await makeKnown(product);
}

/** Marks all existing accounts as known. */
export async function makeKnown(product: ServedProduct): Promise<void> {
  await rowsOf(
    product,
    `update users set created_at = created_at - interval '${ageDays} days', passed_calls = ${calls}`,
  );
  await rowsOf(
    product,
    `insert into calls (id, offerer_id, answerer_id, offerer_price, answerer_price, matched_at, connected_at, ended_at, end_reason)
     select '~' || floor(extract(epoch from now()) / 86400) || 'known-' || one.id || '-' || number, one.id, other.id, 0, 0, at, at, at + interval '1 minute', 'next'
     from users one
     cross join lateral (select id from users where id <> one.id order by id limit 1) other
     cross join generate_series(1, ${calls}) number
     cross join lateral (select now() - number * interval '1 minute' as at) moment`,
  );
}
