import { LockOpen } from "lucide-react";
import { useEffect, useState, useSyncExternalStore, type ReactNode } from "react";
import { onCallEvent } from "#lib/api/call-events.ts";
import { useT } from "#lib/i18n.ts";
import { fetchSettings } from "#lib/settings.ts";
import { session } from "#lib/session.ts";
import { Banner } from "#ui/Banner.tsx";
import { OfflineBar } from "#ui/OfflineBar.tsx";
import { showToast } from "#ui/toast-store.ts";

const neverChanges = () => () => undefined;

/** What concerns the whole page: no network, plain http, no answer from the server, a session that ended. */
export function PageNotices(): ReactNode {
  const t = useT();
  const [refused, setRefused] = useState(false);
  const insecure = useSyncExternalStore(
    neverChanges,
    () => !window.isSecureContext,
    () => false,
  );
  useEffect(
    () =>
      onCallEvent((event) => {
        if (event.type === "server-error") showToast({ type: "error", text: t("error.server") });
        if (event.type === "insecure") setRefused(true);
      }),
    [t],
  );
  useEffect(
    () =>
      session.subscribe((now) => {
        if (now.status !== "anonymous") return;
        if (now.because === "expired") showToast({ type: "warning", text: t("error.signedOut") });
        if (now.because === "deleted") showToast({ type: "warning", text: t("error.accountDeleted") });
      }),
    [t],
  );
  return (
    <>
      <OfflineBar onTryNow={tryServer} />
      {(insecure || refused) && <Banner icon={<LockOpen size={18} />}>{t("insecure.text")}</Banner>}
    </>
  );
}

/** Asks the server once; when it answers, the browser's own `online` event follows. */
async function tryServer(): Promise<void> {
  try {
    await fetchSettings();
  } catch (error) {
    console.info("still no network", error);
  }
}
