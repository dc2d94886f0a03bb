import { Mars, Venus } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { ageOn, daysInMonth, parseDay } from "@fava/wire/age.ts";
import { codes } from "@fava/wire/codes.ts";
import type { InputOf } from "@fava/wire/endpoint.ts";
import { userUpdate } from "@fava/wire/endpoints/profile.ts";
import { birthdayPickerDefault, birthYearOffered } from "@fava/wire/limits.ts";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { request } from "#lib/api/request.ts";
import { serverNowMs } from "#lib/api/server-clock.ts";
import { formatDay, formatMonth } from "#lib/format-date.ts";
import { formatNumber } from "#lib/format.ts";
import { currentLanguage, useT } from "#lib/i18n.ts";
import { dateOrder } from "#lib/intl.ts";
import { closeOverlay, openOverlay } from "#lib/overlays.ts";
import { currentUser, refreshUser, replaceUser } from "#lib/session.ts";
import { Button } from "#ui/Button.tsx";
import { Checkbox } from "#ui/Checkbox.tsx";
import { Fieldset } from "#ui/Fieldset.tsx";
import { RadioCards } from "#ui/RadioCards.tsx";
import { Select, type SelectOption } from "#ui/Select.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import { showLoading } from "#ui/loading-store.ts";
import styles from "./ProfileSheets.module.css";

/**
 * Birthday and gender in one dialog, asked once and permanent; a known one is left out. Next says why it does nothing
 * until the birthday was set or confirmed and a gender chosen (rule AGE-5).
 */
export function CompleteProfileSheet(): ReactNode {
  const t = useT();
  const [asked, setAsked] = useState(whatIsMissing);
  const [choice, setChoice] = useState(firstChoice);
  const [isConfirmed, setConfirmed] = useState(false);
  const [sex, setSex] = useState<"1" | "2" | null>(null);
  const [wasPressed, setWasPressed] = useState(false);
  const hintId = useId();
  const missing = [
    ...(asked.birthday && !isConfirmed ? [t("birth.choose")] : []),
    ...(asked.gender && sex === null ? [t("gender.choose")] : []),
  ];
  const mayGoOn = missing.length === 0;

  async function next(): Promise<void> {
    if (!mayGoOn) return setWasPressed(true);
    const result = await saveProfile(
      {
        ...(asked.birthday && { birth_year: choice.year, birthday: dayText(choice) }),
        ...(asked.gender && sex !== null && { sex }),
      },
      t(asked.birthday ? "birth.saving" : "gender.saving"),
    );
    if (result === "under-age") {
      closeOverlay("complete-profile");
      void openOverlay("age-restriction");
    } else if (result === "saved") {
      // Another page may have stored one of the two first.
      const rest = whatIsMissing();
      if (rest.birthday || rest.gender) setAsked(rest);
      else closeOverlay("complete-profile", "done");
    }
  }

  return (
    <Sheet
      widthPx={480}
      title={t("complete.title")}
      lead={t("complete.once")}
      onClose={() => closeOverlay("complete-profile")}
      foot={
        <div className={styles.next}>
          <p id={hintId} className={styles.hint} role="status">
            {wasPressed && missing.map((hint) => <span key={hint}>{hint}</span>)}
          </p>
          <Button kind="go" block aria-disabled={!mayGoOn} aria-describedby={hintId} onClick={() => void next()}>
            {t("common.next")}
          </Button>
        </div>
      }
    >
      {asked.birthday && (
        <div className={styles.question}>
          <Birthday
            choice={choice}
            isConfirmed={isConfirmed}
            onChange={(changed, { isMeant }) => {
              setChoice(changed);
              setConfirmed(isMeant);
            }}
          />
          <Confirmation choice={choice} isConfirmed={isConfirmed} onConfirm={setConfirmed} />
          <p className={styles.small}>{t("birth.lead")}</p>
        </div>
      )}
      {asked.gender && (
        <div className={styles.question}>
          <RadioCards
            legend={t("gender.title")}
            layout="cards"
            options={[
              { value: "1", label: t("gender.male"), icon: <Mars size={30} aria-hidden="true" /> },
              { value: "2", label: t("gender.female"), icon: <Venus size={30} aria-hidden="true" /> },
            ]}
            value={sex}
            onChange={setSex}
          />
          <p className={styles.small}>{t("gender.lead")}</p>
        </div>
      )}
    </Sheet>
  );
}

function whatIsMissing(): { birthday: boolean; gender: boolean } {
  const user = currentUser();
  return { birthday: user?.birthday === "", gender: user?.sex === 0 };
}

interface BirthdayProps {
  choice: BirthChoice;
  /** Until then the date is shown as a proposal. */
  isConfirmed: boolean;
  /**
   * `isMeant`: the user has set a part of the date. False if the date moved only because the user chose another range
   * of years.
   */
  onChange: (choice: BirthChoice, how: { isMeant: boolean }) => void;
}

