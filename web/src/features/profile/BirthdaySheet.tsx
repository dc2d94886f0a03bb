import { type ReactNode, useState } from "react";
import { ageOn, daysInMonth } from "@fava/wire/age.ts";
import { birthYearOffered } from "@fava/wire/limits.ts";
import { serverNowMs } from "#lib/api/server-clock.ts";
import { formatNumber } from "#lib/format.ts";
import { formatDay, formatMonth } from "#lib/format-date.ts";
import { useT } from "#lib/i18n.ts";
import { closeOverlay, openOverlay } from "#lib/overlays.ts";
import { Button } from "#ui/Button.tsx";
import { Select } from "#ui/Select.tsx";
import { Sheet, type SheetProps } from "#ui/Sheet.tsx";
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
import { saveProfile } from "./save-profile.ts";
import styles from "./ProfileSheets.module.css";

/** The birthday, asked once: three selects, then the date in words once more, because it cannot be changed (rule AGE-5). */
export function BirthdaySheet(): ReactNode {
  const [choice, setChoice] = useState(firstChoice);
  const [view, setView] = useState<"pick" | "confirm">("pick");
  const pick = usePickView({ choice, onPick: setChoice, onNext: () => setView("confirm") });
  const confirm = useConfirmView(choice, () => setView("pick"));
  return <Sheet {...(view === "confirm" ? confirm : pick)} />;
}

function usePickView(props: {
  choice: BirthChoice;
  onPick: (choice: BirthChoice) => void;
  onNext: () => void;
}): SheetProps {
  const t = useT();
  const { choice, onPick } = props;
  const earlier = choice.year < birthYearOffered.first;
  const options: Readonly<Record<BirthPart, readonly { value: number; text: string }[]>> = {
    // Years are written without grouping, so they are not numbers for the formatter.
    year: offeredYears(earlier).map((value) => ({ value, text: String(value) })),
    month: numbers(12).map((value) => ({ value, text: formatMonth(value) })),
    day: numbers(daysInMonth(choice.year, choice.month)).map((value) => ({ value, text: formatNumber(value) })),
  };
  return {
    widthPx: 460,
    title: t("birth.title"),
    lead: t("birth.lead"),
    eyebrow: <Steps n={1} of={2} />,
    onClose: () => closeOverlay("birthday"),
    foot: (
      <Button kind="go" block onClick={props.onNext}>
        {t("common.next")}
      </Button>
    ),
    children: (
      <>
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
      </>
    ),
  };
}

function useConfirmView(choice: BirthChoice, onChange: () => void): SheetProps {
  const t = useT();
  const day = dayText(choice);
  async function save(): Promise<void> {
    const result = await saveProfile({ birth_year: choice.year, birthday: day }, t("birth.saving"));
    if (result === "saved") closeOverlay("birthday", "done");
    if (result !== "under-age") return;
    closeOverlay("birthday");
    void openOverlay("age-restriction");
  }
  return {
    widthPx: 460,
    closable: false,
    alert: true,
    row: true,
    title: t("birth.check"),
    eyebrow: <Steps n={1} of={2} />,
    foot: (
      <>
        <Button kind="quiet" onClick={onChange}>
          {t("birth.edit")}
        </Button>
        <Button kind="go" onClick={() => void save()}>
          {t("birth.yes")}
        </Button>
      </>
    ),
    children: (
      <>
        <p className={styles.date}>
          <span>{t("birth.born")}</span>
          <b>{formatDay(day)}</b>
          <span>{t("birth.age", { n: formatNumber(ageOn(day, serverNowMs())) })}</span>
        </p>
        <p className={styles.small}>{t("birth.once")}</p>
      </>
    ),
  };
}

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);
