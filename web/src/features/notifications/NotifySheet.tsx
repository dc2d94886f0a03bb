import { BellRing } from "lucide-react";
import { type ReactNode, useState } from "react";
import { pushInfo } from "@fava/wire/endpoints/push.ts";
import { type Key, useT } from "#lib/i18n.ts";
import { closeOverlay } from "#lib/overlays.ts";
import { useEndpointQuery } from "#lib/query.ts";
import { useUser } from "#lib/session.ts";
import { Button } from "#ui/Button.tsx";
import { IconTile } from "#ui/IconTile.tsx";
import { Note } from "#ui/Note.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import { showToast } from "#ui/toast-store.ts";
import { declineAsking } from "./ask.ts";
import { quietTimes } from "./quiet-times.ts";
import { choiceAtFirst, tellHere } from "./told-here.ts";

/** Our own question, before the browser's, which can be asked once only (rule NOTIFY-20). */
export function NotifySheet(): ReactNode {
  const t = useT();
  const user = useUser();
  const { data } = useEndpointQuery(pushInfo, user && { user_id: user.user_id });
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Key | null>(null);

  function decline(): void {
    declineAsking();
    closeOverlay("notify");
  }

  async function turnOn(userId: number, key: string): Promise<void> {
    setBusy(true);
    const outcome = await tellHere(userId, { key, choice: choiceAtFirst() });
    setBusy(false);
    if (outcome !== "told") return setProblem(outcome === "denied" ? "notify.denied" : "notify.failed");
    closeOverlay("notify", "done");
    showToast({ type: "success", text: t("notify.done") });
  }

  return (
    <Sheet
      widthPx={460}
      art={
        <IconTile>
          <BellRing size={28} />
        </IconTile>
      }
      title={t("notify.ask")}
      lead={t("notify.askLead", { ...quietTimes(), place: t("account.title") })}
      onClose={decline}
      foot={
        <>
          <Button kind="quiet" onClick={decline}>
            {t("notify.later")}
          </Button>
          {problem !== "notify.denied" && (
            <Button
              kind="go"
              loading={isBusy || !data}
              onClick={() => user && data?.key && void turnOn(user.user_id, data.key)}
            >
              {t("notify.turnOn")}
            </Button>
          )}
        </>
      }
    >
      {problem && (
        <Note tone="danger" role="alert">
          {t(problem)}
        </Note>
      )}
    </Sheet>
  );
}
