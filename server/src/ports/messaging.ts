/** What other features need of conversations. */
export interface Messaging {
  /** Whether a message could be sent now: friends and open conversations `yes`, after a call `request`. */
  canMessage(userId: bigint, otherId: bigint): Promise<"yes" | "request" | "no">;
}
