import { type ReactNode, useId, useState } from "react";
import { formatClock, isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { closeOverlay } from "#lib/overlays.ts";
import { halfSecondMs, useNow } from "#lib/use-now.ts";
import { Avatar } from "#ui/Avatar.tsx";
import { Button } from "#ui/Button.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import styles from "./ReturnSheet.module.css";
import { useOpenCall } from "./open-call.ts";

/** Offers to return to the call of an earlier page, while the partner waits. */
export function ReturnSheet(): ReactNode {
  const t = useT();
  const now = useNow(halfSecondMs);
  const leftId = useId();
  const present = useOpenCall();
  // The store drops the offer while the dialog closes.
  const [open] = useState(present);
  if (!open) return null;
  const { remote } = open.match;
  const name = isolate(remote.nickname);
  return (
    <Sheet
      widthPx={480}
      art={
        <span className={styles.face}>
          <Avatar src={remote.avatar} name={remote.nickname} sizePx={72} />
        </span>
      }
      title={t("openCall.title", { name })}
      lead={t("openCall.text")}
      onClose={() => closeOverlay("return-call")}
      foot={
        <>
          <Button kind="quiet" onClick={() => closeOverlay("return-call")}>
            {t("call.end")}
          </Button>
          <Button kind="go" onClick={() => closeOverlay("return-call", "done")}>
            {t("openCall.button", { name })}
          </Button>
        </>
      }
    >
      <p className={styles.left}>
        <span id={leftId}>{t("openCall.left")}</span>
        <b role="timer" aria-labelledby={leftId} translate="no">
          {formatClock(Math.max(0, (open.untilMs ?? now) - now) / 1_000)}
        </b>
      </p>
    </Sheet>
  );
}
