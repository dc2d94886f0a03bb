import { LockOpen } from "lucide-react";
import { useEffect, useState, useSyncExternalStore, type ReactNode } from "react";
import { onCallEvent } from "#lib/api/call-events.ts";
import { followConnection } from "#lib/connection.ts";
import { useT } from "#lib/i18n.ts";
import { session } from "#lib/session.ts";
import { Banner } from "#ui/Banner.tsx";
import { ReachBar } from "#ui/ReachBar.tsx";
import { showToast } from "#ui/toast-store.ts";

const neverChanges = () => () => undefined;

/** What concerns the whole page: Fava out of reach, plain http, no answer from the server, a session that ended. */
export function PageNotices(): ReactNode {
  const t = useT();
  const [refused, setRefused] = useState(false);
  const insecure = useSyncExternalStore(
    neverChanges,
    () => !window.isSecureContext,
    () => false,
  );
  useEffect(() => {
    const owner = new AbortController();
    followConnection(owner.signal);
    return () => owner.abort();
  }, []);
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
      <ReachBar />
      {(insecure || refused) && <Banner icon={<LockOpen size={18} />}>{t("insecure.text")}</Banner>}
    </>
  );
}
