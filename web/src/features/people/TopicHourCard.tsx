import { Bell, BellRing, CalendarClock } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import { hourList, hourRemind } from "@fava/wire/endpoints/hours.ts";
import { askFor } from "#features/notifications/ask.ts";
import { useNotifyState } from "#features/notifications/use-notify-state.ts";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { request } from "#lib/api/request.ts";
import { formatSoon } from "#lib/format-date.ts";
import { useT } from "#lib/i18n.ts";
import { useEndpointQuery } from "#lib/query.ts";
import { useUser } from "#lib/session.ts";
import { minuteMs, useNow } from "#lib/use-now.ts";
import { Button } from "#ui/Button.tsx";
import { showToast } from "#ui/toast-store.ts";
import { topicName } from "./shared-tags.ts";
import styles from "./HomePeople.module.css";

type Hour = OutputOf<typeof hourList>["rows"][number];

/** The hour for a language or a topic that runs now, or the next one within a day; nothing if there is none. */
export function TopicHourCard(): ReactNode {
  const user = useUser();
  const nowMs = useNow(minuteMs);
  const about = user?.profile_complete ? { user_id: user.user_id } : null;
  const { data, refetch } = useEndpointQuery(hourList, about, { refetchOnReconnect: true, refetchOnWindowFocus: true });
  const hour = data?.rows.find(({ ends_at }) => ends_at > nowMs);
  if (!user || !hour) return null;
  return <Card hour={hour} userId={user.user_id} isRunning={hour.starts_at <= nowMs} onChange={() => void refetch()} />;
}

function Card(props: { hour: Hour; userId: number; isRunning: boolean; onChange: () => void }): ReactNode {
  const t = useT();
  const title = useId();
  const { hour, isRunning } = props;
  return (
    <section className={styles.card} aria-labelledby={title}>
      <CalendarClock size={22} aria-hidden="true" />
      <p>
        <b id={title} className={styles.topic}>
          {t("hour.of", { topic: topicName(t, hour) })}
        </b>
        <small>{isRunning ? t("hour.now", { time: formatSoon(hour.ends_at) }) : formatSoon(hour.starts_at)}</small>
      </p>
      {!isRunning && <Reminder {...props} />}
    </section>
  );
}

/** A button that turns the reminder on and off; nothing where this browser cannot notify or the user declined. */
function Reminder({ hour, userId, onChange }: { hour: Hour; userId: number; onChange: () => void }): ReactNode {
  const t = useT();
  const [state, setState] = useNotifyState("hour");
  const [isBusy, setBusy] = useState(false);
  const isOn = hour.reminds === 1;

  async function change(): Promise<void> {
    if (!isOn && state !== "on") {
      const isAllowed = (await askFor("hour")) === "done";
      setState(isAllowed ? "on" : "declined");
      if (!isAllowed) return;
    }
    setBusy(true);
    try {
      await request(hourRemind, { user_id: userId, id: hour.id, on: isOn ? 0 : 1 });
    } catch (error) {
      if (!(error instanceof RequestFailure)) throw error;
      showToast({ type: "error", text: t("notify.failed") });
    }
    setBusy(false);
    onChange();
  }

  if (!isOn && state !== "on" && state !== "open") return null;
  const Icon = isOn ? BellRing : Bell;
  return (
    <Button
      kind={isOn ? "quiet" : "outline"}
      size="small"
      pill
      loading={isBusy}
      aria-pressed={isOn}
      icon={<Icon size={16} aria-hidden="true" />}
      onClick={() => void change()}
    >
      {t("hour.remind")}
    </Button>
  );
}
