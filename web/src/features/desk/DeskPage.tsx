import { Coffee, Contrast, EyeOff, ScanEye, Search } from "lucide-react";
import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { deskBreakMs } from "@fava/wire/limits.ts";
import type { OwnUser } from "@fava/wire/people.ts";
import { goTo } from "#lib/address.ts";
import { formatNumber } from "#lib/format.ts";
import { type Key, useT } from "#lib/i18n.ts";
import { useUser } from "#lib/session.ts";
import { useDocumentTitle } from "#lib/use-document-title.ts";
import { useNow } from "#lib/use-now.ts";
import { useShortcuts } from "#lib/use-shortcuts.ts";
import { Avatar } from "#ui/Avatar.tsx";
import { Kbd } from "#ui/Kbd.tsx";
import { Link } from "#ui/Link.tsx";
import { Logo } from "#ui/Logo.tsx";
import { classNames } from "#ui/class-names.ts";
import { AppealsTab } from "./AppealsTab.tsx";
import { FiguresTab } from "./FiguresTab.tsx";
import { FoundPerson } from "./FoundPerson.tsx";
import { NoticesTab } from "./NoticesTab.tsx";
import { ReportsTab } from "./ReportsTab.tsx";
import { ShiftTab } from "./ShiftTab.tsx";
import { ReviewTab } from "./ReviewTab.tsx";
import { TextsTab } from "./TextsTab.tsx";
import { toggleBlur, toggleGrey, useDeskInfo, useDeskSwitches, useWaitingIn, type WaitingQueue } from "./desk-info.ts";
import { FindPersonSheet } from "./sheets.tsx";
import parts from "./Parts.module.css";
import styles from "./DeskPage.module.css";

/** The moderators' desk: one page with a tab for each queue, the figures and the shift. */
export function DeskPage({ tab }: { tab: DeskTab }): ReactNode {
  const t = useT();
  const user = useUser();
  const [finding, setFinding] = useState(false);
  const [foundId, setFoundId] = useState<number | null>(null);
  const closePerson = useCallback(() => setFoundId(null), []);
  const title = t(`desk.title.${tab}`);
  useDocumentTitle(title);
  useShortcuts((key) => {
    if (key !== "find") return false;
    setFinding(true);
    return true;
  });
  if (!user) return null;
  return (
    <div className={styles.page}>
      <DeskHeader tab={tab} user={user} onFind={() => setFinding(true)} />
      <InspectionNote />
      <main className={styles.main}>
        <h1 className="visually-hidden">{title}</h1>
        {tab === "reports" && <ReportsTab user={user} />}
        {tab === "avatars" && <ReviewTab key={tab} kind="avatars" user={user} />}
        {tab === "photos" && <ReviewTab key={tab} kind="photos" user={user} />}
        {tab === "texts" && <TextsTab user={user} />}
        {tab === "notices" && <NoticesTab user={user} />}
        {tab === "appeals" && <AppealsTab user={user} />}
        {tab === "figures" && <FiguresTab user={user} />}
        {tab === "shift" && <ShiftTab user={user} />}
      </main>
      {finding && (
        <FindPersonSheet
          userId={user.user_id}
          onCase={(id) => goTo(`/reportReview?case=${encodeURIComponent(id)}`)}
          onPerson={setFoundId}
          onClose={() => setFinding(false)}
        />
      )}
      {foundId !== null && <FoundPerson personId={foundId} user={user} onClose={closePerson} />}
    </div>
  );
}

/** Tabs, search, the options for covered images, and the hint to take a break. */
function DeskHeader({ tab, user, onFind }: { tab: DeskTab; user: OwnUser; onFind: () => void }): ReactNode {
  const t = useT();
  return (
    <header className={styles.top}>
      <Link to="/" className={styles.logo} aria-label={t("page.homeLink")}>
        <Logo />
      </Link>
      <Tabs tab={tab} />
      <button
        type="button"
        className={classNames(parts.pill, styles.find)}
        aria-label={t("desk.find.open")}
        aria-keyshortcuts="Control+K"
        onClick={onFind}
      >
        <Search size={18} aria-hidden="true" />
        <span>{t("desk.find.open")}</span>
        <Kbd>Ctrl K</Kbd>
      </button>
      <div className={styles.end}>
        <Switches />
        <Rest />
        <Avatar src={user.avatar} name={user.nickname} sizePx={40} />
      </div>
    </header>
  );
}

function Waiting({ queue }: { queue: WaitingQueue | null }): ReactNode {
  const waiting = useWaitingIn(queue);
  return waiting !== undefined && <span>{formatNumber(waiting)}</span>;
}

