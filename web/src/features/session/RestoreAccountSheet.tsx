import { type ReactNode, useRef, useState } from "react";
import { accountRestore } from "@fava/wire/endpoints/account.ts";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { request } from "#lib/api/request.ts";
import { deviceId } from "#lib/device-id.ts";
import { formatDate } from "#lib/format-date.ts";
import { useT } from "#lib/i18n.ts";
import { closeOverlay } from "#lib/overlays.ts";
import { completeLogin } from "#lib/session.ts";
import { Button } from "#ui/Button.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import { showToast } from "#ui/toast-store.ts";
import { useAccountRestore } from "./restore-account.ts";
import { signInSource } from "./sign-in-source.ts";
import styles from "./SessionEndSheets.module.css";

/** A deleted account: until when it can be restored, and whether to do so now. */
export function RestoreAccountSheet(): ReactNode {
  const { until, restoreToken } = useAccountRestore();
  return restoreToken === null ? <Deleted until={until} /> : <Question until={until} restoreToken={restoreToken} />;
}

const close = () => closeOverlay("restore-account");

function Deleted({ until }: { until: number }): ReactNode {
  const t = useT();
  return (
    <Sheet
      alert
      widthPx={440}
      title={t("comeBack.goneTitle")}
      lead={t("comeBack.goneText", { day: formatDate(until) })}
      onClose={close}
      foot={
        <Button kind="ink" block onClick={close}>
          {t("common.ok")}
        </Button>
      }
    />
  );
}

function Question({ until, restoreToken }: { until: number; restoreToken: string }): ReactNode {
  const t = useT();
  const yes = useRef<HTMLButtonElement>(null);
  const [state, setState] = useState<"asking" | "restoring" | "failed">("asking");
  async function restore(): Promise<void> {
    setState("restoring");
    try {
      const input = { restore_token: restoreToken, source: signInSource(), imei: deviceId() };
      await completeLogin(await request(accountRestore, input));
      closeOverlay("restore-account", "done");
      showToast({ type: "success", text: t("comeBack.done") });
    } catch (error) {
      if (!(error instanceof RequestFailure)) throw error;
      setState("failed");
    }
  }
  return (
    <Sheet
      alert
      widthPx={440}
      title={t("comeBack.title")}
      lead={t("comeBack.text", { day: formatDate(until) })}
      initialFocus={yes}
      onClose={close}
      foot={
        <>
          <Button ref={yes} kind="ink" block loading={state === "restoring"} onClick={() => void restore()}>
            {t("comeBack.yes")}
          </Button>
          <Button block onClick={close}>
            {t("comeBack.no")}
          </Button>
        </>
      }
    >
      {state === "failed" ? (
        <p className={styles.small} role="alert">
          {t("comeBack.tooLate")}
        </p>
      ) : undefined}
    </Sheet>
  );
}
