import { History, Mail } from "lucide-react";
import { type ReactNode, type Ref, useId, useState } from "react";
import { recentMs } from "@fava/wire/limits.ts";
import { typedDigits } from "#lib/digits.ts";
import { formatNumber, isolate } from "#lib/format.ts";
import { type Key, useT } from "#lib/i18n.ts";
import { openPeople, openReport } from "#lib/person-links.ts";
import { useUser } from "#lib/session.ts";
import { useSettings } from "#lib/settings.ts";
import { Button, buttonClass } from "#ui/Button.tsx";
import { findByNumber, userNoLength } from "./find-by-number.ts";
import { mailAddress } from "./mail-address.ts";
import { useFacts } from "./operator-facts.ts";
import type { TextMark } from "./SafetyParts.tsx";
import { templateText } from "./template-text.ts";
import styles from "./SafetyReport.module.css";

const hourMs = 3_600_000;

interface SafetyReportProps {
  template: string;
  own: TextMark;
  titleRef: Ref<HTMLHeadingElement>;
}

/**
 * Where to report without a call (rules PAGE-47, PAGE-48, PAGE-50): signed in among the people met lately or by the
 * number of the account, otherwise, as while banned, by e-mail.
 */
export function SafetyReport({ template, own, titleRef }: SafetyReportProps): ReactNode {
  const t = useT();
  const user = useUser();
  const facts = useFacts();
  const [number, setNumber] = useState("");
  const [problem, setProblem] = useState<Key | null>(null);
  const hours = formatNumber(recentMs / hourMs);
  const letter = templateText(template, facts, number);
  const byMail = user === null || problem === "safety.nobody" || problem === "safety.failed";
  return (
    <section className={styles.where} aria-labelledby="report-title">
      <h2 id="report-title" ref={titleRef} tabIndex={-1}>
        {t("safety.reportTitle")}
      </h2>
      <p>{user ? t("safety.reportHere", { hours }) : t("safety.reportByMail")}</p>
      <div className={styles.ways}>
        {user && (
          <Button kind="outline" icon={<History size={20} aria-hidden="true" />} onClick={() => openPeople("recent")}>
            {t("safety.recent")}
          </Button>
        )}
        <NumberForm
          number={number}
          problem={problem}
          ownNumber={user?.user_no ?? null}
          onNumber={(typed) => {
            setNumber(typed);
            setProblem(null);
          }}
          onProblem={setProblem}
        />
        {byMail && <MailLink body={letter} />}
      </div>
      <details className={styles.letter}>
        <summary>{t("safety.showText")}</summary>
        <p {...own}>{letter}</p>
      </details>
    </section>
  );
}

interface NumberFormProps {
  number: string;
  problem: Key | null;
  /** Null while nobody is signed in: then the number only goes into the e-mail. */
  ownNumber: string | null;
  onNumber: (typed: string) => void;
  onProblem: (problem: Key) => void;
}

function NumberForm({ number, problem, ownNumber, onNumber, onProblem }: NumberFormProps): ReactNode {
  const t = useT();
  const id = useId();
  const [looking, setLooking] = useState(false);
  const submit = async () => {
    if (ownNumber === null || looking) return;
    if (number.length !== userNoLength) return onProblem("safety.numberShort");
    if (number === ownNumber) return onProblem("safety.own");
    setLooking(true);
    const found = await findByNumber(number);
    setLooking(false);
    if (typeof found === "string") onProblem(found === "nobody" ? "safety.nobody" : "safety.failed");
    else openReport(found);
  };
  return (
    <form
      className={styles.number}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <label htmlFor={id}>{t("safety.number")}</label>
      <div>
        <input
          id={id}
          dir="ltr"
          inputMode="numeric"
          autoComplete="off"
          value={number}
          aria-invalid={problem !== null || undefined}
          aria-describedby={`${id}-hint ${id}-problem`}
          onChange={(event) => onNumber(typedDigits(event.target.value, userNoLength))}
        />
        {ownNumber !== null && (
          <Button type="submit" kind="ink" loading={looking}>
            {t("safety.send")}
          </Button>
        )}
      </div>
      <small id={`${id}-hint`}>{t("safety.numberHint")}</small>
      <p id={`${id}-problem`} className={styles.problem} role="alert">
        {problem && t(problem)}
      </p>
    </form>
  );
}

function MailLink({ body }: { body: string }): ReactNode {
  const t = useT();
  const email = useSettings()?.contact.email;
  if (email === undefined) return null;
  return (
    <div className={styles.mail}>
      <a className={buttonClass({ kind: "ink" })} href={mailAddress(email, { subject: t("safety.mailSubject"), body })}>
        <Mail size={20} aria-hidden="true" />
        {t("safety.write")}
      </a>
      <small>{t("safety.mailAddress", { email: isolate(email) })}</small>
    </div>
  );
}
