import { statfs } from "node:fs/promises";
import { sql } from "kysely";
import type { Logger } from "pino";
import type { Registry } from "prom-client";
import type { OpenedDatabase } from "#db/pool.ts";
import type { ReadReplica } from "#db/replica.ts";
import { addCounters, addGauges, addLabelledCounter, addQueriedGauge, peerMetrics } from "#lib/metric-registration.ts";
import type { Peers } from "#ports/peers.ts";
import type { Drain } from "./drain.ts";
import type { Hub } from "./socket/hub.ts";
import type { PersonHomes } from "./socket/person-homes.ts";

interface Stopping {
  drain: Pick<Drain, "isDraining" | "roomsWaitedFor"> | null;
  homes: Pick<PersonHomes, "handed">;
}

interface Measured extends Stopping {
  hub: Pick<Hub, "presentCount">;
  peers: Pick<Peers, "figures" | "onAsked">;
  replica: Pick<ReadReplica, "isThere" | "lagMs" | "fallbacks">;
  blobs: { readonly failures: Readonly<Record<string, number>> };
}

export function serverMetrics(metrics: Registry, measured: Measured): void {
  const { hub, peers, replica, blobs, drain, homes } = measured;
  addGauges(metrics, [["fava_people_present", "Users with a chat session", () => hub.presentCount()]]);
  peerMetrics(metrics, peers);
  replicaMetrics(metrics, replica);
  blobMetrics(metrics, blobs);
  drainMetrics(metrics, { drain, homes });
}

interface Resources {
  database: Pick<OpenedDatabase, "db" | "pool">;
  dataDirectory: string;
  redisMemory: () => Promise<Readonly<Record<string, number>>>;
  logger: Pick<Logger, "warn">;
}

/** What runs out: connections, disk and the memory of Redis. */
export function resourceMetrics(metrics: Registry, resources: Resources): void {
  const { database, dataDirectory, redisMemory, logger } = resources;
  const { pool } = database;
  addGauges(metrics, [
    ["fava_database_waiting", "Requests that wait for a connection of this server", () => pool.waitingCount],
  ]);
  addQueriedGauge(metrics, {
    name: "fava_database_connections",
    help: "Connections of PostgreSQL: used by all its clients, and the limit for clients without special rights",
    label: "of",
    read: () => connectionsOf(database),
    logger,
  });
  addQueriedGauge(metrics, {
    name: "fava_disk_bytes",
    help: "Disk of DATA_DIR: free for this server, and its size",
    label: "of",
    read: async () => {
      const { bavail, blocks, bsize } = await statfs(dataDirectory);
      return { free: bavail * bsize, size: blocks * bsize };
    },
    logger,
  });
  addQueriedGauge(metrics, {
    name: "fava_redis_memory_bytes",
    help: "Memory of Redis: used, and its limit if it has one",
    label: "of",
    read: redisMemory,
    logger,
  });
}

async function connectionsOf({ db }: Pick<OpenedDatabase, "db">) {
  // Unlike `pg_stat_activity`, this view shows the clients of other roles to everybody.
  const { rows } = await sql<{ used: number; limit: number }>`
    select sum(numbackends)::integer as used, current_setting('max_connections')::integer
      - current_setting('superuser_reserved_connections')::integer as limit
    from pg_stat_database where datid <> 0`.execute(db);
  return rows[0] ?? {};
}

function drainMetrics(metrics: Registry, { drain, homes }: Stopping): void {
  addGauges(metrics, [
    ["fava_draining", "Whether this server is draining", () => Number(drain?.isDraining ?? false)],
    ["fava_draining_rooms", "Calls that the drain waits for", () => drain?.roomsWaitedFor ?? 0],
  ]);
  addCounters(metrics, [["fava_sockets_moved_total", "Chat sessions handed to another server", () => homes.handed]]);
}

function replicaMetrics(metrics: Registry, replica: Measured["replica"]): void {
  const unknown = replica.isThere ? Number.POSITIVE_INFINITY : 0;
  const seconds = () => (replica.lagMs === null ? unknown : replica.lagMs / 1_000);
  addGauges(metrics, [["fava_replica_lag_seconds", "Maximum age of the replica's data", seconds]]);
  addCounters(metrics, [
    [
      "fava_replica_fallbacks_total",
      "Reads that the primary answered in place of the replica",
      () => replica.fallbacks,
    ],
  ]);
}

function blobMetrics(metrics: Registry, blobs: Measured["blobs"]): void {
  addLabelledCounter(metrics, {
    name: "fava_blobs_failures_total",
    help: "Failed requests to the file storage, by operation",
    label: "operation",
    read: () => blobs.failures,
  });
}
