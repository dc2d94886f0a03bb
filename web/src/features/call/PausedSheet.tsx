import { Hourglass } from "lucide-react";
import { type ReactNode, useState } from "react";
import { formatTime } from "#lib/format-date.ts";
import { useT } from "#lib/i18n.ts";
import { closeOverlay } from "#lib/overlays.ts";
import { Button } from "#ui/Button.tsx";
import { IconTile } from "#ui/IconTile.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import { callStore } from "./call-store.ts";

/** Nobody new is met before a person has looked at what was reported: why, and until when at most (rule SAFE-232). */
export function PausedSheet(): ReactNode {
  const t = useT();
  // The next search forgets the notice while this slides away.
  const [untilMs] = useState(pausedUntil);
  return (
    <Sheet
      widthPx={480}
      art={
        <IconTile round>
          <Hourglass size={28} />
        </IconTile>
      }
      title={t("shield.pausedTitle")}
      lead={t("shield.pausedText")}
      onClose={() => closeOverlay("paused")}
      foot={
        <Button kind="ink" onClick={() => closeOverlay("paused")}>
          {t("common.ok")}
        </Button>
      }
    >
      {untilMs !== null && <p>{t("shield.pausedUntil", { time: formatTime(untilMs) })}</p>}
    </Sheet>
  );
}

function pausedUntil(): number | null {
  const { call } = callStore.getState();
  const notice = call.status === "idle" ? call.notice : null;
  return typeof notice === "object" && notice?.why === "paused" ? notice.untilMs : null;
}
