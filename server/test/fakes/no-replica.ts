import type { ReadReplica } from "#db/replica.ts";

/** The primary answers everything, as without a replica. */
export const noReplica: Pick<ReadReplica, "isThere" | "read"> = {
  isThere: false,
  read: (primary, work) => work(primary),
};
