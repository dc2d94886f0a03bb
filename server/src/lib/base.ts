import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { Registry } from "prom-client";
import type { ReadReplica } from "#db/replica.ts";
import type { Database } from "#db/schema.ts";
import type { Clock } from "#ports/clock.ts";
import type { Peers } from "#ports/peers.ts";
import type { Random } from "#ports/random.ts";
import type { Limits } from "#ports/rate-limits.ts";
import type { Settings } from "#ports/settings.ts";
import type { DisposalStack } from "./disposal-stack.ts";

/** What every domain is built on. Its `open.ts` takes this and names whatever else it needs. */
export interface Base {
  readonly settings: Settings;
  readonly db: Kysely<Database>;
  /** The same database for work that may take long. */
  readonly jobs: Kysely<Database>;
  readonly replica: ReadReplica;
  readonly clock: Clock;
  readonly random: Random;
  readonly limits: Limits;
  readonly peers: Peers;
  readonly serverSecret: string;
  /** Each part adds its own figures. */
  readonly metrics: Registry;
  readonly logger: Logger;
  /** Takes each part where it is made, and ends the latest first. */
  readonly disposal: DisposalStack;
}
