import type { ReactNode } from "react";
import type { AppealRow } from "@fava/wire/endpoints/appeals.ts";
import type { OwnUser } from "@fava/wire/people.ts";
import { isolate } from "#lib/format.ts";
import { type Translate, useT } from "#lib/i18n.ts";
import { useNow } from "#lib/use-now.ts";
import { useShortcuts } from "#lib/use-shortcuts.ts";
import { Skeleton } from "#ui/Skeleton.tsx";
import { classNames } from "#ui/class-names.ts";
import { AppealReviewPage, SecondReview } from "./AppealReviewPage.tsx";
import { type Appeals, keyOf, useAppeals } from "./appeals.ts";
import { banLength, timeLeft, timeLeftText } from "./desk-format.ts";
import { useListedWaiting } from "./desk-info.ts";
import { ItemRow, EmptyNotice, UndoBar } from "./parts.tsx";
import parts from "./Parts.module.css";
import styles from "./Appeals.module.css";

/** Second opinions and appeals: decisions that a second moderator has to review. */
export function AppealsTab({ user }: { user: OwnUser }): ReactNode {
  const appeals = useAppeals(user.user_id);
  const waiting = appeals.seconds.length + appeals.appeals.length;
  useListedWaiting("appeals", appeals.isLoading || appeals.isFailed ? null : waiting);
  const { row } = appeals;
  const acts: Readonly<Record<string, () => void>> = {
    j: () => appeals.step(1),
    k: () => appeals.step(-1),
    u: appeals.undo,
  };
  useShortcuts((key) => {
    const act = acts[key];
    act?.();
    return act !== undefined;
  });
  return (
    <div className={classNames(parts.screen, styles.grid)} data-view={row ? "item" : "list"}>
      <AppealList appeals={appeals} />
      <section aria-label={row?.person.nickname}>
        <OpenItem key={row ? keyOf(row) : "none"} appeals={appeals} userId={user.user_id} />
        <UndoBar pending={appeals.pending} isHeld={appeals.isHeld} className={styles.undo} onUndo={appeals.undo} />
      </section>
    </div>
  );
}

function OpenItem({ appeals, userId }: { appeals: Appeals; userId: number }): ReactNode {
  const t = useT();
  const { row, second, appeal } = appeals;
  if (!row) return <EmptyNotice text={t("desk.appeals.choose")} />;
  if (second) return <SecondReview appeals={appeals} detail={second} userId={userId} />;
  if (appeal) return <AppealReviewPage appeals={appeals} detail={appeal} userId={userId} />;
  if (appeals.hasDetailFailed)
    return <EmptyNotice text={t("desk.case.failed")} action={{ text: t("desk.again"), run: appeals.reopen }} />;
  return (
    <div className={styles.loading} aria-busy="true">
      <Skeleton height="56px" width="60%" />
      <Skeleton height="280px" />
    </div>
  );
}

/** One list in two groups; items that the reader decided first are listed but closed. */
function AppealList({ appeals }: { appeals: Appeals }): ReactNode {
  const t = useT();
  const nowMs = useNow(60_000);
  const { isLoading } = appeals;
  const groups = [
    { title: t("desk.seconds"), rows: appeals.seconds },
    { title: t("desk.appeals"), rows: appeals.appeals },
  ];
  return (
    <nav className={classNames(parts.scroll, styles.list)} aria-label={t("desk.appeals.waiting")} aria-busy={isLoading}>
      {appeals.isFailed ? (
        <EmptyNotice text={t("desk.failed")} action={{ text: t("desk.again"), run: appeals.refresh }} />
      ) : (
        groups.map(({ title, rows }) => (
          <section key={title}>
            <h2>
              {title}
              {!isLoading && <span>{rows.length}</span>}
            </h2>
            {isLoading && <Skeleton height="64px" />}
            {!isLoading && rows.length === 0 && <p className={styles.none}>{t("desk.appeals.none")}</p>}
            <ul>
              {rows.map((row) => (
                <li key={row.id}>
                  <ItemRow
                    person={row.person}
                    isOpen={appeals.row !== null && keyOf(row) === keyOf(appeals.row)}
                    isOff={row.is_own}
                    onOpen={() => appeals.open(row)}
                  >
                    <b dir="auto" translate="no">
                      {row.person.nickname}
                    </b>
                    <span>
                      {banLength(t, row.hours)} · {t(`ban.reason.${row.reason_id}`)}
                    </span>
                    <small>{dueText(t, row, nowMs)}</small>
                  </ItemRow>
                </li>
              ))}
            </ul>
          </section>
        ))
      )}
    </nav>
  );
}

/** Why the item is closed to the reader, or how much time is left: as a time and never as an alarm. */
function dueText(t: Translate, row: AppealRow, nowMs: number): string {
  if (row.is_own) return t("desk.appeals.own");
  if (row.claim && !row.claim.mine) return t("desk.row.with", { name: isolate(row.claim.name) });
  if (row.kind === "second") return t("desk.second.lapses", { time: timeLeft(row.due_at, nowMs) });
  return timeLeftText(t, row.due_at, nowMs);
}
