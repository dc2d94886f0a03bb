import { Lock } from "lucide-react";
import { type ReactNode, useId, useRef, useState } from "react";
import { appealAdd } from "@fava/wire/endpoints/appeals.ts";
import { appealLengthMax } from "@fava/wire/limits.ts";
import { appealGrounds } from "@fava/wire/moderation.ts";
import { call } from "#lib/api/call.ts";
import { CallFailure } from "#lib/api/call-failure.ts";
import { formatNumber } from "#lib/format.ts";
import { type Key, useT } from "#lib/i18n.ts";
import { Button } from "#ui/Button.tsx";
import { RadioCards } from "#ui/RadioCards.tsx";
import { type Draft, dropDraft, type Ground, keepDraft, readDraft } from "./appeal-draft.ts";
import type { AppealStatus } from "./use-appeal.ts";
import styles from "./Appeal.module.css";

const grounds = appealGrounds.map((id) => ({ id, value: String(id) as `${Ground}` }));

/** Ground and words of an appeal; what was written stays on this browser until it is sent (rule APPEAL-51). */
export function AppealForm(props: { token: string; onSent: (status: AppealStatus) => void }): ReactNode {
  const t = useT();
  const id = useId();
  const { draft, change, problem, sending, send } = useAppealForm(props);
  const written = useRef<HTMLTextAreaElement>(null);
  const chosen = draft.ground === null ? null : (String(draft.ground) as `${Ground}`);
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        // To what is missing first, so that the keyboard is where the work is.
        if (draft.ground === null) event.currentTarget.querySelector("input")?.focus();
        else if (draft.text.trim() === "") written.current?.focus();
        void send();
      }}
    >
      <h1>{t("appeal.title")}</h1>
      <p className={styles.lead}>{t("appeal.lead")}</p>
      <RadioCards
        legend={t("appeal.groundTitle")}
        options={grounds.map(({ id: ground, value }) => ({ value, label: t(`appeal.ground.${ground}`) }))}
        value={chosen}
        onChange={(value) => change({ ...draft, ground: Number(value) as Ground })}
      />
      <div className={styles.field}>
        <label htmlFor={id}>{t("appeal.text")}</label>
        <textarea
          ref={written}
          id={id}
          rows={6}
          dir="auto"
          maxLength={appealLengthMax}
          value={draft.text}
          aria-describedby={`${id}-hint`}
          onChange={(event) => change({ ...draft, text: event.target.value })}
        />
        <p id={`${id}-hint`} className={styles.hint}>
          <span>{t("appeal.textHint")}</span>
          <span>
            {t("appeal.count", { count: formatNumber(draft.text.length), max: formatNumber(appealLengthMax) })}
          </span>
        </p>
      </div>
      <p className={styles.problem} role="alert">
        {problem !== null && t(problem)}
      </p>
      <div className={styles.foot}>
        <Button type="submit" kind="ink" size="large" loading={sending}>
          {t("appeal.send")}
        </Button>
        <p className={styles.once}>
          <Lock size={16} aria-hidden="true" /> {t("appeal.once")}
        </p>
      </div>
    </form>
  );
}

function useAppealForm({ token, onSent }: { token: string; onSent: (status: AppealStatus) => void }) {
  const [draft, setDraft] = useState<Draft>(() => readDraft(token));
  const [problem, setProblem] = useState<Key | null>(null);
  const [sending, setSending] = useState(false);
  return {
    draft,
    problem,
    sending,
    change: (next: Draft) => {
      setDraft(next);
      setProblem(null);
      keepDraft(token, next);
    },
    send: async () => {
      const { ground, text } = draft;
      if (ground === null || text.trim() === "") return setProblem("appeal.needText");
      setSending(true);
      try {
        const status = await call(appealAdd, { appeal_token: token, ground, text }, { token: "", quiet: true });
        dropDraft();
        onSent(status);
      } catch (error) {
        if (!(error instanceof CallFailure)) throw error;
        setProblem(problemOf(error.reason));
        setSending(false);
      }
    },
  };
}

function problemOf(reason: string): Key {
  if (reason === "appealed_before" || reason === "appeal_too_late") return `refused.${reason}`;
  return "appeal.failed";
}
