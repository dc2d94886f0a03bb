import { Coffee, Contrast, EyeOff, Search } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import type { OwnUser } from "@fava/wire/people.ts";
import { formatNumber } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { Avatar } from "#ui/Avatar.tsx";
import { Kbd } from "#ui/Kbd.tsx";
import { Link } from "#ui/Link.tsx";
import { Logo } from "#ui/Logo.tsx";
import { useDeskInfo } from "./desk-info.ts";
import { toggleBlur, toggleGrey, useDeskSwitches } from "./desk-switches.ts";
import { type DeskTab, deskTabs } from "./desk-tabs.ts";
import { useMinutesToBreak } from "./use-desk-spell.ts";
import styles from "./DeskHeader.module.css";

/** Tabs, search, how pictures are shown to this moderator, and a hint of a break. */
export function DeskHeader({ tab, user, onFind }: { tab: DeskTab; user: OwnUser; onFind: () => void }): ReactNode {
  const t = useT();
  return (
    <header className={styles.top}>
      <Link to="/" className={styles.logo} aria-label={t("page.homeLink")}>
        <Logo />
      </Link>
      <Tabs tab={tab} />
      <button
        type="button"
        className={styles.find}
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

function Tabs({ tab }: { tab: DeskTab }): ReactNode {
  const t = useT();
  const info = useDeskInfo();
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    // On a phone the row is wider than the screen.
    list.current?.querySelector("[aria-current]")?.scrollIntoView({ inline: "center", block: "nearest" });
  }, [tab]);
  return (
    <nav aria-label={t("desk.queues")} className={styles.nav}>
      <ul className={styles.tabs} ref={list}>
        {deskTabs.map(({ id, path, text, waiting }) => (
          <li key={id}>
            <Link to={path} aria-current={id === tab ? "page" : undefined}>
              {t(text)}
              {waiting && info && <span>{formatNumber(waiting(info))}</span>}
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
