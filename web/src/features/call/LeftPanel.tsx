import { ShieldCheck } from "lucide-react";
import type { ReactNode } from "react";
import { formatClock, isolate } from "#lib/format.ts";
import { type Key, useT } from "#lib/i18n.ts";
import { Avatar } from "#ui/Avatar.tsx";
import type { PreviousCall } from "./call-state.ts";
import { LeftActions } from "./LeftActions.tsx";
import type { Search } from "./SearchPanel.tsx";
import { useNow } from "./use-now.ts";
import styles from "./Panels.module.css";

const titles: Readonly<Record<PreviousCall["why"], Key>> = {
  left: "search.left",
  "not-joined": "search.notJoined",
  lost: "search.lost",
  cut: "shield.cut",
};

/** Who was here a moment ago; the search goes on underneath. The same words whether the person left or blocked. */
export function LeftPanel({ search, previous }: { search: Search; previous: PreviousCall }): ReactNode {
  const t = useT();
  const now = useNow();
  const { remote } = previous.match;
  const cut = previous.why === "cut";
  return (
    <div className={styles.centre}>
      {cut ? (
        <span className={styles.lost} aria-hidden="true">
          <ShieldCheck size={30} />
        </span>
      ) : (
        <span className={styles.face}>
          <Avatar src={remote.avatar} name={remote.nickname} sizePx={96} />
        </span>
      )}
      <h1>{t(titles[previous.why], { name: isolate(remote.nickname) })}</h1>
      {cut && <p className={styles.sub}>{t(remote.price > 0 ? "shield.cutPaid" : "shield.cutText")}</p>}
      {!cut && (previous.seconds ?? 0) > 0 && (
        <p className={styles.sub}>{t("search.together", { time: formatClock(previous.seconds ?? 0) })}</p>
      )}
      {!cut && previous.seconds !== null && <LeftActions previous={previous} />}
      <p className={styles.bar}>
        <i aria-hidden="true" />
        {t("search.next")}
        <span role="timer">{formatClock((now - search.sinceMs) / 1_000)}</span>
      </p>
    </div>
  );
}
