import { pino } from "pino";
import { expect, test } from "vitest";
import { buildApp } from "#app.ts";
import { beanWorld, minuteHold } from "#test/fixtures/bean-world.ts";
import { expectSoundLedger } from "#test/fixtures/check-ledger.ts";
import { readConfig } from "./config.ts";

/** No people of the sandbox: their numbers would meet those of the test's. */
const realProviders = {
  GOOGLE_CLIENT_ID: "client",
  FACEBOOK_APP_ID: "app",
  FACEBOOK_APP_SECRET: "secret",
  APPLE_CLIENT_ID: "client",
  APPLE_REDIRECT_URI: "https://fava.example/apple",
};

test("[BEANS-280] the product gives back what a crash cut off before it listens", async () => {
  const world = await beanWorld();
  const { database, ledger } = world;
  const ana = await world.person(10_000n);
  const minute = (number: number) => minuteHold(ana, { id: "cut-off", minute: number, amount: 1_600n });
  await ledger.hold(minute(1));
  await ledger.settleHold(minute(1).key, 1_600n);
  await ledger.hold(minute(2));
  const serverSecret = "secret of the tests, long enough to be one";
  const logger = pino({ level: "silent" });
  const config = readConfig(realProviders);
  for (const start of ["first", "second"]) {
    await using app = await buildApp({ config, database, serverSecret, logger });
    expect([start, app.http.server.listening, await ledger.account(ana)]).toEqual([
      start,
      false,
      { balance: 10_000n, held: 0n, debt: 0n },
    ]);
  }
  expect(await ledger.openHolds()).toEqual([]);
  await expectSoundLedger(database.db);
});