/** Value of the option that replaces the offered range of years by the other one. */
const otherYears = "other";

/** Three selects in the order of a date in the language. */
function Birthday({ choice, isConfirmed, onChange }: BirthdayProps): ReactNode {
  const t = useT();
  /** Which range of years is offered. */
  const [isEarlier, setEarlier] = useState(false);
  // Years have no digit grouping, so they are not formatted as numbers.
  const years = offeredYears(isEarlier).map((value) => ({ value: String(value), text: String(value) }));
  const other = { value: otherYears, text: t(isEarlier ? "birth.later" : "birth.earlier") };
  const options: Readonly<Record<BirthPart, readonly SelectOption[]>> = {
    year: isEarlier ? [other, ...years] : [...years, other],
    month: numbers(12).map((value) => ({ value: String(value), text: formatMonth(value) })),
    day: numbers(daysInMonth(choice.year, choice.month)).map((value) => ({
      value: String(value),
      text: formatNumber(value),
    })),
  };
  function change(part: BirthPart, value: string): void {
    if (value !== otherYears) return onChange(changePart(choice, part, Number(value)), { isMeant: true });
    setEarlier(!isEarlier);
    const year = isEarlier ? birthYearOffered.first : birthYearOffered.first - 1;
    onChange(changePart(choice, "year", year), { isMeant: false });
  }
  return (
    <Fieldset legend={t("birth.title")}>
      <div className={styles.three} data-proposed={!isConfirmed || undefined}>
        {partOrder().map((part) => (
          <div key={part} data-part={part}>
            <Select
              label={t(`birth.${part}`)}
              hideLabel
              value={String(choice[part])}
              options={options[part]}
              onChange={(value) => change(part, value)}
            />
          </div>
        ))}
      </div>
    </Fieldset>
  );
}

/** A checkbox that confirms the date in words, with the resulting age; a date that the user sets is confirmed. */
function Confirmation(props: {
  choice: BirthChoice;
  isConfirmed: boolean;
  onConfirm: (isConfirmed: boolean) => void;
}): ReactNode {
  const t = useT();
  const day = dayText(props.choice);
  return (
    <div className={styles.confirmation}>
      <Checkbox
        checked={props.isConfirmed}
        onChange={props.onConfirm}
        hint={
          <>
            <b>{formatDay(day)}</b> {t("birth.age", { n: formatNumber(ageOn(day, serverNowMs())) })}
          </>
        }
      >
        {t("birth.mine")}
      </Checkbox>
    </div>
  );
}

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);

/** Year, month 1 to 12 and day of the three selects. */
export interface BirthChoice {
  year: number;
  month: number;
  day: number;
}

export type BirthPart = keyof BirthChoice;

/** The initial date of the picker: 2006-10-28 (rule AGE-4). */
export function firstChoice(): BirthChoice {
  const day = parseDay(birthdayPickerDefault);
  if (!day) throw new Error("the picker's default is not a calendar day");
  return day;
}

/** Changes one part; the day shrinks with the month, so that the choice is always a real day. */
export function changePart(choice: BirthChoice, part: BirthPart, value: number): BirthChoice {
  const changed = { ...choice, [part]: value };
  return { ...changed, day: Math.min(changed.day, daysInMonth(changed.year, changed.month)) };
}

export function dayText(choice: BirthChoice): string {
  const two = (value: number) => String(value).padStart(2, "0");
  return `${choice.year}-${two(choice.month)}-${two(choice.day)}`;
}

/** The offered years, newest first: 1980 to 2019, or the earlier ones from 1926 (rule AGE-3). */
export function offeredYears(earlier: boolean): readonly number[] {
  const { first, last, earliest } = birthYearOffered;
  const [from, to] = earlier ? [earliest, first - 1] : [first, last];
  return Array.from({ length: to - from + 1 }, (_, index) => to - index);
}

function partOrder(): readonly BirthPart[] {
  return dateOrder(currentLanguage());
}

/** `failed`: the failure is shown elsewhere, or the session is gone; the step stays open. */
type SaveResult = "saved" | "under-age" | "failed";

/**
 * Stores birthday or gender under a loading overlay with `text`. A value that another page of the same account stored
 * first counts as saved.
 */
async function saveProfile(fields: Omit<InputOf<typeof userUpdate>, "user_id">, text: string): Promise<SaveResult> {
  const user = currentUser();
  if (!user) return "failed";
  const done = showLoading(text);
  try {
    replaceUser(await request(userUpdate, { user_id: user.user_id, ...fields }));
    return "saved";
  } catch (error) {
    if (!(error instanceof RequestFailure)) throw error;
    if (error.code !== codes.forbidden) return "failed";
    await refreshUser();
    return error.reason === "under_age" ? "under-age" : error.reason === "already_set" ? "saved" : "failed";
  } finally {
    done();
  }
}
