import { undoMs } from "@fava/wire/limits.ts";
import { reasonsOfferedIn } from "@fava/wire/reasons.ts";
import { Check, RotateCcw, ShieldCheck, TriangleAlert, Undo2, Video } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useCallRuntime } from "#features/call/machine/runtime-context.ts";
import { currentMatchFilters } from "#features/match/match-filters.ts";
import { isComposing } from "#lib/composing.ts";
import { formatNumber, isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { hasOpenLayer } from "#lib/layers.ts";
import { halfSecondMs, useNow } from "#lib/use-now.ts";
import { Button } from "#ui/Button.tsx";
import { Kbd } from "#ui/Kbd.tsx";
import { ReportWords } from "#ui/ReportWords.tsx";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import styles from "./PanicPage.module.css";
import {
  leavePanic,
  type PanicState,
  reasonAtFirst,
  choosePanicReason,
  sendNote,
  sendPanic,
  undoPanic,
  writeNote,
} from "./panic.ts";

type Shown = Exclude<PanicState, { step: "none" }>;

/** The offered reasons, the general one last. */
const reasons = reasonsOfferedIn("panic");

/**
 * After the emergency exit (rule SAFE-220): only the partner's name is left of the call. Undo withdraws block and
 * report, not the exit; every way out of the page sends both.
 */
export function PanicPage({ panic }: { panic: Shown }): ReactNode {
  const t = useT();
  const { startCall } = useCallRuntime();
  const title = useRef<HTMLHeadingElement>(null);
  const [going, setGoing] = useState(false);
  useEffect(() => title.current?.focus(), []);
  usePanicKeys();
  const name = isolate(panic.exited.nickname);
  async function meetSomebody(): Promise<void> {
    setGoing(true);
    await startCall(currentMatchFilters());
  }
  return (
    <div className={styles.page} data-theme="dark" data-panic={panic.step}>
      <main className={styles.middle}>
        <span className={styles.art} aria-hidden="true">
          <ShieldCheck size={34} />
        </span>
        <h1 ref={title} tabIndex={-1}>
          {t("panic.title")}
        </h1>
        <p className={styles.lead}>{t("panic.lead", { name })}</p>
        <Outcome panic={panic} />
        {panic.step !== "undone" && <Reasons panic={panic} />}
        {panic.step !== "undone" && <Words panic={panic} />}
        <div className={styles.ways}>
          <Button kind="quiet" onClick={() => void leavePanic()}>
            {t("panic.home")}
          </Button>
          <Button kind="go" icon={<Video size={20} />} loading={going} onClick={() => void meetSomebody()}>
            {t("panic.meet")}
          </Button>
        </div>
        <a className={styles.help} href="/safety" target="_blank" rel="noopener">
          {t("panic.help")}
          <VisuallyHidden>({t("common.newWindow")})</VisuallyHidden>
        </a>
        <a className={styles.help} href="/notice" target="_blank" rel="noopener">
          {t("notice.title")}
          <VisuallyHidden>({t("common.newWindow")})</VisuallyHidden>
        </a>
      </main>
    </div>
  );
}

/** Id of the state of block and report, to which the countdown refers. */
const fateId = "panic-fate";

function Outcome({ panic }: { panic: Shown }): ReactNode {
  const t = useT();
  const name = isolate(panic.exited.nickname);
  const { step } = panic;
  return (
    <div className={styles.fate}>
      <FateSign panic={panic} />
      <p id={fateId} role="status">
        {t(`panic.${step}`, { name })}
      </p>
      {step === "waiting" && (
        <Button
          kind="ink"
          size="small"
          aria-keyshortcuts="U"
          icon={<Undo2 className="flip" size={18} />}
          onClick={undoPanic}
        >
          {t("people.undo")}
          <Kbd>U</Kbd>
        </Button>
      )}
      {step === "failed" && (
        <Button kind="ink" size="small" onClick={sendPanic}>
          {t("common.retry")}
        </Button>
      )}
    </div>
  );
}

function FateSign({ panic }: { panic: Shown }): ReactNode {
  switch (panic.step) {
    case "waiting":
      return <Countdown endsAtMs={panic.endsAtMs} />;
    case "undone":
      return <RotateCcw className={styles.sign} size={24} aria-hidden="true" />;
    case "failed":
      return <TriangleAlert className={styles.sign} size={24} aria-hidden="true" />;
    case "sending":
    case "sent":
      return <Check className={styles.sign} size={24} aria-hidden="true" />;
  }
}

function Countdown({ endsAtMs }: { endsAtMs: number }): ReactNode {
  const now = useNow(halfSecondMs);
  const leftMs = Math.min(undoMs, Math.max(0, endsAtMs - now));
  return (
    <span className={styles.ring} role="timer" aria-labelledby={fateId} translate="no">
      <svg viewBox="0 0 44 44" aria-hidden="true">
        <circle cx="22" cy="22" r="19" />
        <circle cx="22" cy="22" r="19" pathLength={undoMs} strokeDasharray={`${leftMs} ${2 * undoMs}`} />
      </svg>
      <span>{formatNumber(Math.ceil(leftMs / 1_000))}</span>
    </span>
  );
}

function Reasons({ panic }: { panic: Exclude<Shown, { step: "undone" }> }): ReactNode {
  const t = useT();
  const [chosen, setChosen] = useState(false);
  return (
    <fieldset className={styles.reasons}>
      <legend>{t("panic.reason")}</legend>
      {reasons.map(({ id }) => (
        <label key={id}>
          <input
            type="radio"
            name="panic-reason"
            checked={chosen && panic.reason === id}
            onChange={() => {
              setChosen(true);
              choosePanicReason(id);
            }}
          />
          {t(id === reasonAtFirst ? "panic.other" : `reason.report.${id}`)}
        </label>
      ))}
    </fieldset>
  );
}

/** The user's own description: sent by the button, or when the user leaves the page. */
function Words({ panic }: { panic: Exclude<Shown, { step: "undone" }> }): ReactNode {
  const t = useT();
  const { note, isNoteDone } = panic;
  return (
    <div className={styles.words}>
      <ReportWords value={note} readOnly={isNoteDone} onChange={writeNote} />
      {isNoteDone ? (
        <p role="status">{t("report.wordsSent")}</p>
      ) : (
        note.trim() !== "" && (
          <Button kind="quiet" size="small" onClick={sendNote}>
            {t("msg.send")}
          </Button>
        )
      )}
    </div>
  );
}

function usePanicKeys(): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (hasOpenLayer() || isComposing(event) || event.repeat || event.altKey || event.ctrlKey || event.metaKey)
        return;
      const isWriting = event.target instanceof HTMLTextAreaElement;
      if (event.code === "KeyU" && !isWriting) undoPanic();
      else if (event.key === "Escape") void leavePanic();
      else return;
      event.preventDefault();
    };
    window.addEventListener("keydown", pressed);
    return () => window.removeEventListener("keydown", pressed);
  }, []);
}
