import { type Kysely, sql } from "kysely";
import type { Logger } from "pino";
import type { MailTestOutcome } from "@fava/wire/endpoints/operator.ts";
import { mailsKeptMs } from "@fava/wire/limits.ts";
import type { MailOutbox } from "#db/mail-outbox.ts";
import type { Database } from "#db/schema.ts";
import type { ServerSecret } from "#lib/server-secret.ts";
import type { Clock } from "#ports/clock.ts";
import type { Mailer, MailOutcome } from "#ports/mailer.ts";
import type { MailFacts, MailTemplate } from "#ports/mails.ts";
import { type Receiver, writtenMail } from "./mail-writing.ts";
import type { MailTokens } from "./mail-tokens.ts";

interface MailSenderOptions {
  db: Kysely<Database>;
  clock: Clock;
  /** Null: the site sends no mails. */
  mailer: Mailer | null;
  outbox: Pick<MailOutbox, "opened" | "addresses">;
  tokens: MailTokens;
  serverSecret: ServerSecret;
  /** The site's origin; null in development. */
  publicOrigin: string | null;
  logger: Pick<Logger, "error">;
}

interface DueMail {
  readonly id: bigint;
  readonly user_id: bigint | null;
  readonly template: MailTemplate;
  readonly matter: string;
  readonly language: string;
  readonly sealed: Buffer;
  readonly tries: number;
}

interface Addressed {
  readonly template: MailTemplate;
  readonly facts: MailFacts[MailTemplate];
  readonly receiver: Receiver;
  readonly to: string;
  /** Distinguishes this mail from all others of the site. */
  readonly no: string;
}

/** Minutes from an attempt to the next one, and after the last one until a mail whose server crashed is given up. */
const pausesMin = [1, 5, 30, 120, 720, 60];
const attemptsMax = pausesMin.length;
const atOnce = 4;
/** After a failure of the mail server. */
const restMs = 30_000;

/**
 * Sends due mails, from any server (rules MAIL-3, MAIL-4). A mail is claimed until its next attempt: a crash after the
 * mail server took it sends it once more, with the same `Message-ID`.
 */
export class MailSender {
  readonly figures: Record<MailOutcome | "given_up", number> = {
    sent: 0,
    bounced: 0,
    failed: 0,
    unreachable: 0,
    given_up: 0,
  };
  readonly #options: MailSenderOptions;
  #isRunning = false;
  #restUntilMs = -Infinity;

  constructor(options: MailSenderOptions) {
    this.#options = options;
  }

  /** One run at a time, because a mail server that hangs must not keep all job workers busy. */
  async sendDue(): Promise<void> {
    const { mailer, clock } = this.#options;
    if (!mailer || this.#isRunning || clock.monotonicMs() < this.#restUntilMs) return;
    this.#isRunning = true;
    try {
      await Promise.all(Array.from({ length: atOnce }, () => this.#sendOneByOne(mailer)));
    } finally {
      this.#isRunning = false;
    }
    await this.#giveUpCrashed();
    await this.#options.db
      .deleteFrom("mails")
      .where("ended_at", "<", new Date(clock.nowMs() - mailsKeptMs))
      .execute();
  }

  /** Sends a test mail to a user's confirmed address, once and at once. Stores nothing. */
  async sendTest(userId: bigint): Promise<MailTestOutcome> {
    const { db, clock, mailer, outbox } = this.#options;
    if (!mailer) return "no_mail";
    const row = await db
      .selectFrom("mail_addresses")
      .innerJoin("users", "users.id", "mail_addresses.user_id")
      .select(["users.language", "mail_addresses.sealed", "mail_addresses.confirmed_at"])
      .where("users.id", "=", userId)
      .executeTakeFirst();
    if (!row?.sealed || !row.confirmed_at) return "no_address";
    const atMs = clock.nowMs();
    const outcome = await this.#deliver(mailer, {
      template: "test",
      facts: { atMs },
      receiver: { userId, language: row.language, confirmedAtMs: row.confirmed_at.getTime() },
      to: outbox.addresses.open(userId, row.sealed),
      no: `test-${userId}-${atMs}`,
    });
    this.figures[outcome] += 1;
    return outcome === "bounced" || outcome === "failed" ? "refused" : outcome;
  }

  async #sendOneByOne(mailer: Mailer): Promise<void> {
    const { clock } = this.#options;
    while (clock.monotonicMs() >= this.#restUntilMs) {
      const due = await this.#nextDue();
      if (!due) return;
      const outcome = await this.#send(mailer, due);
      this.figures[outcome] += 1;
      if (outcome === "unreachable") this.#restUntilMs = clock.monotonicMs() + restMs;
      await this.#end(due, outcome);
    }
  }

  async #nextDue(): Promise<DueMail | undefined> {
    const { db, clock } = this.#options;
    const at = new Date(clock.nowMs());
    const { rows } = await sql<DueMail>`
      update mails set tries = tries + 1,
        due_at = ${at}::timestamptz + (${pausesMin}::integer[])[tries + 1] * interval '1 minute'
      where id = (
        select id from mails where due_at <= ${at} and state = 'waiting' and tries < ${attemptsMax}
        order by due_at, id limit 1 for update skip locked
      )
      returning id, user_id, template, matter, language, sealed, tries`.execute(db);
    return rows[0];
  }

  async #send(mailer: Mailer, due: DueMail): Promise<MailOutcome> {
    const { outbox, logger } = this.#options;
    const { id, user_id: userId, template, language } = due;
    try {
      const { to, facts, confirmedAtMs } = outbox.opened(due);
      const receiver = { userId, language, confirmedAtMs };
      return await this.#deliver(mailer, { template, facts, receiver, to, no: String(id) });
    } catch (error) {
      // Such as facts that were sealed with another secret.
      logger.error({ err: error, mail: String(id) }, "failed to write a mail");
      return "bounced";
    }
  }

  #deliver(mailer: Mailer, { no, to, receiver, ...mail }: Addressed): Promise<MailOutcome> {
    const { clock, tokens, publicOrigin } = this.#options;
    return mailer.send({
      ...writtenMail(mail, { receiver, tokens, origin: publicOrigin ?? "" }),
      id: `${no}.${this.#hashOf(no)}@${mailer.domain}`,
      to,
      at: new Date(clock.nowMs()),
    });
  }

  async #end({ id, tries }: DueMail, outcome: MailOutcome): Promise<void> {
    const isOver = outcome === "sent" || outcome === "bounced";
    if (!isOver && tries < attemptsMax) return;
    if (!isOver) this.figures.given_up += 1;
    const at = new Date(this.#options.clock.nowMs());
    await this.#options.db
      .updateTable("mails")
      .set({ state: isOver ? outcome : "failed", sealed: null, due_at: null, ended_at: at })
      .where("id", "=", id)
      .execute();
  }

  /** Ends mails whose server crashed during the last attempt. */
  async #giveUpCrashed(): Promise<void> {
    const at = new Date(this.#options.clock.nowMs());
    const { numUpdatedRows } = await this.#options.db
      .updateTable("mails")
      .set({ state: "failed", sealed: null, due_at: null, ended_at: at })
      .where("state", "=", "waiting")
      .where("tries", ">=", attemptsMax)
      .where((row) => row.or([row("due_at", "<=", at), row("due_at", "is", null)]))
      .executeTakeFirst();
    this.figures.given_up += Number(numUpdatedRows);
  }

  /** Ids alone would show how many mails the site sends. */
  #hashOf(no: string): string {
    return this.#options.serverSecret.mac(`mail-id/v1\0${no}`).toString("hex").slice(0, 24);
  }
}
