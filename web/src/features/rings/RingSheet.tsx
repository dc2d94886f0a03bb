import { BellOff, Phone, Volume2, VolumeX } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { useCallState } from "#features/call/machine/call-store.ts";
import { isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { useSheetTheme } from "#lib/call-shown.ts";
import { useOverlays } from "#lib/overlays.ts";
import { withName } from "#lib/use-document-title.ts";
import { Avatar } from "#ui/Avatar.tsx";
import { Button } from "#ui/Button.tsx";
import { Kbd } from "#ui/Kbd.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import styles from "./Ring.module.css";
import type { IncomingRing } from "./friend.ts";
import {
  acceptRing,
  declineForToday,
  declineRing,
  isRingAccepted,
  useIncomingRing,
  useOpeningRing,
} from "./incoming-rings.ts";
import { RingKeys } from "./ring-keys.ts";
import { isRingHeard, playRingTone, setRingHeard } from "./ring-tone.ts";

/** A friend rings, above any page; stays while an accepted ring becomes a call. */
export function RingSheet(): ReactNode {
  const waiting = useIncomingRing();
  const opening = useOpeningRing();
  const isCovered = useOverlays().some(({ name, open }) => open && name !== "ring");
  const present = waiting ?? opening;
  const isOpening = opening !== null;
  // The ring as it was last shown, for the closing animation after the ring is answered or over.
  const [shown, setShown] = useState({ ring: present, isOpening });
  if (present && (present !== shown.ring || isOpening !== shown.isOpening)) setShown({ ring: present, isOpening });
  // After an accepted ring the call appears at once, without a closing animation over it.
  if (!present && shown.ring && isRingAccepted(shown.ring)) setShown({ ring: null, isOpening });
  const { ring } = shown;
  // Another dialog is open, such as a step on the way to the call: it replaces this one.
  if (!ring || (isOpening && isCovered)) return null;
  return <Rings key={ring.id} ring={ring} isOpening={shown.isOpening} isOver={!present} />;
}

interface RingsProps {
  ring: IncomingRing;
  /** The user has accepted the ring, and the camera is opening. */
  isOpening: boolean;
  isOver: boolean;
}

function Rings(props: RingsProps): ReactNode {
  const t = useT();
  const theme = useSheetTheme();
  const isBusy = useCallState().status !== "idle";
  const { ring, isOpening } = props;
  const { friend } = ring;
  const title = t(isOpening ? "ring.connecting" : "ring.isCalling", { name: isolate(friend.nickname) });
  const [isHeard, setHeard] = useState(isRingHeard);
  const isRinging = !isOpening && !props.isOver;
  useEffect(() => (isHeard && isRinging ? playRingTone() : undefined), [isHeard, isRinging]);
  useRingKeys(props);
  useTabTitle(title, isRinging);
  return (
    <Sheet
      {...theme}
      alert
      centre
      closable={false}
      widthPx={480}
      art={
        <span className={styles.face} aria-hidden="true">
          <Avatar src={friend.avatar} name={friend.nickname} sizePx={112} />
        </span>
      }
      title={title}
      {...(!isOpening && { lead: t(isBusy ? "ring.textBusy" : "ring.text") })}
      row
      foot={
        <>
          <Button kind="quiet" aria-keyshortcuts="Escape" onClick={() => declineRing(ring)}>
            {t(isOpening ? "common.cancel" : "ring.decline")}
            <Kbd>Esc</Kbd>
          </Button>
          {!isOpening && (
            <Button
              kind="go"
              aria-keyshortcuts="Enter"
              icon={<Phone size={20} aria-hidden="true" />}
              onClick={() => acceptRing(ring)}
            >
              {t("ring.accept")}
              <Kbd>Enter</Kbd>
            </Button>
          )}
        </>
      }
    >
      {isOpening ? undefined : (
        <div className={styles.more}>
          <Button
            kind="plain"
            size="small"
            icon={isHeard ? <Volume2 size={20} aria-hidden="true" /> : <VolumeX size={20} aria-hidden="true" />}
            aria-pressed={isHeard}
            onClick={() => {
              setRingHeard(!isHeard);
              setHeard(!isHeard);
            }}
          >
            {t("ring.tone")}
          </Button>
          <Button
            kind="plain"
            size="small"
            icon={<BellOff size={20} aria-hidden="true" />}
            onClick={() => void declineForToday(ring)}
          >
            {t("ring.notToday")}
          </Button>
        </div>
      )}
    </Sheet>
  );
}

/** Enter accepts and Escape declines while the ring is the topmost layer; after accepting, Escape gives up. */
function useRingKeys({ ring, isOpening, isOver }: RingsProps): void {
  useEffect(() => {
    if (isOver) return undefined;
    const keys = new RingKeys(performance.now());
    const pressed = (event: KeyboardEvent) => {
      const action = isOpening
        ? openingAction(event)
        : keys.take(event, event.target instanceof Element ? event.target : null);
      if (action === null) return;
      event.preventDefault();
      event.stopPropagation();
      if (action === "accept") acceptRing(ring);
      else if (action === "decline") declineRing(ring);
    };
    window.addEventListener("keydown", pressed, { capture: true });
    return () => window.removeEventListener("keydown", pressed, { capture: true });
  }, [ring, isOpening, isOver]);
}

function openingAction({ key, repeat }: KeyboardEvent): "decline" | null {
  return key === "Escape" && !repeat ? "decline" : null;
}

/** Shows the ring in the title for users who look at another tab. */
function useTabTitle(title: string, isRinging: boolean): void {
  useEffect(() => {
    if (!isRinging) return undefined;
    const before = document.title;
    const now = withName(title);
    document.title = now;
    return () => {
      if (document.title === now) document.title = before;
    };
  }, [title, isRinging]);
}
