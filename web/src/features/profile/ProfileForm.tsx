import { CircleAlert, Lock } from "lucide-react";
import { type ReactNode, useId } from "react";
import { aboutLengthMax, locationLengthMax, nicknameLengthMax } from "@fava/wire/limits.ts";
import type { OwnUser } from "@fava/wire/people.ts";
import { formatShortDate } from "#lib/format-date.ts";
import { formatNumber } from "#lib/format.ts";
import { type Key, type Translate, useT } from "#lib/i18n.ts";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { showToast } from "#ui/toast-store.ts";
import type { FieldProblem, ProfileEdit, TextField } from "./use-profile-edit.ts";
import { AskPerson } from "./AskPerson.tsx";
import { SaveChanges } from "#ui/SaveChanges.tsx";
import styles from "./Profile.module.css";

/** Name, location and about-me. */
export function ProfileTexts({ user, edit }: { user: OwnUser; edit: ProfileEdit }): ReactNode {
  const t = useT();
  const { draft } = edit;
  return (
    <>
      <div className={styles.two}>
        {user.nickname_next === null ? (
          <ProfileField
            field="nickname"
            label={t("profile.name")}
            remark={t("profile.nameRule")}
            value={draft.nickname}
            lengthMax={nicknameLengthMax}
            edit={edit}
            onChange={(nickname) => edit.change({ nickname })}
          />
        ) : (
          <LockedField
            label={t("profile.name")}
            value={user.nickname}
            remark={t("profile.nameNext", { day: formatShortDate(user.nickname_next) })}
          />
        )}
        <ProfileField
          field="location"
          label={t("profile.location")}
          remark={t("profile.optional")}
          value={draft.location}
          lengthMax={locationLengthMax}
          edit={edit}
          onChange={(location) => edit.change({ location })}
        />
      </div>
      <ProfileField
        field="about"
        label={t("profile.about")}
        hint={t("profile.aboutHint")}
        value={draft.about}
        lengthMax={aboutLengthMax}
        edit={edit}
        onChange={(about) => edit.change({ about })}
        long
      />
    </>
  );
}

/** Saves the texts of the profile. */
export function SaveBar({ edit }: { edit: ProfileEdit }): ReactNode {
  const t = useT();
  const isWrong = Object.keys(edit.problems).length > 0;
  const isOff = edit.changes === null || isWrong;
  async function save(button: HTMLButtonElement): Promise<void> {
    if (isOff) {
      // Move the focus to the first invalid field.
      const dialog = button.closest('[role="dialog"]');
      dialog?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
      return;
    }
    if (await edit.save()) showToast({ type: "success", text: t("profile.saved") });
  }
  const hasFailed = edit.failed !== "no";
  const why = hasFailed
    ? t(edit.failed === "too-soon" ? "refused.nickname_too_soon" : "profile.saveFailed")
    : isWrong
      ? t("profile.wrong")
      : t(edit.changes === null ? "profile.nothing" : "profile.checked");
  return (
    <SaveChanges
      why={why}
      isWrong={hasFailed || isWrong}
      isOff={isOff}
      isSaving={edit.saving}
      onPress={(button) => void save(button)}
    />
  );
}

/** An editable text of the profile, with its problem below. */
function ProfileField(props: {
  field: TextField;
  label: string;
  value: string;
  lengthMax: number;
  edit: ProfileEdit;
  onChange: (value: string) => void;
  /** A remark beside the label. */
  remark?: string;
  /** A hint below the field while its text is valid. */
  hint?: string;
  /** Whether the field has several lines and a counter. */
  long?: boolean;
}): ReactNode {
  const t = useT();
  const id = useId();
  const problem = props.edit.problems[props.field];
  const words = problem ? problemText(t, props.field, problem) : props.hint;
  const control = {
    id,
    name: props.field,
    dir: "auto",
    className: styles.input,
    value: props.value,
    maxLength: props.lengthMax,
    autoComplete: "off",
    "aria-invalid": problem !== undefined,
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
      <p id={`${id}-hint`} className={styles.hint} data-wrong={problem ? "" : undefined} aria-live="polite">
        {problem && <CircleAlert size={16} aria-hidden="true" />}
        {words && <span>{words}</span>}
      </p>
      <AskPerson field={props.field} edit={props.edit} />
    </div>
  );
}

/** A text that cannot be changed now, with the reason: a text and a lock instead of a disabled field. */
function LockedField(props: { label: string; value: string; remark: string }): ReactNode {
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
        <bdi dir="ltr" translate="no">{`${numbers.count} / ${numbers.max}`}</bdi>
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
  abuse: "profile.found.hurtful",
  solicitation: "profile.found.hurtful",
  invisible_text: "refused.invisible_text",
  name_reserved: "refused.name_reserved",
  answered_before: "refused.answered_before",
};

function problemText(t: Translate, field: TextField, problem: FieldProblem): string {
  if (problem.kind === "empty") return t(field === "nickname" ? "profile.nameEmpty" : "profile.aboutEmpty");
  return t(foundKeys[problem.finding] ?? "profile.found.other");
}
