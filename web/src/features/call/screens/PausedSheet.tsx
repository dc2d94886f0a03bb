import { pauseAsk } from "@fava/wire/endpoints/moderation.ts";
import { Hourglass } from "lucide-react";
import { type ReactNode, useState } from "react";
import { callStore } from "#features/call/machine/call-store.ts";
import { tellFailure } from "#features/people/relation-actions.ts";
import { request } from "#lib/api/request.ts";
import { formatTime } from "#lib/format-date.ts";
import { useT } from "#lib/i18n.ts";
import { closeOverlay } from "#lib/overlays.ts";
import { currentUser } from "#lib/session.ts";
import { Button } from "#ui/Button.tsx";
import { IconTile } from "#ui/IconTile.tsx";
import { Sheet } from "#ui/Sheet.tsx";

/** Moderation paused matching: why, the latest end, and a way to ask for a review. */
export function PausedSheet(): ReactNode {
  const t = useT();
  const { asked, isAsking, ask } = useAskForLook();
  // The next search removes the notice while the dialog closes.
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
        <>
          {asked === null && (
            <Button kind="quiet" loading={isAsking} onClick={() => void ask()}>
              {t("shield.pausedAsk")}
            </Button>
          )}
          <Button kind="ink" onClick={() => closeOverlay("paused")}>
            {t("common.ok")}
          </Button>
        </>
      }
    >
      {untilMs !== null && <p>{t("shield.pausedUntil", { time: formatTime(untilMs) })}</p>}
      <p role="status">
        {asked !== null &&
          (asked.dueAt === null ? t("shield.pausedOver") : t("shield.pausedAsked", { time: formatTime(asked.dueAt) }))}
      </p>
    </Sheet>
  );
}

/** Asks for a review; a second request has no further effect. */
function useAskForLook() {
  /** Null: not asked yet; `dueAt`: when the review is promised, null if the pause is over. */
  const [asked, setAsked] = useState<{ dueAt: number | null } | null>(null);
  const [isAsking, setAsking] = useState(false);
  async function ask(): Promise<void> {
    const user = currentUser();
    if (!user || isAsking) return;
    setAsking(true);
    try {
      setAsked({ dueAt: (await request(pauseAsk, { user_id: user.user_id })).due_at });
    } catch (error) {
      tellFailure(error);
    } finally {
      setAsking(false);
    }
  }
  return { asked, isAsking, ask };
}

function pausedUntil(): number | null {
  const { call } = callStore.getState();
  const notice = call.status === "idle" ? call.notice : null;
  return typeof notice === "object" && notice?.why === "paused" ? notice.untilMs : null;
}
