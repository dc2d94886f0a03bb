import { Bell, BellOff, Phone } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { useCallState } from "#features/call/call-store.ts";
import { isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { useSheetTheme } from "#lib/over-call.ts";
import { withName } from "#lib/use-document-title.ts";
import { Avatar } from "#ui/Avatar.tsx";
import { Button } from "#ui/Button.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { Kbd } from "#ui/Kbd.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import type { IncomingRing } from "./friend.ts";
import { acceptRing, declineForToday, declineRing, isTaken, useIncomingRing } from "./incoming-rings.ts";
import { RingKeys } from "./ring-keys.ts";
import { isRingHeard, playRingTone, setRingHeard } from "./ring-tone.ts";
import styles from "./Ring.module.css";

/** A friend rings, over whatever page is open (rules RING-41, RING-42). */
export function RingSheet(): ReactNode {
  const present = useIncomingRing();
  // It is answered while this slides away.
  const [ring, setRing] = useState(present);
  if (present && present !== ring) setRing(present);
  // Whoever accepts looks at what follows, for which nothing is to be drawn in vain (rule RING-56).
  if (!present && ring && isTaken(ring)) setRing(null);
  return ring && <Rings key={ring.id} ring={ring} isOver={!present} />;
}

function Rings({ ring, isOver }: { ring: IncomingRing; isOver: boolean }): ReactNode {
  const t = useT();
  const theme = useSheetTheme();
  const isBusy = useCallState().status !== "idle";
  const { friend } = ring;
  const title = t("ring.isCalling", { name: isolate(friend.nickname) });
  const [isHeard, setHeard] = useState(isRingHeard);
  useEffect(() => (isHeard && !isOver ? playRingTone() : undefined), [isHeard, isOver]);
  useRingKeys(ring, isOver);
  useTabTitle(title, isOver);
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
      lead={t(isBusy ? "ring.textBusy" : "ring.text")}
      row
      foot={
        <>
          <Button kind="quiet" aria-keyshortcuts="Escape" onClick={() => declineRing(ring)}>
            {t("ring.decline")}
            <Kbd>Esc</Kbd>
          </Button>
          <Button
            kind="go"
            aria-keyshortcuts="Enter"
            icon={<Phone size={20} aria-hidden="true" />}
            onClick={() => acceptRing(ring)}
          >
            {t("ring.accept")}
            <Kbd>Enter</Kbd>
          </Button>
        </>
      }
    >
      <div className={styles.more}>
        <Button kind="plain" size="small" onClick={() => void declineForToday(ring)}>
          {t("ring.notToday")}
        </Button>
        <IconButton
          kind="filled"
          label={t("ring.tone")}
          aria-pressed={isHeard}
          icon={isHeard ? <Bell size={20} aria-hidden="true" /> : <BellOff size={20} aria-hidden="true" />}
          onClick={() => {
            setRingHeard(!isHeard);
            setHeard(!isHeard);
          }}
        />
      </div>
    </Sheet>
  );
}

/** Enter accepts and Escape declines while the ring is what lies on top. */
function useRingKeys(ring: IncomingRing, isOver: boolean): void {
  useEffect(() => {
    if (isOver) return undefined;
    const keys = new RingKeys(performance.now());
    const pressed = (event: KeyboardEvent) => {
      const action = keys.take(event, event.target instanceof Element ? event.target : null);
      if (action === null) return;
      event.preventDefault();
      event.stopPropagation();
      if (action === "accept") acceptRing(ring);
      else if (action === "decline") declineRing(ring);
    };
    window.addEventListener("keydown", pressed, { capture: true });
    return () => window.removeEventListener("keydown", pressed, { capture: true });
  }, [ring, isOver]);
}

/** Who looks at another tab reads it there. */
function useTabTitle(title: string, isOver: boolean): void {
  useEffect(() => {
    if (isOver) return undefined;
    const before = document.title;
    const now = withName(title);
    document.title = now;
    return () => {
      if (document.title === now) document.title = before;
    };
  }, [title, isOver]);
}
