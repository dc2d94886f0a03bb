import { pino } from "pino";
import { expect, test } from "vitest";
import { buildApp } from "#app.ts";
import { readConfig } from "#config.ts";
import { Ledger } from "#features/beans/ledger.ts";
import { beanWorld, minuteHold } from "#testing/bean-world.ts";
import { expectSoundLedger } from "#testing/check-ledger.ts";

test("[BEANS-280] the product gives back what a crash cut off before it listens", async () => {
  const { database, clock, ledger, person } = await beanWorld();
  const ana = await person(10_000n);
  const minute = (number: number) => minuteHold(ana, { id: "cut-off", minute: number, amount: 1_600n });
  await ledger.hold(minute(1));
  await ledger.settleHold(minute(1).key, 1_600n);
  await ledger.hold(minute(2));
  const serverSecret = "secret of the tests, long enough to be one";
  const logger = pino({ level: "silent" });
  const config = readConfig({});
  for (const start of ["first", "second"]) {
    await using app = await buildApp({ config, database, serverSecret, logger });
    expect([start, app.http.server.listening, await ledger.account(ana)]).toEqual([
      start,
      false,
      { balance: 10_000n, held: 0n, debt: 0n },
    ]);
  }
  expect(await new Ledger({ db: database.db, clock }).openHolds()).toEqual([]);
  await expectSoundLedger(database.db);
});
