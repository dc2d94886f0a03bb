import { type ReactNode, useEffect, useRef } from "react";
import { useT } from "#lib/i18n.ts";
import { useUser } from "#lib/session.ts";
import { formatBeans } from "#lib/format.ts";
import { setOverCall } from "#lib/over-call.ts";
import { setRunningMeter } from "#lib/running-meter.ts";
import { Bean } from "#ui/Bean.tsx";
import { Logo } from "#ui/Logo.tsx";
import { CallControls } from "./CallControls.tsx";
import { CallStage } from "./CallStage.tsx";
import { type CallState, type InRoom, isInRoom, matchNumber } from "./call-state.ts";
import { useCallView } from "./call-store.ts";
import { ChatPanel } from "./ChatPanel.tsx";
import { LowBeansVoice } from "./LowBeansBar.tsx";
import { Meter } from "./Meter.tsx";
import { useReading } from "./meter-shown.ts";
import { ShieldVoice } from "./OwnNotice.tsx";
import { PanicPage } from "./PanicPage.tsx";
import { usePanic } from "./panic.ts";
import { useCorner } from "./self-corner.ts";
import { SelfView } from "./SelfView.tsx";
import { useCallFocus } from "./use-call-focus.ts";
import { useCallKeys } from "./use-call-keys.ts";
import { useFading } from "./use-fading.ts";
import { WaitingTips } from "./WaitingTips.tsx";
import { useAnnouncement } from "./use-announcement.ts";
import styles from "./CallScreen.module.css";

/**
 * One frame for every moment around a call, always dark: picture, switches and the two big buttons never move
 * (rule CALL-20).
 */
export function CallScreen(): ReactNode {
  const view = useCallView();
  const composer = useRef<HTMLTextAreaElement>(null);
  useAnnouncement(view.call);
  const main = useCallFocus(view.call);
  useCallKeys(view.call, composer);
  const { call } = view;
  const faded = useFading(call);
  const corner = useCorner();
  const panic = usePanic();
  const shown = call.status !== "idle" || panic.step !== "none";
  useEffect(() => {
    setOverCall(shown);
    return () => setOverCall(false);
  }, [shown]);
  if (call.status === "idle") return panic.step === "none" ? null : <PanicPage panic={panic} />;
  return (
    <div
      id="call"
      className={styles.page}
      data-theme="dark"
      data-status={call.status}
      data-match-state={matchNumber(call)}
      data-faded={faded || undefined}
      data-corner={corner ?? undefined}
    >
      <header className={styles.top}>
        <span className={styles.logo}>
          <Logo />
        </span>
        <span className={styles.wallet}>
          {isInRoom(call) && call.match.remote.price > 0 ? (
            <Meter key={call.match.roomId} room={call} />
          ) : (
            <Rate call={call} />
          )}
          <Balance call={call} />
        </span>
      </header>
      <main ref={main} className={styles.grid} tabIndex={-1}>
        <CallStage view={view} />
        <aside className={styles.rail}>
          <SelfView hiddenFrom={hiddenFrom(call)} />
          {call.status === "in-call" || call.status === "connecting" ? (
            <ChatPanel room={call} lines={view.lines} composer={composer} />
          ) : (
            <WaitingTips />
          )}
        </aside>
        <CallControls call={call} />
      </main>
      <LowBeansVoice call={call} />
      <ShieldVoice call={call} />
    </div>
  );
}

/** What this moment costs, where no meter says it. */
function Rate({ call }: { call: Exclude<CallState, { status: "idle" }> }): ReactNode {
  const t = useT();
  if (call.status === "searching") return <span className={styles.rate}>{t("search.free")}</span>;
  const { price } = call.match.remote;
  return (
    <span className={styles.rate}>{price > 0 ? t("call.price", { beans: formatBeans(price) }) : t("call.free")}</span>
  );
}

/** Whom the own picture is hidden from by our checks; null: from nobody. */
function hiddenFrom(call: CallState): string | null {
  return isInRoom(call) && call.shield.own === "warned" ? call.match.remote.nickname : null;
}

/** What there is to spend; in a paid call it goes down with the meter. */
function Balance({ call }: { call: CallState }): ReactNode {
  const known = useUser()?.credit5 ?? 0;
  return isInRoom(call) && call.meter ? <RunningBalance room={call} /> : <Beans balance={known} />;
}

function RunningBalance({ room }: { room: InRoom }): ReactNode {
  const { balance = 0, price = 0 } = useReading(room) ?? {};
  useEffect(() => setRunningMeter({ balance, price }), [balance, price]);
  useEffect(() => () => setRunningMeter(null), []);
  return <Beans balance={balance} />;
}

function Beans({ balance }: { balance: number }): ReactNode {
  const t = useT();
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
