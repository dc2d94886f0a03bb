import { Send } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from "react";
import { appealAnswerLengthMax } from "@fava/wire/limits.ts";
import { formatBeans, isolate } from "#lib/format.ts";
import { type Translate, useT } from "#lib/i18n.ts";
import { Button } from "#ui/Button.tsx";
import { Kbd } from "#ui/Kbd.tsx";
import { Segmented } from "#ui/RadioCards.tsx";
import { shortenedHours, type AppealVerdict } from "./appeal-machine.ts";
import { useDeskKeys } from "./use-desk-keys.ts";
import styles from "./AppealPage.module.css";

type Outcome = "upheld" | "shortened" | "lifted";
type Hours = (typeof shortenedHours)[number];

const outcomes: readonly Outcome[] = ["upheld", "shortened", "lifted"];

/** The outcome is chosen first, then the answer is written and sent; the button says what happens. */
export function AppealAnswer(props: {
  name: string;
  cutBeans: number;
  disabled: boolean;
  onDecide: (verdict: AppealVerdict) => void;
}): ReactNode {
  const t = useT();
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [hours, setHours] = useState<Hours>(24);
  const [answer, setAnswer] = useState("");
  const ready = !props.disabled && outcome !== null && answer.trim() !== "";

  const choose = (chosen: Outcome) => {
    if (props.disabled) return;
    setOutcome(chosen);
    // The field is enabled with this choice, and can take the focus only then.
    requestAnimationFrame(() => field.current?.focus());
  };
  const send = () => {
    if (!ready) return;
    const words = answer.trim();
    props.onDecide(
      outcome === "shortened"
        ? { kind: "appeal", outcome, hours, answer: words }
        : { kind: "appeal", outcome, answer: words },
    );
  };
  useDeskKeys((key) => {
    const chosen = outcomes[Number(key) - 1];
    if (chosen === undefined) return false;
    choose(chosen);
    return true;
  });
  const pressed = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) send();
  };

  return (
    <div className={styles.answer}>
      <div className={styles.outcomes} role="group" aria-label={t("desk.appeal.outcome")}>
        {outcomes.map((one, index) => (
          <Button
            key={one}
            size="small"
            disabled={props.disabled}
            aria-pressed={outcome === one}
            aria-keyshortcuts={String(index + 1)}
            onClick={() => choose(one)}
          >
            {t(`desk.appeal.${one}`)}
            <Kbd>{index + 1}</Kbd>
          </Button>
        ))}
      </div>
      {outcome === "shortened" && (
        <Segmented
          legend={t("desk.appeal.until")}
          value={String(hours)}
          options={shortenedHours.map((one) => ({ value: String(one), label: t(`desk.shortened.${one}`) }))}
          onChange={(value) => setHours(shortenedHours.find((one) => String(one) === value) ?? hours)}
        />
      )}
      <label htmlFor={id}>
        {t("desk.appeal.answer")} <span>{t("desk.appeal.reads", { name: isolate(props.name) })}</span>
      </label>
      <textarea
        ref={field}
        id={id}
        rows={3}
        dir="auto"
        disabled={props.disabled || outcome === null}
        placeholder={outcome === null ? t("desk.appeal.chooseFirst") : undefined}
        maxLength={appealAnswerLengthMax}
        value={answer}
        onChange={(event) => setAnswer(event.target.value)}
        onKeyDown={pressed}
      />
      <footer className={styles.actions}>
        <Button
          kind="ink"
          size="small"
          disabled={!ready}
          icon={<Send size={18} className="flip" aria-hidden="true" />}
          aria-keyshortcuts="Control+Enter"
          onClick={send}
        >
          {buttonText(t, outcome, props.cutBeans)}
          <Kbd>Ctrl ↵</Kbd>
        </Button>
      </footer>
    </div>
  );
}

function buttonText(t: Translate, outcome: Outcome | null, cutBeans: number): string {
  if (outcome === null) return t("desk.appeal.send");
  if (outcome === "lifted" && cutBeans > 0) return t("desk.appeal.liftBeans", { beans: formatBeans(cutBeans) });
  return t(`desk.appeal.do.${outcome}`);
}
