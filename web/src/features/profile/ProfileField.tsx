import { CircleAlert, Lock } from "lucide-react";
import { type ReactNode, useId } from "react";
import { formatNumber } from "#lib/format.ts";
import { type Key, type Translate, useT } from "#lib/i18n.ts";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import type { FieldProblem, TextField } from "./profile-draft.ts";
import styles from "./Profile.module.css";

/** A text of the profile that can be edited; what is wrong with it stands under it (rules USER-55, USER-56). */
export function ProfileField(props: {
  field: TextField;
  label: string;
  value: string;
  lengthMax: number;
  problem: FieldProblem | undefined;
  onChange: (value: string) => void;
  /** Beside the label. */
  remark?: string;
  /** Under the field while nothing is wrong. */
  hint?: string;
  /** Several lines, with a counter. */
  long?: boolean;
}): ReactNode {
  const t = useT();
  const id = useId();
  const control = {
    id,
    name: props.field,
    dir: "auto",
    className: styles.input,
    value: props.value,
    maxLength: props.lengthMax,
    autoComplete: "off",
    "aria-invalid": props.problem !== undefined,
    "aria-describedby": `${id}-hint`,
    onChange: (event: { target: { value: string } }) => props.onChange(event.target.value),
  };
  return (
    <div className={styles.field}>
      <span className={styles.label}>
        <label htmlFor={id}>{props.label}</label>
        {props.long ? <Counter count={props.value.length} max={props.lengthMax} /> : <small>{props.remark}</small>}
      </span>
      {props.long ? <textarea {...control} rows={3} /> : <input {...control} type="text" />}
      <p id={`${id}-hint`} className={styles.hint} data-wrong={props.problem ? "" : undefined} aria-live="polite">
        {props.problem && <CircleAlert size={16} aria-hidden="true" />}
        {props.problem ? problemText(t, props.field, props.problem) : props.hint}
      </p>
    </div>
  );
}

/** A text that cannot be changed now, with the reason beside it: text and a lock instead of a dead field. */
export function LockedField(props: { label: string; value: string; remark: string }): ReactNode {
  return (
    <dl className={styles.field}>
      <div className={styles.lockedField}>
        <dt>{props.label}</dt>
        <dd>
          <small>{props.remark}</small>
        </dd>
        <dd className={styles.lockedValue}>
          <bdi>{props.value}</bdi>
          <Lock size={16} aria-hidden="true" />
        </dd>
      </div>
    </dl>
  );
}

function Counter({ count, max }: { count: number; max: number }): ReactNode {
  const t = useT();
  const numbers = { count: formatNumber(count), max: formatNumber(max) };
  return (
    <small>
      <span aria-hidden="true">
        <bdi dir="ltr">{`${numbers.count} / ${numbers.max}`}</bdi>
      </span>
      <VisuallyHidden>{t("profile.counter", numbers)}</VisuallyHidden>
    </small>
  );
}

const foundKeys: Readonly<Record<string, Key>> = {
  phone: "profile.found.phone",
  email: "profile.found.email",
  link: "profile.found.link",
  handle: "profile.found.handle",
  account_number: "profile.found.account_number",
  address: "profile.found.address",
  abuse: "refused.abusive_text",
  solicitation: "refused.abusive_text",
};

function problemText(t: Translate, field: TextField, problem: FieldProblem): string {
  if (problem.kind === "empty") return t(field === "nickname" ? "profile.nameEmpty" : "profile.aboutEmpty");
  return t(foundKeys[problem.finding] ?? "profile.found.other");
}
