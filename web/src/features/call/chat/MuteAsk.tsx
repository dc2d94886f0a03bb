import { muteAsk } from "@fava/wire/endpoints/text-questions.ts";
import { type ReactNode, useState } from "react";
import { createStore, useStore } from "zustand";
import { tellFailure } from "#features/people/relation-actions.ts";
import { request } from "#lib/api/request.ts";
import { formatSoon } from "#lib/format-date.ts";
import { useT } from "#lib/i18n.ts";
import { leaveFocusToLog } from "#lib/log-focus.ts";
import { currentUser } from "#lib/session.ts";

/** For the end of each mute (milliseconds since the epoch): when a review is promised; null: the mute was over. */
const answers = createStore<ReadonlyMap<number, number | null>>(() => new Map());

/**
 * Below a line that a mute blocked: a button that asks a moderator to review the mute, then the promised time.
 */
export function MuteAsk({ untilMs }: { untilMs: number }): ReactNode {
  const t = useT();
  const answered = useStore(answers, (known) => known.get(untilMs));
  const [isAsking, setAsking] = useState(false);
  async function ask(): Promise<void> {
    const user = currentUser();
    if (!user || isAsking) return;
    setAsking(true);
    try {
      const { due_at } = await request(muteAsk, { user_id: user.user_id });
      answers.setState((known) => new Map([...known, [untilMs, due_at]]), true);
    } catch (error) {
      tellFailure(error);
    } finally {
      setAsking(false);
    }
  }
  return (
    <>
      {answered === undefined && (
        <button ref={leaveFocusToLog} type="button" aria-busy={isAsking || undefined} onClick={() => void ask()}>
          {t("asked.mutePress")}
        </button>
      )}
      {answered === null && <span>{t("asked.muteOver")}</span>}
      {typeof answered === "number" && <span>{t("asked.mutePromised", { time: formatSoon(answered) })}</span>}
    </>
  );
}
