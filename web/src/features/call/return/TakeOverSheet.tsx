import { AppWindow } from "lucide-react";
import { type ReactNode, useState } from "react";
import { isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { closeOverlay } from "#lib/overlays.ts";
import { Button } from "#ui/Button.tsx";
import { IconTile } from "#ui/IconTile.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import { useOpenCall } from "./open-call.ts";

/** Another tab is in a call: asks whether to continue it in this one. */
export function TakeOverSheet(): ReactNode {
  const t = useT();
  const present = useOpenCall();
  // The store drops the question while the dialog closes.
  const [open] = useState(present);
  if (!open) return null;
  return (
    <Sheet
      widthPx={480}
      art={
        <IconTile round>
          <AppWindow size={28} />
        </IconTile>
      }
      title={t("takeOver.title", { name: isolate(open.match.remote.nickname) })}
      lead={t("takeOver.text")}
      onClose={() => closeOverlay("take-over")}
      foot={
        <>
          <Button kind="quiet" onClick={() => closeOverlay("take-over")}>
            {t("common.cancel")}
          </Button>
          <Button kind="go" onClick={() => closeOverlay("take-over", "done")}>
            {t("takeOver.here")}
          </Button>
        </>
      }
    />
  );
}
