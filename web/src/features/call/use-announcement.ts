import { useT } from "#lib/i18n.ts";
import type { CallState } from "./call-state.ts";

/** What a screen reader is told when the state changes: with whom, that they left, that the connection is lost. */
export function useAnnouncement(call: CallState): string {
  const t = useT();
  switch (call.status) {
    case "idle":
      return "";
    case "searching": {
      const { previous } = call;
      if (!previous) return t("search.title");
      const name = previous.match.remote.nickname;
      const said = {
        left: "search.left",
        "not-joined": "search.notJoined",
        lost: "search.lost",
        cut: "shield.cut",
      } as const;
      return `${t(said[previous.why], { name })}. ${t("search.next")}`;
    }
    case "connecting":
      return t("search.found");
    case "in-call": {
      const { nickname: name, country_name: country } = call.match.remote;
      return call.media === "reconnecting" ? t("reconnect.title") : t("call.matched", { name, country });
    }
  }
}
