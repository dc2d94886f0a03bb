import { uncheckedCountdownMs } from "@fava/wire/limits.ts";
import { Hourglass } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { InRoom } from "#features/call/machine/call-state.ts";
import { useAnnounced } from "#lib/announce.ts";
import { formatNumber, isolate } from "#lib/format.ts";
import { type Key, useT } from "#lib/i18n.ts";
import { halfSecondMs, useNow } from "#lib/use-now.ts";
import { CallNotice } from "./CallNotice.tsx";

/** Before all other notices, in the last seconds of a call that ends for want of frames of either side. */
export function UncheckedEnd({ room }: { room: InRoom }): ReactNode {
  const { ends } = room;
  return ends && <Countdown key={`${room.match.roomId} ${ends.whose}`} room={room} ends={ends} />;
}

type Ends = NonNullable<InRoom["ends"]>;

function Countdown({ room, ends }: { room: InRoom; ends: Ends }): ReactNode {
  const now = useNow(halfSecondMs);
  const leftMs = ends.atMs - now;
  if (leftMs > uncheckedCountdownMs) return null;
  const seconds = Math.max(0, Math.ceil(leftMs / 1_000));
  return <Bar room={room} whose={ends.whose} seconds={seconds} />;
}

/** States only what the frames prove; null: nothing is known about the partner's. */
function reasonOf({ shield }: InRoom, whose: Ends["whose"]): Key | null {
  if (whose === "other") return shield.other_why === "weak" ? "shield.weakOther" : null;
  const { own } = shield;
  return own === "covered" || own === "nobody" || own === "still" ? `shield.${own}` : "shield.weakOwn";
}

interface BarProps {
  room: InRoom;
  whose: Ends["whose"];
  seconds: number;
}

/** Screen readers announce it once, with the seconds at its start. */
function Bar({ room, whose, seconds }: BarProps): ReactNode {
  const t = useT();
  const [first] = useState(seconds);
  const ends = (n: number) => t("shield.ends", { n, count: formatNumber(n) });
  const key = reasonOf(room, whose);
  const reason = key && t(key, { name: isolate(room.match.remote.nickname) });
  useAnnounced([ends(first), reason].filter((words) => words !== null).join(". "));
  return <CallNotice icon={Hourglass} title={ends(seconds)} text={reason === null ? [] : [reason]} />;
}
