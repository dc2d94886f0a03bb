import {
  EllipsisVertical,
  Flag as FlagIcon,
  FolderOpen,
  History,
  Network,
  Plus,
  Tag,
  type LucideIcon,
  TriangleAlert,
  Unlink,
} from "lucide-react";
import { type ReactNode, useState } from "react";
import { strikesMax } from "@fava/wire/limits.ts";
import { type CaseDetail, type DeskPerson, pictureReasonIds } from "@fava/wire/moderation.ts";
import { roles } from "@fava/wire/people.ts";
import { banReasonIds, reportReasonIds } from "@fava/wire/reasons.ts";
import { formatAs, formatShortDate, formatTime } from "#lib/format-date.ts";
import { formatNumber, isolate } from "#lib/format.ts";
import { type Translate, useT } from "#lib/i18n.ts";
import { Avatar } from "#ui/Avatar.tsx";
import { Flag } from "#ui/Flag.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { Menu } from "#ui/Menu.tsx";
import { MenuItem } from "#ui/MenuItems.tsx";
import { PersonMenu } from "./PersonMenu.tsx";
import { formatShare } from "./desk-format.ts";
import { FactList, SectionTitle } from "./parts.tsx";
import type { PersonTools } from "./use-person-tools.ts";
import parts from "./Parts.module.css";
import styles from "./PersonPanel.module.css";

/** All that the desk knows of a person, and the tools beside the decision; never an IP address. */
export function PersonPanel(props: {
  person: DeskPerson;
  /** The reports of the open case; null without a case. */
  reports: CaseDetail["reports"] | null;
  tools: PersonTools;
  onLabel: () => void;
  onNote: () => void;
  onOpenCase: (id: string) => void;
  /** Leaves the name out, because the title of the dialog around this panel contains it. */
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
      <PersonEarlier person={person} />
      {reports !== null && <PersonReporters reports={reports} />}
      <PersonSame key={person.user_id} person={person} tools={tools} onOpenCase={props.onOpenCase} />
    </div>
  );
}

function PersonHead(props: { person: DeskPerson; headless: boolean; children: ReactNode }): ReactNode {
  const { person } = props;
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
        {!props.headless && (
          <h2 dir="auto" translate="no">
            {person.nickname}
          </h2>
        )}
        <p>
          <Flag src={person.country_flag} widthPx={18} />
          {facts.join(" · ")}
        </p>
        {person.role >= roles.moderator && (
          <p>{t(person.role >= roles.administrator ? "desk.role.3" : "desk.role.2")}</p>
        )}
      </div>
      {props.children}
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
      <FactList
        className={styles.facts}
        facts={[
          [t("desk.number"), isolate(person.user_no)],
          [t("desk.joined"), formatAs("medium", person.joined_at)],
          [t("desk.calls"), formatNumber(person.calls_7d)],
          [t("desk.skipped"), person.skipped_share === null ? t("desk.unknown") : formatShare(person.skipped_share)],
        ]}
      >
        <Written label={t("desk.about")} text={person.about} />
        <Written label={t("desk.location")} text={person.location} />
      </FactList>
    </>
  );
}

/** A text of the profile; left out if it is empty. */
function Written({ label, text }: { label: string; text: string }): ReactNode {
  return (
    text !== "" && (
      <div className={styles.wide}>
        <dt>{label}</dt>
        <dd dir="auto">{text}</dd>
      </div>
    )
  );
}

/** A section of the panel with its heading and count. */
function Section(props: { icon: LucideIcon; title: string; count?: number; children: ReactNode }): ReactNode {
  const { icon, title, count, children } = props;
  return (
    <section className={styles.section}>
      <SectionTitle icon={icon} iconPx={16} title={title}>
        {count !== undefined && <span>{count}</span>}
      </SectionTitle>
      {children}
    </section>
  );
}

/** Earlier actions on the person by people and software, the newest first. */
function PersonEarlier({ person }: { person: DeskPerson }): ReactNode {
  const t = useT();
  return (
    <Section icon={History} title={t("desk.earlier")}>
      {person.earlier.length === 0 && <p className={styles.hint}>{t("desk.earlier.none")}</p>}
      <ol className={styles.past}>
        {person.earlier.map((event, index) => (
          <li key={`${event.at} ${index}`}>
            <time title={formatTime(event.at)}>{formatShortDate(event.at)}</time>
            <div>
              <b>{eventText(t, event.kind)}</b>
              <small>{eventDetail(t, event)}</small>
            </div>
          </li>
        ))}
      </ol>
    </Section>
  );
}

