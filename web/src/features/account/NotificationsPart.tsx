import { type ReactNode, useRef, useState } from "react";
import { pushInfo } from "@fava/wire/endpoints/push.ts";
import { type NotificationChoice, type NotificationKind, notificationKinds } from "@fava/wire/notifications.ts";
import { type Key, useT } from "#lib/i18n.ts";
import { useEndpointQuery } from "#lib/query.ts";
import { LoadFailure } from "#ui/LoadFailure.tsx";
import { Note } from "#ui/Note.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { Switch } from "#ui/Switch.tsx";
import styles from "./Notifications.module.css";
import { quietTimes } from "#features/notifications/quiet-times.ts";
import {
  choiceWith,
  choiceWithout,
  offsetMin,
  pushSupport,
  subscribeUser,
  unsubscribeUser,
  type SubscribeResult,
} from "#features/notifications/push-subscription.ts";
import { usePushEndpoint } from "#features/notifications/use-push-endpoint.ts";

/** The texts of each switch. */
const words = {
  message: ["notify.messages", "notify.messagesHint"],
  fits: ["notify.fit", "notify.fitHint"],
  ring: ["notify.rings", "notify.ringsHint"],
  decision: ["notify.decisions", "notify.decisionsHint"],
  meet: ["people.meet", "notify.meetsHint"],
  hour: ["notify.hours", "notify.fitHint"],
} as const satisfies Record<NotificationKind, readonly [Key, Key]>;

/** The kinds with a person's name. */
const named: ReadonlySet<NotificationKind | undefined> = new Set(["message", "ring", "meet"]);

/** What this browser notifies of without an open page (rule NOTIFY-1). */
export function NotificationsPart({ userId }: { userId: number }): ReactNode {
  const t = useT();
  const endpoint = usePushEndpoint();
  const input = endpoint === undefined ? null : { user_id: userId, ...(endpoint !== null && { endpoint }) };
  const { data, isError, refetch } = useEndpointQuery(pushInfo, input);
  if (isError) return <LoadFailure text={t("account.loadFailed")} onRetry={refetch} />;
  if (!data) return <Skeleton height="60px" />;
  if (data.key === null) return <p>{t("notify.none")}</p>;
  const reach = pushSupport();
  if (reach !== "can") return <Note>{t(`notify.${reach}`)}</Note>;
  return <Switches userId={userId} serverKey={data.key} stored={data.choice} />;
}

function Switches(props: { userId: number; serverKey: string; stored: NotificationChoice | null }): ReactNode {
  const t = useT();
  const { userId, serverKey } = props;
  const [choice, setChoice] = useState(props.stored);
  const [problem, setProblem] = useState<Key | null>(null);
  /** The choice that the server has stored, as far as this page knows. */
  const told = useRef(props.stored);
  /** The user's newest choice while a request is pending; undefined while none is. */
  const wish = useRef<{ next: NotificationChoice | null } | undefined>(undefined);

  /** Shows the choice at once, and reverts it on a failure. */
  async function change(wanted: NotificationChoice | null): Promise<void> {
    setProblem(null);
    setChoice(wanted);
    if (wish.current) return void (wish.current.next = wanted);
    const mine = (wish.current = { next: wanted });
    let outcome: SubscribeResult;
    let telling: NotificationChoice | null;
    try {
      do {
        telling = mine.next;
        outcome = await tell(telling);
        // When turning notifications off, the browser drops its subscription even if the request fails, so it shows
        // none.
        if (outcome === "told" || !telling) told.current = telling;
      } while (outcome === "told" && mine.next !== telling);
    } finally {
      wish.current = undefined;
    }
    if (outcome === "told") return;
    setChoice(told.current);
    setProblem(outcome === "denied" ? "notify.denied" : "notify.failed");
  }

  async function tell(wanted: NotificationChoice | null): Promise<SubscribeResult> {
    if (wanted) return subscribeUser(userId, { key: serverKey, choice: { ...wanted, offset_min: offsetMin() } });
    return (await unsubscribeUser(userId)) ? "told" : "failed";
  }

  return (
    <div className={styles.switches}>
      {notificationKinds.map((kind, id) => (
        <Switch
          key={kind}
          checked={choice?.kinds.includes(id) ?? false}
          hint={t(words[kind][1])}
          onChange={(on) => void change((on ? choiceWith : choiceWithout)(kind, choice))}
        >
          {t(words[kind][0])}
        </Switch>
      ))}
      {choice && (
        <>
          {choice.kinds.some((id) => named.has(notificationKinds[id])) && (
            <Switch
              checked={choice.names === 1}
              hint={t("notify.namesHint")}
              onChange={(on) => void change({ ...choice, names: on ? 1 : 0 })}
            >
              {t("notify.names")}
            </Switch>
          )}
          <Switch checked={choice.quiet === 1} onChange={(on) => void change({ ...choice, quiet: on ? 1 : 0 })}>
            {t("notify.quiet", quietTimes())}
          </Switch>
        </>
      )}
      {problem && (
        <Note tone="danger" role="alert">
          {t(problem)}
        </Note>
      )}
    </div>
  );
}
