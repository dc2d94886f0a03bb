import type { Registry } from "prom-client";
import type { ReadReplica } from "#db/replica.ts";
import { addCounters, addGauges, addLabelledCounter, peerMetrics } from "#lib/metric-registration.ts";
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
