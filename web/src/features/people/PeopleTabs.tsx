import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import { formatNumber } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { type PeopleTab, peopleTabs } from "#lib/person-links.ts";
import { useIsMobile } from "#lib/use-media-query.ts";
import { tabAfter } from "./tab-keys.ts";
import styles from "./People.module.css";

export const panelId = "people-panel";
export const tabId = (tab: PeopleTab): string => `people-tab-${tab}`;

/** One stop for Tab; the arrow keys go from list to list, and the chosen one is scrolled into view (rule PEOPLE-110). */
export function PeopleTabs(props: {
  chosen: PeopleTab;
  counts: Readonly<Partial<Record<PeopleTab, number | null>>>;
  onChoose: (tab: PeopleTab) => void;
}): ReactNode {
  const t = useT();
  const bar = useRef<HTMLDivElement>(null);
  const isMobile = useIsMobile();
  const { chosen, counts } = props;
  useEffect(() => {
    bar.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ inline: "center", block: "nearest" });
  }, [chosen, isMobile]);
  function pressed(event: KeyboardEvent): void {
    const next = tabAfter(chosen, event.key, document.documentElement.dir === "rtl");
    if (!next) return;
    event.preventDefault();
    props.onChoose(next);
    document.getElementById(tabId(next))?.focus();
  }
  return (
    <div
      ref={bar}
      className={styles.tabs}
      role="tablist"
      tabIndex={-1}
      aria-label={t("people.tabs")}
      onKeyDown={pressed}
    >
      {peopleTabs.map((tab) => {
        const count = counts[tab];
        return (
          <button
            key={tab}
            type="button"
            role="tab"
            id={tabId(tab)}
            aria-selected={tab === chosen}
            aria-controls={panelId}
            tabIndex={tab === chosen ? 0 : -1}
            data-apart={tab === "recent" || undefined}
            onClick={() => props.onChoose(tab)}
          >
            {t(`people.tab.${tab}`)}
            {typeof count === "number" && <small>{formatNumber(count)}</small>}
          </button>
        );
      })}
    </div>
  );
}
