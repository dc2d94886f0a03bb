import { signInByCall, type Who } from "../e2e/support/session.ts";
import { rowsOf } from "../e2e/support/product-database.ts";
import type { ServedProduct } from "./served-product.ts";

/** Calls that an account needs before it counts as known. */
const calls = 10;
const ageDays = 30;

/**
 * Makes the accounts of new people, and writes into the database that they are a month old and have had calls in which
 * their picture passed: whoever is new is covered at first in any case, and would measure only that.
 */
export async function signInAsKnown(product: ServedProduct, people: readonly Who[]): Promise<void> {
  for (const who of people) await signInByCall(product.url, who);
  await makeKnown(product);
}

/** The same for all accounts that are there already. */
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
