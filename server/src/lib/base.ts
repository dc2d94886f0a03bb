import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { Registry } from "prom-client";
import type { MailOutbox } from "#db/mail-outbox.ts";
import type { ReadReplica } from "#db/replica.ts";
import type { Database } from "#db/schema.ts";
import type { ServerSecret } from "./server-secret.ts";
import type { Clock } from "#ports/clock.ts";
import type { Peers } from "#ports/peers.ts";
import type { Random } from "#ports/random.ts";
import type { Limits } from "#ports/rate-limits.ts";
import type { Settings } from "#ports/settings.ts";
import type { DisposalStack } from "./disposal-stack.ts";

export interface Base {
  readonly settings: Settings;
  readonly db: Kysely<Database>;
  /** Separate connections to the same database, with a long statement timeout. */
  readonly jobs: Kysely<Database>;
  readonly replica: ReadReplica;
  readonly clock: Clock;
  readonly random: Random;
  readonly limits: Limits;
  readonly peers: Peers;
  readonly serverSecret: ServerSecret;
  readonly mails: MailOutbox;
  readonly metrics: Registry;
  readonly logger: Logger;
  /** Each part is added where it is created, and disposed in reverse order. */
  readonly disposal: DisposalStack;
}
