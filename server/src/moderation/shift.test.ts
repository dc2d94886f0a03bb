import { beforeAll, expect, test } from "vitest";
import { handoverKeptMs, onShiftMs, shiftBreakMs } from "@fava/wire/limits.ts";
import { ModerationWorld } from "#test/fixtures/moderation-world.ts";
import { forgetHandovers, readShift, writeDeskText } from "./shift.ts";

let world: ModerationWorld;
let mia: bigint;
let noor: bigint;

beforeAll(async () => {
  world = await ModerationWorld.open();
  [mia, noor] = [await world.moderator("Mia"), await world.moderator("Noor")];
});

const at = () => new Date(world.clock.nowMs());
const openDesk = async (userId: bigint) =>
  world.cases.handlers.adminDesk(await world.contextOf(userId), { user_id: Number(userId) });
const shiftFor = async (userId: bigint) => readShift(world.db, await world.viewer(userId), at());
const write = async (userId: bigint, what: "handover" | "answer1" | "answer2" | "answer3", text: string) =>
  writeDeskText(world.db, await world.viewer(userId), { what, text, at: at() });

test("lists moderators whose desk is open, since their last absence", async () => {
  const begun = world.clock.nowMs();
  await openDesk(mia);
  world.clock.advance(60_000);
  await openDesk(noor);
  await openDesk(mia);
  expect((await shiftFor(mia)).people).toEqual([
    { name: "Mia", since: begun, mine: true },
    { name: "Noor", since: begun + 60_000, mine: false },
  ]);
  world.clock.advance(onShiftMs);
  expect((await shiftFor(mia)).people).toEqual([]);
  await openDesk(mia);
  expect((await shiftFor(mia)).people).toMatchObject([{ since: begun }]);
  world.clock.advance(shiftBreakMs + 1);
  await openDesk(mia);
  expect((await shiftFor(mia)).people).toMatchObject([{ since: world.clock.nowMs() }]);
  await world.db.updateTable("users").set({ role: 0 }).where("id", "=", mia).execute();
  expect((await shiftFor(noor)).people).toEqual([]);
  await world.db.updateTable("users").set({ role: 2 }).where("id", "=", mia).execute();
});

test("shows one handover note a moderator for seven days, to replace or delete", async () => {
  await write(mia, "handover", "  R-20001 waits for a second look ");
  world.clock.advance(1);
  await write(noor, "handover", "quiet night");
  await write(mia, "handover", "R-20002 too");
  const notes = async () => (await shiftFor(noor)).notes.map(({ name, mine, text }) => [name, mine, text]);
  expect(new Set(await notes())).toEqual(
    new Set([
      ["Noor", true, "quiet night"],
      ["Mia", false, "R-20002 too"],
    ]),
  );
  await write(mia, "handover", " ");
  expect(await notes()).toEqual([["Noor", true, "quiet night"]]);
  world.clock.advance(handoverKeptMs);
  expect(await notes()).toEqual([]);
  await write(noor, "answer1", "stays");
  await forgetHandovers(world.db, at());
  const kept = await world.db.selectFrom("desk_texts").select("what").where("user_id", "=", noor).execute();
  expect(kept).toEqual([{ what: "answer1" }]);
});

test("keeps three answers for their author alone", async () => {
  await write(mia, "answer2", "Please read rule 3.");
  await write(mia, "answer3", "Thank you for writing.");
  expect((await shiftFor(mia)).answers).toEqual(["", "Please read rule 3.", "Thank you for writing."]);
  expect((await shiftFor(noor)).answers).not.toContain("Please read rule 3.");
  await write(mia, "answer2", "");
  expect((await shiftFor(mia)).answers).toEqual(["", "", "Thank you for writing."]);
});
