import { CircleAlert } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useSaid } from "#lib/announce.ts";
import { isolate } from "#lib/format.ts";
import { type Key, type Translate, useT } from "#lib/i18n.ts";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { type CallState, type InRoom, isInRoom } from "./call-state.ts";
import { type VideoShown, useVideoShown } from "./video-shown.ts";
import styles from "./Shield.module.css";

type Told = "warned" | "covered" | "missing";

const texts: Readonly<Record<Told, { title: Key; text: Key }>> = {
  warned: { title: "shield.warned", text: "shield.warnedText" },
  covered: { title: "shield.covered", text: "shield.coveredText" },
  missing: { title: "shield.missing", text: "shield.missingText" },
};

function toldOf({ shield: { own } }: InRoom): Told | null {
  return own === "clear" || own === "checking" ? null : own;
}

/** To the sender: that the other cannot see the picture, why, and what happens next. It goes by itself (rule SAFE-206). */
export function OwnNotice({ room }: { room: InRoom }): ReactNode {
  const t = useT();
  const told = toldOf(room);
  if (!told) return null;
  return (
    <div className={styles.notice}>
      <CircleAlert size={22} aria-hidden="true" />
      <p>
        <b>{t(texts[told].title, { name: isolate(room.match.remote.nickname) })}</b>
        <small>{t(texts[told].text)}</small>
      </p>
      {told === "warned" && (
        <a href="/communityRules" target="_blank" rel="noopener">
          {t("shield.rules")}
          <VisuallyHidden>({t("common.newWindow")})</VisuallyHidden>
        </a>
      )}
    </div>
  );
}

/** Says once, and politely, what becomes of either picture. */
export function VideoBlurVoice({ call }: { call: CallState }): ReactNode {
  return isInRoom(call) && call.status === "in-call" && <Said key={call.match.roomId} room={call} />;
}

function Said({ room }: { room: InRoom }): null {
  const t = useT();
  const shown = useVideoShown(room);
  const [first] = useState(shown);
  const told = toldOf(room);
  const name = isolate(room.match.remote.nickname);
  // What was to be seen from the beginning needs no words.
  useSaid(shown === "shown" && first === "shown" ? "" : shownWords(shown, t));
  useSaid(told ? `${t(texts[told].title, { name })}. ${t(texts[told].text)}` : "");
  return null;
}

function shownWords(shown: VideoShown, t: Translate): string {
  switch (shown) {
    case "checking":
      return t("shield.checking");
    case "hidden":
      return `${t("shield.hidden")}. ${t("shield.hiddenText")}`;
    case "kept":
      return t("shield.kept");
    case "shown":
      return t("shield.seen");
  }
}
