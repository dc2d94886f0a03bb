import type { Registry } from "prom-client";
import type { ReadReplica } from "#db/replica.ts";
import { addCounters, addGauges, addLabelled, peerMetrics } from "#lib/figures.ts";
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
  addGauges(metrics, [["fava_people_present", "People with a chat session", () => hub.presentCount()]]);
  peerMetrics(metrics, peers);
  replicaMetrics(metrics, replica);
  blobMetrics(metrics, blobs);
  drainMetrics(metrics, { drain, homes });
}

function drainMetrics(metrics: Registry, { drain, homes }: Stopping): void {
  addGauges(metrics, [
    ["fava_draining", "Whether this process is about to stop", () => Number(drain?.isDraining ?? false)],
    ["fava_draining_rooms", "Calls that it waits for, to stop", () => drain?.roomsWaitedFor ?? 0],
  ]);
  addCounters(metrics, [
    ["fava_sockets_moved_total", "Chat sessions that went on at another process", () => homes.handed],
  ]);
}

function replicaMetrics(metrics: Registry, replica: Measured["replica"]): void {
  const unknown = replica.isThere ? Number.POSITIVE_INFINITY : 0;
  const seconds = () => (replica.lagMs === null ? unknown : replica.lagMs / 1_000);
  addGauges(metrics, [["fava_replica_lag_seconds", "How old what the replica answers may be", seconds]]);
  addCounters(metrics, [
    ["fava_replica_fallbacks_total", "Questions that the primary answered in its place", () => replica.fallbacks],
  ]);
}

function blobMetrics(metrics: Registry, blobs: Measured["blobs"]): void {
  addLabelled(metrics, {
    name: "fava_blobs_failures_total",
    help: "Requests to the storage of pictures and files that failed",
    label: "operation",
    read: () => blobs.failures,
  });
}
