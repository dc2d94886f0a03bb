import {
  EllipsisVertical,
  Flag as FlagIcon,
  FolderOpen,
  History,
  Network,
  Plus,
  ScanSearch,
  Tag,
  type LucideIcon,
  TriangleAlert,
  Unlink,
} from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { adminSameIp } from "@fava/wire/endpoints/desk.ts";
import { strikesMax } from "@fava/wire/limits.ts";
import type { CaseDetail, DeskPerson } from "@fava/wire/moderation.ts";
import { roles } from "@fava/wire/people.ts";
import { formatAs, formatShortDate, formatTime } from "#lib/format-date.ts";
import { formatNumber, isolate } from "#lib/format.ts";
import { type Translate, useT } from "#lib/i18n.ts";
import { Avatar } from "#ui/Avatar.tsx";
import { Flag } from "#ui/Flag.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { Menu } from "#ui/Menu.tsx";
import { MenuItem } from "#ui/MenuItems.tsx";
import { useEndpointQuery } from "#lib/query.ts";
import { useUser } from "#lib/session.ts";
import { PersonMenu } from "./PersonMenu.tsx";
import { eventDetail, eventText } from "./desk-events.ts";
import { formatShare, recordText } from "./desk-format.ts";
import { requestOptions, useFailureToast } from "./desk-query.ts";
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

/** The record of each reporter; never who they are. */
function PersonReporters({ reports }: { reports: CaseDetail["reports"] }): ReactNode {
  const t = useT();
  if (reports.length === 0) return null;
  return (
    <Section icon={FlagIcon} title={t("desk.reporters")} count={reports.length}>
      <ul className={styles.reporters}>
        {reports.map(({ at, reason_id, ...record }, index) => (
          <li key={`${at} ${index}`}>
            {t(`reason.report.${reason_id}`)}
            <small>
              {formatTime(at)} · {recordText(t, record)}
            </small>
          </li>
        ))}
      </ul>
    </Section>
  );
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
function PersonSame(props: LinkedParts): ReactNode {
  const t = useT();
  const { same } = props.person;
  const [all, setAll] = useState(false);
  return (
    <>
      {same.length > 0 && (
        <Section icon={Network} title={t("desk.same")} count={same.length}>
          <SameRows {...props} rows={all ? same : same.slice(0, sameShown)} />
          {same.length > sameShown && (
            <button type="button" className={parts.more} aria-expanded={all} onClick={() => setAll(!all)}>
              {all ? t("desk.chat.less") : t("desk.same.all", { number: formatNumber(same.length) })}
            </button>
          )}
          <p className={styles.hint}>{t("desk.same.hint")}</p>
        </Section>
      )}
      <SimilarProfiles {...props} />
    </>
  );
}

interface LinkedParts {
  person: DeskPerson;
  tools: PersonTools;
  onOpenCase: (id: string) => void;
}

function SameRows(props: LinkedParts & { rows: readonly Same[] }): ReactNode {
  const t = useT();
  return (
    <ul className={styles.same}>
      {props.rows.map((row) => (
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
  );
}

/** Accounts with a similar picture or the same text, loaded on request because the server reads all profiles. */
function SimilarProfiles(props: LinkedParts): ReactNode {
  const t = useT();
  const user = useUser();
  const [asked, setAsked] = useState(false);
  const input = { user_id: user?.user_id ?? 0, other_id: props.person.user_id, by: "profile" as const };
  const { data, error, isFetching, refetch } = useEndpointQuery(adminSameIp, asked ? input : null, { requestOptions });
  useFailureToast(error);
  const { isBusy } = props.tools;
  const wasBusy = useRef(isBusy);
  useEffect(() => {
    // A tool has changed the accounts.
    if (asked && wasBusy.current && !isBusy) void refetch();
    wasBusy.current = isBusy;
  }, [asked, isBusy, refetch]);
  return (
    <Section icon={ScanSearch} title={t("desk.similar")} {...(data && { count: data.rows.length })}>
      {!data && (
        <button
          type="button"
          className={parts.more}
          aria-busy={isFetching || undefined}
          disabled={isFetching}
          onClick={() => (asked ? void refetch() : setAsked(true))}
        >
          {t("desk.similar.find")}
        </button>
      )}
      <div aria-live="polite">
        {data && <SameRows {...props} rows={data.rows} />}
        {data?.rows.length === 0 && <p className={styles.hint}>{t("desk.earlier.none")}</p>}
      </div>
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
