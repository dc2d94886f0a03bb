import type { ReadReplica } from "#db/replica.ts";

/** Sends each read to the primary, as without a replica. */
export const noReplica: Pick<ReadReplica, "isThere" | "read"> = {
  isThere: false,
  read: (primary, work) => work(primary),
};
