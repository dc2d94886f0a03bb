import { type ReactNode, useState } from "react";
import { ageOn, daysInMonth } from "@fava/wire/age.ts";
import { codes } from "@fava/wire/codes.ts";
import { userUpdate } from "@fava/wire/endpoints/profile.ts";
import { birthYearOffered } from "@fava/wire/limits.ts";
import { call } from "#lib/api/call.ts";
import { CallFailure } from "#lib/api/call-failure.ts";
import { serverNowMs } from "#lib/api/server-clock.ts";
import { formatDay, formatMonth, formatNumber } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { closeOverlay, openOverlay } from "#lib/overlays.ts";
import { refreshUser, replaceUser, useUser } from "#lib/session.ts";
import { Button } from "#ui/Button.tsx";
import { Select } from "#ui/Select.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import { Steps } from "#ui/Steps.tsx";
import {
  type BirthChoice,
  type BirthPart,
  changePart,
  dayText,
  firstChoice,
  offeredYears,
  partOrder,
} from "./birth-choice.ts";
import styles from "./ProfileSheets.module.css";

/** The birthday, asked once: three selects, then the date in words once more, because it cannot be changed (rule AGE-5). */
export function BirthdaySheet({ open }: { open: boolean }): ReactNode {
  const [choice, setChoice] = useState(firstChoice);
  const [view, setView] = useState<"pick" | "confirm">("pick");
  if (view === "confirm") return <ConfirmView open={open} choice={choice} onChange={() => setView("pick")} />;
  return <PickView open={open} choice={choice} onPick={setChoice} onNext={() => setView("confirm")} />;
}

function PickView(props: {
  open: boolean;
  choice: BirthChoice;
  onPick: (choice: BirthChoice) => void;
  onNext: () => void;
}): ReactNode {
  const t = useT();
  const { choice, onPick } = props;
  const earlier = choice.year < birthYearOffered.first;
  const options: Readonly<Record<BirthPart, readonly { value: number; text: string }[]>> = {
    // Years are written without grouping, so they are not numbers for the formatter.
    year: offeredYears(earlier).map((value) => ({ value, text: String(value) })),
    month: numbers(12).map((value) => ({ value, text: formatMonth(value) })),
    day: numbers(daysInMonth(choice.year, choice.month)).map((value) => ({ value, text: formatNumber(value) })),
  };
  return (
    <Sheet
      open={props.open}
      widthPx={460}
      title={t("birth.title")}
      lead={t("birth.lead")}
      eyebrow={<Steps n={1} of={2} />}
      onClose={() => closeOverlay("birthday")}
      foot={
        <Button kind="go" block onClick={props.onNext}>
          {t("common.next")}
        </Button>
      }
    >
      <div className={styles.three}>
        {partOrder().map((part) => (
          <div key={part} data-part={part}>
            <Select
              label={t(`birth.${part}`)}
              value={String(choice[part])}
              options={options[part].map(({ value, text }) => ({ value: String(value), text }))}
              onChange={(value) => onPick(changePart(choice, part, Number(value)))}
            />
          </div>
        ))}
      </div>
      <button
        type="button"
        className={styles.link}
        onClick={() => onPick(changePart(choice, "year", earlier ? firstChoice().year : birthYearOffered.first - 1))}
      >
        {t(earlier ? "birth.later" : "birth.earlier")}
      </button>
    </Sheet>
  );
}

function ConfirmView(props: { open: boolean; choice: BirthChoice; onChange: () => void }): ReactNode {
  const t = useT();
  const user = useUser();
  const [saving, setSaving] = useState(false);
  const day = dayText(props.choice);
  async function save(): Promise<void> {
    if (!user) return;
    setSaving(true);
    try {
      replaceUser(await call(userUpdate, { user_id: user.user_id, birth_year: props.choice.year, birthday: day }));
      closeOverlay("birthday", "done");
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      if (error.code === codes.forbidden && error.reason === "under_age") await showAgeRestriction();
      else if (error.code === codes.forbidden && error.reason === "already_set") await storedElsewhere();
    } finally {
      setSaving(false);
    }
  }
  return (
    <Sheet
      open={props.open}
      widthPx={460}
      closable={false}
      alert
      row
      title={t("birth.check")}
      eyebrow={<Steps n={1} of={2} />}
      foot={
        <>
          <Button kind="quiet" onClick={props.onChange}>
            {t("birth.edit")}
          </Button>
          <Button kind="go" loading={saving} onClick={() => void save()}>
            {t("birth.yes")}
          </Button>
        </>
      }
    >
      <p className={styles.date}>
        <span>{t("birth.born")}</span>
        <b>{formatDay(day)}</b>
        <span>{t("birth.age", { n: formatNumber(ageOn(day, serverNowMs())) })}</span>
      </p>
      <p className={styles.small}>{t("birth.once")}</p>
    </Sheet>
  );
}

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);

/** The server refused and kept only the day of the next try; the own data now carry that day. */
async function showAgeRestriction(): Promise<void> {
  await refreshUser();
  closeOverlay("birthday");
  void openOverlay("age-restriction");
}

/** Another page of the same account was faster: its answer counts. */
async function storedElsewhere(): Promise<void> {
  await refreshUser();
  closeOverlay("birthday", "done");
}
