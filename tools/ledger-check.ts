import { readConfig } from "@fava/server/config.ts";
import { joinConfigured } from "@fava/server/db/configured.ts";
import { openDatabase } from "@fava/server/db/pool.ts";
import { checkLedger } from "@fava/server/billing/ledger-check.ts";
import { startFailure } from "@fava/server/start-message.ts";

/** `npm run ledger:check`: checks the ledger of the configured database; exits with 1 if it finds an error. */
async function main(): Promise<void> {
  await using server = await joinConfigured(readConfig());
  await using database = openDatabase(server.url, { max: 1 });
  const { rows } = await database.pool.query<{ found: boolean }>(
    "select to_regclass('bean_transfers') is not null as found",
  );
  if (!rows[0]?.found) {
    console.error("this database has no ledger yet: start the product once");
    process.exitCode = 1;
    return;
  }
  const { transferCount, accountCount, findings } = await checkLedger(database.jobs);
  console.log(`${transferCount} transfers, accounts of ${accountCount} people`);
  for (const { name, breachCount, breaches } of findings) {
    console.log(`${breachCount === 0 ? "holds " : "BROKEN"}  ${name}`);
    for (const breach of breaches) console.log(`          ${breach}`);
    if (breachCount > breaches.length) console.log(`          and ${breachCount - breaches.length} more`);
  }
  if (findings.some(({ breachCount }) => breachCount > 0)) process.exitCode = 1;
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${startFailure(error)}\n`);
  process.exitCode = 1;
}
