import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SocialEvent } from "@fava/wire/messages.ts";
import { systemClock } from "@fava/server/adapters/local/clock.ts";
import { systemRandom } from "@fava/server/adapters/local/random.ts";
import { startEmbedded } from "@fava/server/db/embedded.ts";
import { migrate } from "@fava/server/db/migrate.ts";
import { openDatabase, type OpenedDatabase } from "@fava/server/db/pool.ts";
import { ensureOfficial } from "@fava/server/people/official.ts";
import { MessageService } from "@fava/server/people/message-service.ts";
import { SocialService } from "@fava/server/people/social-service.ts";
import { TextRulesService } from "@fava/server/moderation/text-service.ts";
import { createLogger } from "@fava/server/edge/http/logger.ts";
import { percentile } from "./percentile.ts";
import { cpuUse } from "./process-tree.ts";
import type { BenchmarkOptions, BenchmarkReport } from "./report.ts";

const connections = 20;
const writersAtOnce = [1, 8, 32] as const;
const writeMs = 8_000;
const quickWriteMs = 1_000;
const conversationCounts = [10, 1_000, 10_000] as const;
const lists = 400;
const quickLists = 40;
/** Conversations with something unread, of everybody who has so many. */
const unreadConversations = 10;

/** Messages through the services of one process, every one stored on disk before it is answered, and what lists cost. */
export async function benchMessages({ isQuick }: BenchmarkOptions): Promise<BenchmarkReport> {
  const directory = await mkdtemp(join(tmpdir(), "fava-bench-messages-"));
  try {
    await using server = await startEmbedded({ directory, log: (message) => console.error(message) });
    await using database = openDatabase(server.url, { max: connections });
    await migrate(database.db);
    return await measureAll(database, isQuick);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function measureAll(database: OpenedDatabase, isQuick: boolean): Promise<BenchmarkReport> {
  const receipts = new Receipts();
  const messages = await messageService(database, receipts);
  const people = await makePeople(database, Math.max(...conversationCounts) + conversationCounts.length);
  const written: Figures[] = [];
  for (const writers of writersAtOnce) {
    const pairs = people.slice(0, writers * 2);
    written.push(await write(messages, receipts, { pairs, forMs: isQuick ? quickWriteMs : writeMs }));
  }
  const listed: Figures[] = [];
  for (const [at, count] of conversationCounts.entries()) {
    const owner = people.at(-1 - at)!;
    await fillList(database, owner, people.slice(0, count));
    listed.push(await readLists(messages, owner, isQuick ? quickLists : lists));
  }
  const row = (name: string, { perSecond, tookMs, cpuMs }: Figures) => [
    name,
    perSecond,
    percentile(tookMs, 50),
    percentile(tookMs, 99),
    cpuMs?.product ?? "",
    cpuMs?.database ?? "",
  ];
  const [, thousand, tenThousand] = listed.map(({ tookMs }) => percentile(tookMs, 50));
  return {
    title: "Messages: one process, real database",
    columns: ["", "a second", "p50 ms", "p99 ms", "product CPU ms each", "database CPU ms each"],
    rows: [
      ...written.map((figures, at) => row(`messages, ${writersAtOnce[at]} writers: send to receipt`, figures)),
      ...listed.map((figures, at) => row(`list of ${conversationCounts[at]} conversations, first page`, figures)),
    ],
    goals: [
      {
        name: "messages, 32 writers",
        unit: "a second",
        better: "higher",
        reach: 300,
        measured: written.at(-1)!.perSecond,
      },
      {
        name: "list of 10,000 conversations against 1,000",
        unit: "times",
        better: "lower",
        reach: 1.5,
        measured: tenThousand! / thousand!,
      },
    ],
    notes: [
      `${(isQuick ? quickWriteMs : writeMs) / 1_000} s each on the embedded PostgreSQL with durable commits and ${connections} connections; product and database share the machine`,
      "each writer sends to a friend of its own, one message after the other; receipt: the event is on the friend's chat session; without HTTP and WebSocket",
      `lists one after the other, ${unreadConversations} conversations unread in each`,
    ],
  };
}

interface Figures {
  perSecond: number;
  tookMs: readonly number[];
  /** Processor time of one of them, in milliseconds, which a busy machine does not change; null where it is not known. */
  cpuMs: { product: number; database: number } | null;
}

/** Runs `work`, which says how long each thing it did took. */
async function measure(work: () => Promise<readonly number[]>): Promise<Figures> {
  const before = cpuUse(process.pid);
  const beganMs = performance.now();
  const tookMs = await work();
  const perSecond = (tookMs.length * 1_000) / (performance.now() - beganMs);
  const after = cpuUse(process.pid);
  const cpuMs = before &&
    after && {
      product: (after.ownMs - before.ownMs) / tookMs.length,
      database: (after.childrenMs - before.childrenMs) / tookMs.length,
    };
  return { perSecond, tookMs, cpuMs };
}

/** Stands where sockets would: when a message reached the one it was written to. */
class Receipts {
  readonly atMs = new Map<string, number>();

  isPresent(): boolean {
    return true;
  }

  pass(): boolean {
    return false;
  }

  social(_userId: bigint, event: SocialEvent): boolean {
    if (event.kind === "message" && event.message.position === "left")
      this.atMs.set(event.message.clientId, performance.now());
    return true;
  }
}

async function messageService({ db }: OpenedDatabase, bus: Receipts): Promise<MessageService> {
  const [clock, random, logger] = [systemClock, systemRandom, createLogger({ level: "warn" })];
  const social = new SocialService({ db, bus, unreadTotal: async () => 0, clock, logger });
  return new MessageService({
    db,
    directory: social,
    turns: social.turns,
    texts: new TextRulesService({ db, clock }),
    bus,
    limits: { take: async () => null, waitSeconds: async () => null },
    clock,
    logger,
    official: await ensureOfficial({ db, clock, random, email: "bench@example.com" }),
  });
}

/** Every second person writes to the one behind. */
async function write(
  messages: MessageService,
  receipts: Receipts,
  { pairs, forMs }: { pairs: readonly bigint[]; forMs: number },
): Promise<Figures> {
  const tookMs: number[] = [];
  const endMs = performance.now() + forMs;
  const writer = async (from: bigint, to: bigint) => {
    for (let number = 0; performance.now() < endMs; number += 1) {
      const clientId = `${pairs.length}-${from}-${number}`;
      const sentMs = performance.now();
      const text = "see you tomorrow at the usual time";
      await messages.send({ userId: from, language: "en" }, { externalId: externalIdOf(to), clientId, text });
      const receivedMs = receipts.atMs.get(clientId);
      if (receivedMs === undefined) throw new Error("a message was answered and never received");
      tookMs.push(receivedMs - sentMs);
    }
  };
  return measure(async () => {
    await Promise.all(pairs.flatMap((from, at) => (at % 2 === 0 ? [writer(from, pairs[at + 1]!)] : [])));
    return tookMs;
  });
}

function readLists(messages: MessageService, userId: bigint, times: number): Promise<Figures> {
  return measure(async () => {
    const tookMs: number[] = [];
    for (let time = 0; time < times; time += 1) {
      const startMs = performance.now();
      await messages.conversations({ userId, language: "en" }, { box: 0, before: 9_223_372_036_854_775_807n });
      tookMs.push(performance.now() - startMs);
    }
    return tookMs;
  });
}

function externalIdOf(userId: bigint): string {
  return `bench-${userId}`;
}

/** Each is a friend of the next. */
async function makePeople({ pool }: OpenedDatabase, count: number): Promise<bigint[]> {
  const { rows } = await pool.query<{ id: bigint }>(
    `insert into users (user_no, external_id, nickname, country_id)
     select (20000000 + number)::text, 'made-' || number, 'bench', 18 from generate_series(1, $1::integer) as number
     returning id`,
    [count],
  );
  await pool.query("update users set external_id = 'bench-' || id where external_id like 'made-%'");
  const people = rows.map(({ id }) => id);
  await pool.query(
    `insert into follows (user_id, other_id, at)
     select one, other, now() from (
       select id as one, lead(id) over (order by id) as other from unnest($1::bigint[]) as id
     ) as pair where other is not null
     union all
     select other, one, now() from (
       select id as one, lead(id) over (order by id) as other from unnest($1::bigint[]) as id
     ) as pair where other is not null`,
    [people.map(String)],
  );
  await analyze(pool);
  return people;
}

/** A conversation with each of them, one message long. */
async function fillList({ pool }: OpenedDatabase, owner: bigint, others: readonly bigint[]): Promise<void> {
  await pool.query(
    `with made as (
       insert into conversations (low_id, high_id, accepted, created_at)
       select other, $1, true, now() from unnest($2::bigint[]) as other
       returning id, low_id
     ), written as (
       insert into messages (conversation_id, sender_id, client_id, kind, text, sent_at)
       select id, low_id, 'filled-' || id, 'text', 'hello', now() from made
       returning id, conversation_id, sender_id
     )
     insert into conversation_sides (user_id, other_id, conversation_id, last_message_id, unread_count)
     select $1, sender_id, conversation_id, id, case when row_number() over (order by id desc) <= $3 then 1 else 0 end
     from written
     union all
     select sender_id, $1, conversation_id, id, 0 from written`,
    [owner, others.map(String), unreadConversations],
  );
  await analyze(pool);
}

/** As the database does by itself after a while. */
async function analyze(pool: OpenedDatabase["pool"]): Promise<void> {
  await pool.query("analyze");
}
