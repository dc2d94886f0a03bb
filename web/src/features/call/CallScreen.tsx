import { type ReactNode, useRef } from "react";
import { useT } from "#lib/i18n.ts";
import { useUser } from "#lib/session.ts";
import { formatBeans } from "#lib/format.ts";
import { Bean } from "#ui/Bean.tsx";
import { Logo } from "#ui/Logo.tsx";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { CallControls } from "./CallControls.tsx";
import { CallStage } from "./CallStage.tsx";
import { matchNumber } from "./call-state.ts";
import { useCallView } from "./call-store.ts";
import { ChatPanel } from "./ChatPanel.tsx";
import { SelfView } from "./SelfView.tsx";
import { useCallKeys } from "./use-call-keys.ts";
import { WaitingTips } from "./WaitingTips.tsx";
import { useAnnouncement } from "./use-announcement.ts";
import styles from "./CallScreen.module.css";

/**
 * One frame for every moment around a call, always dark: picture, switches and the two big buttons never move
 * (rule CALL-20).
 */
export function CallScreen(): ReactNode {
  const t = useT();
  const view = useCallView();
  const composer = useRef<HTMLTextAreaElement>(null);
  const announcement = useAnnouncement(view.call);
  useCallKeys(view.call, composer);
  const { call } = view;
  if (call.status === "idle") return null;
  const price = call.status === "searching" ? null : call.match.remote.price;
  return (
    <div className={styles.page} data-theme="dark" data-status={call.status} data-match-state={matchNumber(call)}>
      <header className={styles.top}>
        <span className={styles.logo}>
          <Logo />
        </span>
        <span className={styles.wallet}>
          <span className={styles.rate}>
            {price === null ? (
              t("search.free")
            ) : price === 0 ? (
              t("call.free")
            ) : (
              <>
                <Bean size={16} />
                {t("call.price", { beans: formatBeans(price) })}
              </>
            )}
          </span>
          <Balance />
        </span>
      </header>
      <main className={styles.grid}>
        <CallStage view={view} />
        <aside className={styles.rail}>
          <SelfView />
          {call.status === "in-call" || call.status === "connecting" ? (
            <ChatPanel lines={view.lines} composer={composer} />
          ) : (
            <WaitingTips />
          )}
        </aside>
        <CallControls call={call} />
      </main>
      <div role="status">
        <VisuallyHidden>{announcement}</VisuallyHidden>
      </div>
    </div>
  );
}

function Balance(): ReactNode {
  const t = useT();
  const balance = useUser()?.credit5 ?? 0;
  return (
    <span
      className={styles.balance}
      role="img"
      aria-label={t("home.beans", { n: balance, count: formatBeans(balance) })}
    >
      <Bean size={18} />
      {formatBeans(balance)}
    </span>
  );
}
