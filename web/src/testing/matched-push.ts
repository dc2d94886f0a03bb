import { type MatchedPush, pushCodes } from "@fava/wire/pushes.ts";

/** A match in `roomId`, as push 100_001 brings it; this side is the offerer, without a prepared offer. */
export function matchedPush(
  roomId: string,
  change: Partial<Omit<MatchedPush, "media">> & { media?: Partial<MatchedPush["media"]> } = {},
): MatchedPush {
  const { media, ...rest } = change;
  return {
    code: pushCodes.matched,
    roomId,
    token: `token-${roomId}`,
    user_Id: 8,
    id: `match-${roomId}`,
    externalId: "x-bo",
    is_enough: 1,
    remote: {
      user_id: 8,
      external_id: "x-bo",
      nickname: "bo",
      avatar: "/media/bo.webp",
      sex: 1,
      country_id: 5,
      country_name: "Brazil",
      country_flag: "/flags/BR.svg",
      price: 0,
    },
    returned: null,
    ...rest,
    media: { kind: "p2p", role: "offerer", iceServers: [], policy: "all", peerOffer: null, ...media },
  };
}
