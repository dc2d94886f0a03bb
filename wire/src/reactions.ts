/** Reactions in a call and to a message, in the order in which they are offered. */
export const reactions = ["heart", "laugh", "wow", "thumb", "wave", "party"] as const;
export type Reaction = (typeof reactions)[number];
