import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SocialEvent } from "@fava/wire/messages.ts";
import { systemClock } from "@fava/server/adapters/local/clock.ts";
import { systemRandom } from "@fava/server/adapters/local/random.ts";
import { LocalShortMemory } from "@fava/server/adapters/local/short-memory.ts";
import { startEmbedded } from "@fava/server/db/embedded.ts";
import { migrate } from "@fava/server/db/migrate.ts";
import { openDatabase, type OpenedDatabase } from "@fava/server/db/pool.ts";
import { ensureOfficial } from "@fava/server/people/official.ts";
import { MessageService } from "@fava/server/people/message-service.ts";
import { SocialService } from "@fava/server/people/social-service.ts";
import { StandingMessages } from "@fava/server/people/standing-messages.ts";
import { TextRulesService } from "@fava/server/moderation/text-service.ts";
import { noTextFindings } from "@fava/server/test/fakes/no-text-findings.ts";
import { createLogger } from "@fava/server/edge/http/logger.ts";
import { percentile } from "./percentile.ts";
import { cpuUse } from "./process-tree.ts";
import type { BenchmarkOptions, BenchmarkReport, Goal } from "./report.ts";

const connections = 20;
const writersAtOnce = [1, 8, 32] as const;
/** By turns, so that whatever else the machine does meets both ways and all lists alike. */
const rounds = 4;
const writeMs = 2_000;
const quickWriteMs = 300;
const conversationCounts = [10, 1_000, 10_000] as const;
/** Of a round, which are shorter and more than those of messages. */
const lists = 20;
const listRounds = 20;
const quickListRounds = 2;
/** Conversations with something unread, of everybody who has so many. */
const unreadConversations = 10;
/** Messages that are stored with others in one call, and each by itself, as all were before (decision 026). */
const ways = ["together", "singly"] as const;
type Way = (typeof ways)[number];

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
  const services = await messageServices(database, receipts);
  const people = await makePeople(database, Math.max(...conversationCounts) + conversationCounts.length);
  const written = new Map<string, Figures>();
  for (const writers of writersAtOnce) {
    const pairs = people.slice(0, writers * 2);
    for (let round = 0; round < rounds; round += 1) {
      for (const way of ways) {
        const forMs = isQuick ? quickWriteMs : writeMs;
        const name = `messages, ${writers} writers, ${way}`;
        add(written, name, await write(services[way], receipts, { pairs, forMs, label: `${name} ${round}` }));
      }
    }
  }
  const listed = new Map<string, Figures>();
  const owners = conversationCounts.map((count, at) => ({ count, owner: people.at(-1 - at)! }));
  for (const { count, owner } of owners) await fillList(database, owner, people.slice(0, count));
  for (let round = 0; round < (isQuick ? quickListRounds : listRounds); round += 1) {
    for (const { count, owner } of owners) {
      add(listed, listName(count), await readLists(services.together, owner, lists));
    }
  }
  return {
    title: "Messages: one process, real database",
    columns: ["", "a second", "p50 ms", "p99 ms", "product CPU ms each", "database CPU ms each"],
    rows: [...written, ...listed].map(([name, { forMs, tookMs, cpuMs }]) => [
      name,
      (tookMs.length * 1_000) / forMs,
      percentile(tookMs, 50),
      percentile(tookMs, 99),
      cpuMs ? cpuMs.product / tookMs.length : "",
      cpuMs ? cpuMs.database / tookMs.length : "",
    ]),
    goals: goalsOf(written, listed),
    notes: [
      `${rounds} rounds of ${(isQuick ? quickWriteMs : writeMs) / 1_000} s each by turns, on the embedded PostgreSQL with durable commits and ${connections} connections; product and database share the machine`,
      "each writer sends to a friend of its own, one message after the other; from sending to the event on the friend's chat session; without HTTP and WebSocket",
      `lists one after the other, first page, ${unreadConversations} conversations unread in each`,
    ],
  };
}

function listName(count: number): string {
  return `list of ${count} conversations`;
}