function Tabs({ tab }: { tab: DeskTab }): ReactNode {
  const t = useT();
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    // On a phone the row is wider than the screen.
    list.current?.querySelector("[aria-current]")?.scrollIntoView({ inline: "center", block: "nearest" });
  }, [tab]);
  return (
    <nav aria-label={t("desk.queues")} className={styles.nav}>
      <ul className={styles.tabs} ref={list}>
        {deskTabs.map(({ id, path, text, queue }) => (
          <li key={id}>
            <Link to={path} className={parts.pill} aria-current={id === tab ? "page" : undefined}>
              {t(text)}
              <Waiting queue={queue} />
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Switches(): ReactNode {
  const t = useT();
  const { blur, grey } = useDeskSwitches();
  const toggles = [
    { label: t("desk.blur"), on: blur, toggle: toggleBlur, icon: <EyeOff size={20} aria-hidden="true" /> },
    { label: t("desk.grey"), on: grey, toggle: toggleGrey, icon: <Contrast size={20} aria-hidden="true" /> },
  ];
  return toggles.map(({ label, on, toggle, icon }) => (
    <button
      key={label}
      type="button"
      className={styles.toggle}
      aria-pressed={on}
      aria-label={label}
      title={label}
      onClick={toggle}
    >
      {icon}
    </button>
  ));
}

function Rest(): ReactNode {
  const t = useT();
  const info = useDeskInfo();
  const minutes = useMinutesToBreak();
  const due = minutes <= 0;
  return (
    <p className={styles.rest} data-due={due || undefined} role={due ? "status" : undefined}>
      <Coffee size={18} aria-hidden="true" />
      <span>
        {info && t("desk.decidedToday", { count: info.decided_today })}
        <small>{due ? t("desk.breakNow") : t("desk.breakIn", { count: minutes })}</small>
      </span>
    </p>
  );
}

/** Which automatic inspection is off at present; empty while all are on. */
function InspectionNote(): ReactNode {
  const t = useT();
  const state = useDeskInfo()?.inspection ?? "on";
  if (state === "on") return null;
  return (
    <p className={styles.note} role="status">
      <ScanEye size={16} aria-hidden="true" />
      {t(`desk.inspection.${state}`)}
    </p>
  );
}

type DeskTab = "reports" | "avatars" | "photos" | "texts" | "notices" | "appeals" | "figures" | "shift";

interface TabPlace {
  readonly id: DeskTab;
  readonly path: string;
  readonly text: Key;
  /** The queue whose length this tab shows; null: none. */
  readonly queue: WaitingQueue | null;
}

/** The tabs of the desk in order. */
const deskTabs: readonly TabPlace[] = [
  { id: "reports", path: "/reportReview", text: "desk.tab.reports", queue: "reports" },
  { id: "avatars", path: "/avatarAudit", text: "desk.tab.avatars", queue: "avatars" },
  { id: "photos", path: "/photoReview", text: "desk.tab.photos", queue: "photos" },
  { id: "texts", path: "/reportReview/texts", text: "desk.tab.texts", queue: "texts" },
  { id: "notices", path: "/reportReview/notices", text: "desk.tab.notices", queue: "notices" },
  { id: "appeals", path: "/reportReview/appeals", text: "desk.tab.appeals", queue: "appeals" },
  { id: "figures", path: "/reportReview/figures", text: "desk.tab.figures", queue: null },
  { id: "shift", path: "/reportReview/shift", text: "desk.tab.shift", queue: null },
];

/** Kept for the life of the page, so that all tabs of the desk count as one session at the desk. */
let deskSession: DeskSession | null = null;

/** Whole minutes until a break is suggested. */
function useMinutesToBreak(): number {
  const nowMs = useNow(30_000);
  useEffect(() => {
    deskSession = enterDesk(deskSession, Date.now());
    return () => {
      if (deskSession) deskSession = { ...deskSession, leftMs: Date.now() };
    };
  }, []);
  return minutesToBreak(deskSession ?? enterDesk(null, nowMs), nowMs);
}

/** An absence of this length is a break. */
const breakMs = 600_000;

/** When the current session at the desk started, and when the moderator left it; in milliseconds since the epoch. */
export interface DeskSession {
  readonly sinceMs: number;
  readonly leftMs: number | null;
}

/** Opens the desk: a short absence is no break. */
export function enterDesk(before: DeskSession | null, nowMs: number): DeskSession {
  const rested = before === null || (before.leftMs !== null && nowMs - before.leftMs >= breakMs);
  return { sinceMs: rested ? nowMs : before.sinceMs, leftMs: null };
}

/** Whole minutes until a break is suggested; 0 or less: it is due. */
export function minutesToBreak({ sinceMs }: DeskSession, nowMs: number): number {
  // A clock that was read just before the session started must not lengthen it.
  return Math.ceil((sinceMs + deskBreakMs - Math.max(nowMs, sinceMs)) / 60_000);
}
