import { Lock } from "lucide-react";
import { type ReactNode, useId, useRef, useState } from "react";
import { useStore } from "zustand";
import { appealLengthMax } from "@fava/wire/limits.ts";
import { appealGrounds } from "@fava/wire/moderation.ts";
import { formatNumber } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { Button } from "#ui/Button.tsx";
import { RadioCards } from "#ui/RadioCards.tsx";
import type { Ground } from "./appeal-draft.ts";
import { appealForm } from "./appeal-form.ts";
import type { AppealStatus } from "./load-appeal.ts";
import styles from "./Appeal.module.css";

const grounds = appealGrounds.map((id) => ({ id, value: String(id) as `${Ground}` }));

/** Ground and words of an appeal; what was written stays on this browser until it is sent (rule APPEAL-51). */
export function AppealForm(props: { token: string; onSent: (status: AppealStatus) => void }): ReactNode {
  const t = useT();
  const id = useId();
  const [{ store, change, send }] = useState(() => appealForm(props.token, props.onSent));
  const { draft, problem, sending } = useStore(store);
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
