import { beforeAll, expect, test } from "vitest";
import { type AccountWorld, accountWorld } from "#test/fixtures/account-world.ts";
import { findClusters } from "./clusters.ts";

let world: AccountWorld;
beforeAll(async () => {
  world = await accountWorld();
});

async function signedIn(name: string, from: { ip: string; device: string }): Promise<bigint> {
  const { userId } = await world.person(name);
  await world.db.deleteFrom("login_events").where("user_id", "=", userId).execute();
  const at = new Date(world.clock.nowMs());
  await world.db
    .insertInto("login_events")
    .values({ user_id: userId, ip: from.ip, device_id: from.device, user_agent: "", at })
    .execute();
  return userId;
}

async function ban(userId: bigint): Promise<void> {
  await world.db
    .insertInto("bans")
    .values({ user_id: userId, reason_id: 1, reason: "", created_at: new Date(world.clock.nowMs()), until: null })
    .execute();
}

async function run(dryRun: boolean) {
  const opened: bigint[] = [];
  await findClusters({
    db: world.db,
    clock: world.clock,
    dryRun,
    moderation: {
      note: async ({ userId, rule }) => {
        const at = new Date(world.clock.nowMs());
        await world.db.insertInto("signals").values({ user_id: userId, rule, dry_run: dryRun, at }).execute();
        return 1;
      },
      open: async ({ subjectId }) => {
        opened.push(subjectId);
        return 1n;
      },
    },
  });
  return opened;
}

test("opens one case a month for sharing a device, or an address of few accounts, with a banned user", async () => {
  const banned = await signedIn("Banned", { ip: "198.51.100.1", device: "d-1" });
  await ban(banned);
  const sameDevice = await signedIn("Device", { ip: "198.51.100.2", device: "d-1" });
  const sameAddress = await signedIn("Address", { ip: "198.51.100.1", device: "d-2" });
  const stranger = await signedIn("Stranger", { ip: "198.51.100.3", device: "d-3" });
  const cleared = await signedIn("Cleared", { ip: "198.51.100.1", device: "" });
  await world.db
    .insertInto("unrelated_accounts")
    .values({
      low_id: cleared < banned ? cleared : banned,
      high_id: cleared < banned ? banned : cleared,
      by_id: stranger,
      at: new Date(world.clock.nowMs()),
    })
    .execute();
  expect(new Set(await run(false))).toEqual(new Set([sameDevice, sameAddress]));
  expect(await run(false)).toEqual([]);
});

test("ignores an address of many accounts, and opens no case in a dry run", async () => {
  const banned = await signedIn("Banned B", { ip: "198.51.100.9", device: "d-9" });
  await ban(banned);
  for (const name of ["A", "B", "C", "D", "E"]) await signedIn(`Crowd ${name}`, { ip: "198.51.100.9", device: "" });
  expect(await run(false)).toEqual([]);
  await signedIn("Dry", { ip: "203.0.113.77", device: "d-9" });
  expect(await run(true)).toEqual([]);
});
