import type { ReactNode } from "react";
import type { CaseDetail, DeskPerson } from "@fava/wire/moderation.ts";
import { roles } from "@fava/wire/people.ts";
import { formatNumber, isolate } from "#lib/format.ts";
import { formatTime } from "#lib/format-date.ts";
import { useT } from "#lib/i18n.ts";
import { Avatar } from "#ui/Avatar.tsx";
import { Flag } from "#ui/Flag.tsx";
import { formatMediumDay, formatShare } from "./desk-format.ts";
import { PersonEarlier, PersonReporters } from "./PersonHistory.tsx";
import { PersonLabels } from "./PersonLabels.tsx";
import { PersonMenu } from "./PersonMenu.tsx";
import { PersonSame } from "./PersonSame.tsx";
import { PersonStrikes } from "./PersonStrikes.tsx";
import type { PersonTools } from "./use-person-tools.ts";
import styles from "./PersonPanel.module.css";

/** All that the desk knows of a person, and the tools beside the decision; never an address. */
export function PersonPanel(props: {
  person: DeskPerson;
  /** Null without a case. */
  reports: CaseDetail["reports"] | null;
  tools: PersonTools;
  onLabel: () => void;
  onNote: () => void;
  onOpenCase: (id: string) => void;
  /** In a dialog the name stands in its title already. */
  headless?: boolean;
}): ReactNode {
  const { person, reports, tools } = props;
  return (
    <div className={styles.panel}>
      <PersonHead person={person} headless={props.headless ?? false}>
        <PersonMenu person={person} tools={tools} onNote={props.onNote} />
      </PersonHead>
      <PersonFacts person={person} />
      <PersonStrikes person={person} />
      <PersonLabels person={person} tools={tools} onLabel={props.onLabel} />
      <PersonSame person={person} tools={tools} onOpenCase={props.onOpenCase} />
      <PersonEarlier person={person} />
      {reports !== null && <PersonReporters reports={reports} />}
    </div>
  );
}

function PersonHead({
  person,
  headless,
  children,
}: {
  person: DeskPerson;
  headless: boolean;
  children: ReactNode;
}): ReactNode {
  const t = useT();
  const facts = [
    person.country_name,
    person.sex === 0 ? "" : t(person.sex === 1 ? "desk.man" : "desk.woman"),
    person.age === null ? "" : formatNumber(person.age),
  ].filter((part) => part !== "");
  return (
    <header className={styles.head}>
      <Avatar src={person.avatar} name={person.nickname} sizePx={56} />
      <div>
        {!headless && <h2 dir="auto">{person.nickname}</h2>}
        <p>
          <Flag src={person.country_flag} widthPx={18} />
          {facts.join(" · ")}
        </p>
        {person.role >= roles.moderator && (
          <p>{t(person.role >= roles.administrator ? "desk.role.3" : "desk.role.2")}</p>
        )}
      </div>
      {children}
    </header>
  );
}

function PersonFacts({ person }: { person: DeskPerson }): ReactNode {
  const t = useT();
  const { ban } = person;
  return (
    <>
      {ban && (
        <p className={styles.ban}>
          {ban.until === null
            ? t("desk.banned.good")
            : t(ban.is_provisional ? "desk.banned.now" : "desk.banned.until", { until: formatTime(ban.until) })}
        </p>
      )}
      <dl className={styles.facts}>
        <div>
          <dt>{t("desk.number")}</dt>
          <dd>{isolate(person.user_no)}</dd>
        </div>
        <div>
          <dt>{t("desk.joined")}</dt>
          <dd>{formatMediumDay(person.joined_at)}</dd>
        </div>
        <div>
          <dt>{t("desk.calls")}</dt>
          <dd>{formatNumber(person.calls_7d)}</dd>
        </div>
        <div>
          <dt>{t("desk.skipped")}</dt>
          <dd>{person.skipped_share === null ? t("desk.unknown") : formatShare(person.skipped_share)}</dd>
        </div>
        <Written label={t("desk.about")} text={person.about} />
        <Written label={t("desk.location")} text={person.location} />
      </dl>
    </>
  );
}

/** What the person wrote about themself; left out where there is nothing. */
function Written({ label, text }: { label: string; text: string }): ReactNode {
  if (text === "") return null;
  return (
    <div className={styles.wide}>
      <dt>{label}</dt>
      <dd dir="auto">{text}</dd>
    </div>
  );
}
