import type { Matched } from "#calls/room-service.ts";

/** One side of a call, as the match made it. */
export function matchedFor(userId: bigint, price: number): Matched {
  const country = { country_id: 18, country_name: "", country_flag: "" };
  const card = {
    user_id: Number(userId),
    external_id: `ext-${userId}`,
    nickname: "",
    avatar: "",
    sex: 1 as const,
    ...country,
  };
  return { userId, card, price, isEnough: 1, sinceMs: 0 };
}
