import { EyeOff, Flag, Images, PhoneCall } from "lucide-react";
import type { ReactNode } from "react";
import { type CaseDetail, type DeskPerson, operations } from "@fava/wire/moderation.ts";
import { formatTime } from "#lib/format-date.ts";
import { formatClock, isolate } from "#lib/format.ts";
import { type Translate, useT } from "#lib/i18n.ts";
import { Kbd } from "#ui/Kbd.tsx";
import { classNames } from "#ui/class-names.ts";
import { useDeskSwitches } from "./desk-info.ts";
import { SectionTitle } from "./parts.tsx";
import parts from "./Parts.module.css";
import styles from "./CaseBackground.module.css";

type Background = NonNullable<CaseDetail["background"]>;

/** What there is to judge by without frames of a call: the profile, the last calls, and earlier reports. */
export function CaseBackground(props: {
  person: DeskPerson;
  background: Background;
  isShown: boolean;
  onToggle: () => void;
}): ReactNode {
  const t = useT();
  const { person, background } = props;
  return (
    <>
      <Profile {...props} />
      <div className={styles.lists}>
        <section className={parts.card}>
          <SectionTitle icon={PhoneCall} title={t("desk.lastCalls")} />
          <Rows rows={background.calls.map((call) => ({ at: call.at, text: callText(t, call, person.nickname) }))} />
        </section>
        <section className={parts.card}>
          <SectionTitle icon={Flag} title={t("desk.earlierReports")} />
          <Rows
            rows={background.reports.map(({ at, reason_id, operation }) => ({
              at,
              text: [t(`reason.report.${reason_id}`), outcomeText(t, operation)].join(" · "),
            }))}
          />
        </section>
      </div>
    </>
  );
}

/** Images and texts of the profile; the images are covered at first. */
function Profile({ person, background, isShown, onToggle }: Parameters<typeof CaseBackground>[0]): ReactNode {
  const t = useT();
  const { grey } = useDeskSwitches();
  const pictures = [...(person.avatar === "" ? [] : [person.avatar]), ...background.photos];
  const texts = [person.about, person.location].filter((text) => text !== "");
  return (
    <section className={parts.card}>
      <SectionTitle icon={Images} title={t("desk.profile")} />
      {pictures.length > 0 && (
        <ul className={styles.pictures}>
          {pictures.map((url) => (
            <li
              key={url}
              className={classNames(parts.frame, styles.picture)}
              data-grey={grey || undefined}
              data-covered={!isShown || undefined}
            >
              <img src={url} alt={t("desk.profile.of", { name: person.nickname })} draggable={false} />
            </li>
          ))}
        </ul>
      )}
      {pictures.length > 0 && (
        <button
          type="button"
          className={parts.more}
          aria-keyshortcuts="Space"
          aria-pressed={isShown}
          onClick={onToggle}
        >
          <EyeOff size={18} aria-hidden="true" />
          {t(isShown ? "desk.hide" : "desk.show")}
          <Kbd>{t("desk.key.space")}</Kbd>
        </button>
      )}
      {texts.map((text) => (
        <p key={text} className={parts.quote} dir="auto">
          {text}
        </p>
      ))}
      {pictures.length + texts.length === 0 && <p className={styles.none}>{t("desk.earlier.none")}</p>}
    </section>
  );
}

function Rows({ rows }: { rows: readonly { readonly at: number; readonly text: string }[] }): ReactNode {
  const t = useT();
  if (rows.length === 0) return <p className={styles.none}>{t("desk.earlier.none")}</p>;
  return (
    <ol className={styles.rows}>
      {rows.map(({ at, text }, index) => (
        <li key={`${at} ${index}`}>
          <time>{formatTime(at)}</time>
          <span>{text}</span>
        </li>
      ))}
    </ol>
  );
}

function callText(t: Translate, { seconds, ended_by }: Background["calls"][number], nickname: string): string {
  if (seconds === null || ended_by === null) return t("desk.case.live");
  const length = formatClock(seconds);
  if (ended_by === "person") return t("desk.call.person", { length, name: isolate(nickname) });
  return t(ended_by === "other" ? "desk.call.other" : "desk.call.nobody", { length });
}

function outcomeText(t: Translate, operation: Background["reports"][number]["operation"]): string {
  switch (operation) {
    case null:
      return t("desk.report.open");
    case operations.approve:
      return t("desk.event.clear");
    case operations.reject:
      return t("desk.event.reject");
    case operations.warn:
      return t("desk.event.warn");
    case operations.forbid:
      return t("desk.event.forbid");
  }
}