/** How reliable the reporters were; never who they are. */
function PersonReporters({ reports }: { reports: CaseDetail["reports"] }): ReactNode {
  const t = useT();
  if (reports.length === 0) return null;
  return (
    <Section icon={FlagIcon} title={t("desk.reporters")} count={reports.length}>
      <ul className={styles.reporters}>
        {reports.map(({ at, reason_id, reliability }, index) => (
          <li key={`${at} ${index}`}>
            {t(`reason.report.${reason_id}`)}
            <small>
              {formatTime(at)} ·{" "}
              {reliability === null
                ? t("desk.reporters.unknown")
                : t("desk.reporters.right", { share: formatShare(reliability) })}
            </small>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** The kinds of audit log rows that have their own text. */
const eventKinds = {
  /** The `reason_id` of these rows is a report reason; that of most others is a ban reason. */
  report: ["report", "flag", "suspend", "clear", "reject", "warn", "pause", "unpause", "ask_look", "ask_text"],
  ban: ["forbid", "ask_second", "second_agree", "second_shorten", "second_lift", "lapse", "mute", "text_refuse"],
  strike: ["strike", "strike_revoked", "appeal", "appeal_upheld", "appeal_shortened", "appeal_lifted"],
  picture: ["image_approve", "image_reject", "image_delete", "images_delete", "text_accept"],
  tool: ["claim", "look", "note", "label", "unlabel", "reset", "role", "unrelated", "open_linked", "notice"],
} as const;

/** The text of a log row; a kind that this page does not know is "Something else". */
function eventText(t: Translate, kind: string): string {
  const known = Object.values(eventKinds)
    .flat()
    .find((one) => one === kind);
  return t(known ? `desk.event.${known}` : "desk.event.other");
}

/** Who did it and why, in one line; may be empty. */
function eventDetail(t: Translate, { kind, reason_id, by, note }: DeskPerson["earlier"][number]): string {
  const reason = reason_id === null ? "" : eventReason(t, kind, reason_id);
  // The desk never shows who reported.
  const who = kind === "report" ? "" : (by ?? t("desk.software"));
  return [who, reason, note].filter((part) => part !== "").join(" · ");
}

function eventReason(t: Translate, kind: string, reasonId: number): string {
  if (kind === "image_reject") {
    const known = pictureReasonIds.find((id) => id === reasonId);
    return known ? t(`photo.rejected.${known}`) : "";
  }
  if (eventKinds.report.some((one) => one === kind)) {
    const known = reportReasonIds.find((id) => id === reasonId);
    return known ? t(`reason.report.${known}`) : "";
  }
  const known = banReasonIds.find((id) => id === reasonId);
  return known ? t(`ban.reason.${known}`) : "";
}

/** Labels that moderators put on the person. */
function PersonLabels(props: { person: DeskPerson; tools: PersonTools; onLabel: () => void }): ReactNode {
  const t = useT();
  return (
    <Section icon={Tag} title={t("desk.labels")}>
      <ul className={styles.labels}>
        {props.person.labels.map((id) => (
          <li key={id}>{t(`desk.label.${id}`)}</li>
        ))}
        <li>
          <button type="button" disabled={props.tools.isBusy} onClick={props.onLabel} aria-keyshortcuts="L">
            <Plus size={13} aria-hidden="true" />
            {t("desk.label")}
          </button>
        </li>
      </ul>
    </Section>
  );
}

type Same = DeskPerson["same"][number];

const sameShown = 3;

/** Accounts with the same device or address, which proves nothing: three at first, the rest on request. */
function PersonSame(props: { person: DeskPerson; tools: PersonTools; onOpenCase: (id: string) => void }): ReactNode {
  const t = useT();
  const { same } = props.person;
  const [all, setAll] = useState(false);
  if (same.length === 0) return null;
  return (
    <Section icon={Network} title={t("desk.same")} count={same.length}>
      <ul className={styles.same}>
        {(all ? same : same.slice(0, sameShown)).map((row) => (
          <li key={row.user_id}>
            <Avatar src={row.avatar} name={row.nickname} sizePx={32} />
            <div>
              <b dir="auto" translate="no">
                {row.nickname}
              </b>
              <small>{factsOf(t, row)}</small>
            </div>
            <SameMenu row={row} tools={props.tools} onOpenCase={props.onOpenCase} />
          </li>
        ))}
      </ul>
      {same.length > sameShown && (
        <button type="button" className={parts.more} aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? t("desk.chat.less") : t("desk.same.all", { number: formatNumber(same.length) })}
        </button>
      )}
      <p className={styles.hint}>{t("desk.same.hint")}</p>
    </Section>
  );
}

function factsOf(t: Translate, { user_no, what, is_banned, seen_at, open_case }: Same): string {
  const state = is_banned
    ? t("desk.same.banned")
    : open_case === null
      ? t("desk.same.seen", { day: formatShortDate(seen_at) })
      : t("desk.same.reported");
  return [isolate(user_no), t(`desk.same.${what}`), state].join(" · ");
}

function SameMenu({ row, tools, onOpenCase }: { row: Same; tools: PersonTools; onOpenCase: (id: string) => void }) {
  const t = useT();
  const { open_case: caseId } = row;
  return (
    <Menu
      label={t("desk.same.menu", { name: row.nickname })}
      widthPx={290}
      trigger={(trigger) => (
        <IconButton
          {...trigger}
          label={t("desk.same.menu", { name: row.nickname })}
          icon={<EllipsisVertical size={18} aria-hidden="true" />}
        />
      )}
    >
      <MenuItem
        icon={<FolderOpen size={20} aria-hidden="true" />}
        onSelect={() => (caseId === null ? tools.judgeLink(row, 2) : onOpenCase(caseId))}
      >
        {t(caseId === null ? "desk.same.open" : "desk.same.toCase")}
      </MenuItem>
      <MenuItem icon={<Unlink size={20} aria-hidden="true" />} onSelect={() => tools.judgeLink(row, 1)}>
        {t("desk.same.unrelated")}
      </MenuItem>
    </Menu>
  );
}

/** Strikes in force, and when the first of them expires. */
function PersonStrikes({ person }: { person: DeskPerson }): ReactNode {
  const t = useT();
  const count = person.strikes.length;
  const first = Math.min(...person.strikes.map(({ expires_at }) => expires_at));
  return (
    <Section icon={TriangleAlert} title={t("desk.strikes")}>
      <div className={styles.strikes}>
        <span className={styles.bars} aria-hidden="true">
          {Array.from({ length: strikesMax }, (_, index) => (
            <i key={index} data-on={index < count || undefined} />
          ))}
        </span>
        {count === 0
          ? t("desk.strikes.none")
          : t("desk.strikes.some", { count, max: strikesMax, day: formatAs("medium", first) })}
      </div>
    </Section>
  );
}