function goalsOf(written: ReadonlyMap<string, Figures>, listed: ReadonlyMap<string, Figures>): readonly Goal[] {
  const most = `messages, ${writersAtOnce.at(-1)} writers`;
  const [together, singly] = ways.map((way) => written.get(`${most}, ${way}`)!);
  const [, thousand, tenThousand] = conversationCounts.map((count) => listed.get(listName(count))!);
  const middle = ({ tookMs }: Figures) => percentile(tookMs, 50);
  const goals: Goal[] = [
    {
      name: `${most}, together`,
      unit: "a second",
      better: "higher",
      reach: 1_500,
      measured: (together!.tookMs.length * 1_000) / together!.forMs,
    },
    {
      name: "list of 10,000 conversations against 1,000",
      unit: "times",
      better: "lower",
      reach: 1.2,
      measured: middle(tenThousand!) / middle(thousand!),
    },
  ];
  const cpuMsEach = ({ cpuMs, tookMs }: Figures) => (cpuMs ? (cpuMs.product + cpuMs.database) / tookMs.length : null);
  const [shared, alone] = [cpuMsEach(together!), cpuMsEach(singly!)];
  if (shared !== null && alone !== null) {
    const name = `${most}: processor time of one, together against singly`;
    goals.push({ name, unit: "times", better: "lower", reach: 0.25, measured: shared / alone });
  }
  return goals;
}

interface Figures {
  /** For how long it was done. */
  forMs: number;
  tookMs: readonly number[];
  /** Processor time of all of it, which a busy machine changes less than the time it took; null where it is not known. */
  cpuMs: { product: number; database: number } | null;
}

/** Runs `work`, which says how long each thing it did took. */
async function measure(work: () => Promise<readonly number[]>): Promise<Figures> {
  const before = cpuUse(process.pid);
  const beganMs = performance.now();
  const tookMs = await work();
  const forMs = performance.now() - beganMs;
  const after = cpuUse(process.pid);
  const cpuMs = before &&
    after && { product: after.ownMs - before.ownMs, database: after.childrenMs - before.childrenMs };
  return { forMs, tookMs, cpuMs };
}

/** One more round of what has that name. */
function add(all: Map<string, Figures>, name: string, round: Figures): void {
  const sum = all.get(name);
  if (!sum) {
    all.set(name, round);
    return;
  }
  const cpuMs = sum.cpuMs &&
    round.cpuMs && {
      product: sum.cpuMs.product + round.cpuMs.product,
      database: sum.cpuMs.database + round.cpuMs.database,
    };
  all.set(name, { forMs: sum.forMs + round.forMs, tookMs: [...sum.tookMs, ...round.tookMs], cpuMs });
}

/** Stands where sockets would: when a message reached the one it was written to. */
class Receipts {
  readonly atMs = new Map<string, number>();

  async isPresent(): Promise<boolean> {
    return true;
  }

  pass(): void {}

  social(_userId: bigint, event: SocialEvent): void {
    if (event.kind === "message" && event.message.position === "left")
      this.atMs.set(event.message.clientId, performance.now());
  }
}

async function messageServices({ db }: OpenedDatabase, bus: Receipts): Promise<Record<Way, MessageService>> {
  const [clock, random, logger] = [systemClock, systemRandom, createLogger({ level: "warn" })];
  const social = new SocialService({
    db,
    bus,
    shortMemory: new LocalShortMemory({ clock }),
    unreadTotal: async () => 0,
    unwrittenCalls: { here: () => [], between: async () => [] },
    limits: { take: async () => null, waitSeconds: async () => null },
    clock,
    logger,
  });
  const { turns } = social;
  const options = {
    db,
    directory: social,
    turns,
    texts: new TextRulesService({ db, log: noTextFindings }),
    bus,
    limits: { take: async () => null, waitSeconds: async () => null },
    notifications: { wroteToAbsent: () => undefined },
    clock,
    logger,
    official: await ensureOfficial({ db, clock, random, email: "bench@example.com" }),
  };
  return {
    together: new MessageService({ ...options, standing: new StandingMessages({ db, turns, logger }) }),
    singly: new MessageService({ ...options, standing: { send: async () => null } }),
  };
}

/** Every second person writes to the one behind. */
async function write(
  messages: MessageService,
  receipts: Receipts,
  { pairs, forMs, label }: { pairs: readonly bigint[]; forMs: number; label: string },
): Promise<Figures> {
  const tookMs: number[] = [];
  const endMs = performance.now() + forMs;
  const writer = async (from: bigint, to: bigint) => {
    for (let number = 0; performance.now() < endMs; number += 1) {
      const clientId = `${label} ${from} ${number}`;
      const sentMs = performance.now();
      const text = "see you tomorrow at the usual time";
      await messages.send({ userId: from, language: "en" }, { externalId: externalIdOf(to), clientId, text });
      const receivedMs = receipts.atMs.get(clientId);
      if (receivedMs === undefined) throw new Error("a message was answered and never received");
      receipts.atMs.delete(clientId);
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
