import { PhoneOff } from "lucide-react";
import { type ReactNode, useState } from "react";
import { callStore } from "#features/call/machine/call-store.ts";
import { openThread } from "#features/people/person-links.ts";
import { isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { closeOverlay } from "#lib/overlays.ts";
import { Button } from "#ui/Button.tsx";
import { IconTile } from "#ui/IconTile.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import type { Friend } from "./friend.ts";

/** The friend who was rung did not come: the same words whyever that is (rule RING-45). */
export function NotTakenSheet(): ReactNode {
  const t = useT();
  // The next call forgets the notice while this slides away.
  const [friend] = useState(friendRung);
  if (!friend) return null;
  const name = isolate(friend.nickname);
  function write(externalId: string): void {
    closeOverlay("not-taken");
    openThread(externalId);
  }
  return (
    <Sheet
      widthPx={440}
      art={
        <IconTile>
          <PhoneOff size={28} />
        </IconTile>
      }
      title={t("ring.notTaken", { name })}
      lead={t("ring.notTakenText")}
      onClose={() => closeOverlay("not-taken")}
      foot={
        <>
          <Button kind="quiet" onClick={() => write(friend.externalId)}>
            {t("people.messageName", { name })}
          </Button>
          <Button kind="ink" onClick={() => closeOverlay("not-taken")}>
            {t("common.ok")}
          </Button>
        </>
      }
    />
  );
}

function friendRung(): Friend | null {
  const { call } = callStore.getState();
  const notice = call.status === "idle" ? call.notice : null;
  return typeof notice === "object" && notice?.why === "not-taken" ? notice.friend : null;
}
