import { CircleAlert } from "lucide-react";
import { type ReactNode, useState } from "react";
import { type CallState, type InRoom, isInRoom } from "#features/call/machine/call-state.ts";
import { useAnnounced } from "#lib/announce.ts";
import { isolate } from "#lib/format.ts";
import { type Key, type Translate, useT } from "#lib/i18n.ts";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { CallNotice } from "./CallNotice.tsx";
import { type VideoShown, useVideoShown } from "./video-shown.ts";

type Told = "warned" | "covered" | "nobody" | "still" | "weak" | "busy";

const texts: Readonly<Record<Told, { title: Key; text: readonly Key[] }>> = {
  warned: { title: "shield.warned", text: ["shield.warnedText"] },
  covered: { title: "shield.covered", text: ["shield.coveredText"] },
  nobody: { title: "shield.nobody", text: ["shield.nobodyText"] },
  still: { title: "shield.still", text: ["shield.stillText"] },
  weak: { title: "shield.weak", text: ["shield.weakOwn", "shield.goesOn"] },
  busy: { title: "shield.busy", text: ["shield.busyText"] },
};

function toldOf({ shield: { own, own_why: why } }: InRoom): Told | null {
  if (own === "clear") return null;
  if (why) return why;
  if (own === "checking") return null;
  return own === "missing" ? "weak" : own;
}

/**
 * Tells the sender that the partner cannot see the video, why, and what happens next. It disappears by itself.
 */
export function OwnNotice({ room }: { room: InRoom }): ReactNode {
  const t = useT();
  const told = toldOf(room);
  if (!told) return null;
  const { title, text } = texts[told];
  return (
    <CallNotice
      icon={CircleAlert}
      title={t(title, { name: isolate(room.match.remote.nickname) })}
      text={text.map((key) => t(key))}
      link={told === "warned" ? <RulesLink /> : null}
    />
  );
}

function RulesLink(): ReactNode {
  const t = useT();
  return (
    <a href="/communityRules" target="_blank" rel="noopener">
      {t("shield.rules")}
      <VisuallyHidden>({t("common.newWindow")})</VisuallyHidden>
    </a>
  );
}

/** Announces each change of either video once, politely. */
export function VideoBlurAnnouncer({ call }: { call: CallState }): ReactNode {
  return isInRoom(call) && call.status === "in-call" && <Announcer key={call.match.roomId} room={call} />;
}

function Announcer({ room }: { room: InRoom }): null {
  const t = useT();
  const shown = useVideoShown(room);
  const [first] = useState(shown);
  const told = toldOf(room);
  const name = isolate(room.match.remote.nickname);
  // A video that was visible from the start needs no announcement.
  useAnnounced(shown === "shown" && first === "shown" ? "" : shownWords(shown, t, name));
  useAnnounced(room.shield.other_still ? t("shield.stillOther", { name }) : "");
  useAnnounced(told ? [texts[told].title, ...texts[told].text].map((key) => t(key, { name })).join(". ") : "");
  return null;
}

function shownWords(shown: VideoShown, t: Translate, name: string): string {
  switch (shown) {
    case "checking":
      return t("shield.checking");
    case "hidden":
      return `${t("shield.hidden")}. ${t("shield.hiddenText")}`;
    case "weak":
      return `${t("shield.weak")}. ${t("shield.weakOther", { name })}`;
    case "busy":
      return `${t("shield.busy")}. ${t("shield.busyText")}`;
    case "kept":
      return t("shield.kept");
    case "shown":
      return t("shield.seen");
  }
}
