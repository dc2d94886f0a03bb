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
import { subscribeToAnswer } from "./appeal-answer.ts";
import { type AskedKind, declineAsking, useAsked } from "./ask.ts";
import { quietTimes } from "./quiet-times.ts";
import { choiceWith, subscribeUser, type SubscribeResult } from "./push-subscription.ts";
import { usePushEndpoint } from "./use-push-endpoint.ts";

/**
 * The texts of each question, and of the toast after it; null for a kind whose requests show their own confirmation.
 */
const words = {
  message: { title: "notify.ask", lead: "notify.askLead", done: "notify.done" },
  fits: { title: "notify.tellAsk", lead: "notify.tellLead", done: null },
  ring: { title: "notify.ringAsk", lead: "notify.ringLead", done: "notify.ringDone" },
  hour: { title: "notify.hourAsk", lead: "notify.hourLead", done: null },
  answer: { title: "notify.answerAsk", lead: "notify.answerLead", done: null },
} as const satisfies Record<AskedKind | "answer", { title: Key; lead: Key; done: Key | null }>;

/** Our own question, before the browser's permission prompt, which can be shown only once. */
export function NotifySheet(): ReactNode {
  const asked = useAsked();
  if (asked.kind !== "answer") return <OwnQuestion kind={asked.kind} />;
  const { token, key } = asked;
  return <Question kind="answer" turnOn={() => subscribeToAnswer(token, key)} />;
}

/** A question of the signed-in user: adds to what this browser notifies of already. */
function OwnQuestion({ kind }: { kind: AskedKind }): ReactNode {
  const user = useUser();
  const endpoint = usePushEndpoint();
  const isKnown = user !== null && endpoint !== undefined;
  const about = isKnown ? { user_id: user.user_id, ...(endpoint !== null && { endpoint }) } : null;
  const { data } = useEndpointQuery(pushInfo, about);
  const [key, choice] = [data?.key, data?.choice ?? null];
  const turnOn = user && key ? () => subscribeUser(user.user_id, { key, choice: choiceWith(kind, choice) }) : null;
  return <Question kind={kind} turnOn={turnOn} />;
}

/** Asks one question. `turnOn` subscribes this browser; null while what it needs is being loaded. */
function Question(props: { kind: keyof typeof words; turnOn: (() => Promise<SubscribeResult>) | null }): ReactNode {
  const t = useT();
  const { kind, turnOn } = props;
  const { title, lead, done } = words[kind];
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Key | null>(null);

  function decline(): void {
    declineAsking();
    closeOverlay("notify");
  }

  async function accept(): Promise<void> {
    if (!turnOn) return;
    setBusy(true);
    const outcome = await turnOn();
    setBusy(false);
    if (outcome !== "told") return setProblem(outcome === "denied" ? "notify.denied" : "notify.failed");
    closeOverlay("notify", "done");
    if (done) showToast({ type: "success", text: t(done) });
  }

  return (
    <Sheet
      widthPx={460}
      art={
        <IconTile>
          <BellRing size={28} />
        </IconTile>
      }
      title={t(title)}
      lead={t(lead, { ...quietTimes(), place: t("account.title") })}
      onClose={decline}
      foot={
        <>
          <Button kind="quiet" onClick={decline}>
            {t("notify.later")}
          </Button>
          {problem !== "notify.denied" && (
            <Button kind="go" loading={isBusy || !turnOn} onClick={() => void accept()}>
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
