import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { EndpointError } from "#lib/errors.ts";
import { seededRandom } from "#test/fakes/random.ts";
import { type AccountWorld, accountWorld } from "#test/fixtures/account-world.ts";

let world: AccountWorld;

beforeAll(async () => {
  world = await accountWorld();
});

type Person = Awaited<ReturnType<AccountWorld["person"]>>;

async function friends(round: string): Promise<[Person, Person]> {
  const [ana, bo] = [await world.person(`Ana ${round}`), await world.person(`Bo ${round}`)];
  await world.met(ana.userId, bo.userId);
  await world.social.follow(ana.userId, bo.userId, true);
  await world.social.follow(bo.userId, ana.userId, true);
  for (const { userId } of [ana, bo]) world.bus.arrive(userId);
  return [ana, bo];
}

/** Makes the call after `turns` round trips to the database. Returns its refusal, or null. */
async function later(turns: number, call: () => Promise<unknown>): Promise<string | null> {
  for (let turn = 0; turn < turns; turn += 1) await sql`select 1`.execute(world.db);
  return call().then(
    () => null,
    (error: unknown) => {
      if (error instanceof EndpointError) return error.message;
      throw error;
    },
  );
}

async function deleteAccount(person: Person): Promise<void> {
  const { user_no } = await world.userRow(person.userId);
  await world.handlers.accountDel(person, { user_id: Number(person.userId), user_no });
}

const send = (from: Person, to: Person, clientId: string) =>
  world.messages.send(
    { userId: from.userId, language: "en" },
    { externalId: to.session.externalId, clientId, text: "still there?" },
  );
const listOf = ({ userId }: Person) =>
  world.messages.conversations({ userId, language: "en" }, { list: 0, before: 10n ** 18n });

function toldTo({ userId }: Person): string[] {
  return world.bus.take(userId).flatMap((got) => ("type" in got && got.type === "social" ? [got.event.kind] : []));
}

test.each(Array.from({ length: 6 }, (_, seed) => seed))(
  "shows nothing of an account that is deleted while both write to each other (seed %i)",
  async (seed) => {
    const random = seededRandom(seed);
    const [ana, bo] = await friends(String(seed));
    const outcomes = await Promise.all([
      later(random.integer(0, 8), () => deleteAccount(bo)),
      later(random.integer(0, 12), () => send(ana, bo, `to-${seed}`)),
      later(random.integer(0, 12), () => send(bo, ana, `from-${seed}`)),
      later(random.integer(0, 12), () => send(ana, bo, `again-${seed}`)),
    ]);
    expect(outcomes[0]).toBeNull();
    expect(outcomes.filter((outcome) => outcome !== null && outcome !== "not_met")).toEqual([]);
    const { conversations, unread_total } = await listOf(ana);
    expect(conversations.map(({ state }) => state)).toEqual(["official"]);
    expect(unread_total).toBe(0);
    expect(
      toldTo(ana)
        .filter((kind) => kind === "message" || kind === "hidden")
        .at(-1),
    ).toBe("hidden");
    const wrong = await sql`
      select user_id from conversation_sides as side where unread_count <> (
        select count(*) from messages
        where conversation_id = side.conversation_id and sender_id = side.other_id and id > side.read_up_to and kind = 'text'
      )`.execute(world.db);
    expect(wrong.rows).toEqual([]);
  },
);
