import type { MatchFilters } from "@fava/wire/beans.ts";
import { useEffect, useRef } from "react";
import { useStore } from "zustand";
import { type CallState, type PreviousCall, searchShown } from "#features/call/machine/call-state.ts";
import { callStore } from "#features/call/machine/call-store.ts";
import { relaxedFilters } from "#features/call/machine/relaxed-filters.ts";
import { announce } from "#lib/announce.ts";
import { isolate } from "#lib/format.ts";
import { type Key, type MessageValues, useT } from "#lib/i18n.ts";

interface Announcement {
  key: Key;
  values?: MessageValues;
}

const farewells: Readonly<Record<PreviousCall["why"], Key>> = {
  left: "search.left",
  "not-joined": "search.notJoined",
  lost: "search.lost",
  cut: "shield.cut",
};

/**
 * Announces each change of the call to screen readers once, without the screens' delay: the partner, that they left, that
 * the connection is lost. A match is announced with its first frame, or once that is late.
 */
export function CallAnnouncer(): null {
  const t = useT();
  const call = useStore(callStore, (now) => now.call);
  const before = useRef<CallState | null>(null);
  useEffect(() => {
    const said = announcementsOf(before.current, call).map(({ key, values }) => t(key, values));
    before.current = call;
    if (said.length > 0) announce(said.join(". "));
  }, [call, t]);
  return null;
}

/** Only a filtered search can be widened. */
const widenKey = (wish: MatchFilters): Key => (relaxedFilters(wish).length > 0 ? "search.widen" : "search.few");

/** The announcement of a change of state; empty where only a detail changed. */
export function announcementsOf(before: CallState | null, now: CallState): readonly Announcement[] {
  switch (now.status) {
    case "idle":
      return [];
    case "searching": {
      // A repeated request is still the same search.
      if (before?.status === "searching" && before.sinceMs === now.sinceMs)
        return [
          ...(now.widen && !before.widen ? [{ key: widenKey(now.wish) }] : []),
          ...(now.told > before.told ? [{ key: "search.told", values: { count: now.told } } as const] : []),
        ];
      const { previous, wish } = now;
      if (!previous && wish.meet) return [{ key: "search.waitingFor", values: { name: isolate(wish.meet.nickname) } }];
      if (!previous) return [{ key: "search.title" }];
      const name = isolate(previous.match.remote.nickname);
      return [{ key: farewells[previous.why], values: { name } }, { key: "search.next" }];
    }
    case "ringing": {
      const key = now.way === "out" ? "ring.calling" : "ring.connecting";
      return before?.status === "ringing" ? [] : [{ key, values: { name: isolate(now.friend.nickname) } }];
    }
    case "returning":
      return [{ key: "openCall.going", values: { name: isolate(now.match.remote.nickname) } }];
    case "connecting":
      if (before?.status === "ringing" && before.way === "out")
        return [{ key: "ring.connecting", values: { name: isolate(before.friend.nickname) } }];
      return before && searchShown(before) && !searchShown(now) ? [{ key: "search.found" }] : [];
    case "in-call": {
      const { nickname, country_name: country } = now.match.remote;
      if (before?.status !== "in-call") return [{ key: "call.matched", values: { name: isolate(nickname), country } }];
      if (before.media === now.media && (now.media === "playing" || before.peer === now.peer)) return [];
      if (now.media === "playing") return [{ key: "reconnect.back" }];
      if (now.peer === "here") return [{ key: "reconnect.title" }];
      return [{ key: "openCall.may", values: { name: isolate(nickname) } }];
    }
  }
}
