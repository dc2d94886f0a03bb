import type { ReactNode } from "react";
import type { AppealRow } from "@fava/wire/endpoints/appeals.ts";
import { isolate } from "#lib/format.ts";
import { type Translate, useT } from "#lib/i18n.ts";
import { Avatar } from "#ui/Avatar.tsx";
import { Button } from "#ui/Button.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import type { AppealEvent, AppealsState } from "./appeal-machine.ts";
import { answerDay, banLength, timeLeft } from "./desk-format.ts";
import { useNow } from "./use-now.ts";
import styles from "./AppealList.module.css";

/** One list in two groups; what the reader decided first is listed and closed. */
export function AppealList(props: { state: AppealsState; dispatch: (event: AppealEvent) => void }): ReactNode {
  const t = useT();
  const { state, dispatch } = props;
  const nowMs = useNow(60_000);
  if (state.phase === "failed")
    return (
      <nav className={styles.list} aria-label={t("desk.appeals.waiting")}>
        <div className={styles.state}>
          <p>{t("desk.failed")}</p>
          <Button size="small" onClick={() => dispatch({ type: "refresh" })}>
            {t("desk.again")}
          </Button>
        </div>
      </nav>
    );
  const groups = [
    { title: t("desk.seconds"), rows: state.seconds },
    { title: t("desk.appeals"), rows: state.appeals },
  ];
  return (
    <nav className={styles.list} aria-label={t("desk.appeals.waiting")} aria-busy={state.phase === "loading"}>
      {groups.map(({ title, rows }) => (
        <section key={title}>
          <h2>
            {title}
            {state.phase === "ready" && <span>{rows.length}</span>}
          </h2>
          {state.phase === "loading" && <Skeleton height="64px" />}
          {state.phase === "ready" && rows.length === 0 && <p className={styles.none}>{t("desk.appeals.none")}</p>}
          <ul>
            {rows.map((row) => (
              <li key={row.id}>
                <Row
                  row={row}
                  nowMs={nowMs}
                  isOpen={state.open?.row.id === row.id && state.open.row.kind === row.kind}
                  onOpen={() => dispatch({ type: "open", row })}
                />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}

function Row(props: { row: AppealRow; nowMs: number; isOpen: boolean; onOpen: () => void }): ReactNode {
  const t = useT();
  const { row, isOpen } = props;
  return (
    <button
      type="button"
      className={styles.row}
      aria-current={isOpen || undefined}
      data-desk-free={isOpen || undefined}
      data-off={row.is_own || undefined}
      onClick={props.onOpen}
    >
      <Avatar src={row.person.avatar} name={row.person.nickname} sizePx={40} />
      <span>
        <b dir="auto">{row.person.nickname}</b>
        <span>
          {banLength(t, row.hours)} · {t(`ban.reason.${row.reason_id}`)}
        </span>
        <small>{dueText(t, row, props.nowMs)}</small>
      </span>
    </button>
  );
}

/** When the answer is due: said as a time, never as an alarm. */
function dueText(t: Translate, row: AppealRow, nowMs: number): string {
  if (row.is_own) return t("desk.appeals.own");
  if (row.claim && !row.claim.mine) return t("desk.row.with", { name: isolate(row.claim.name) });
  if (row.kind === "second") return t("desk.second.lapses", { time: timeLeft(row.due_at, nowMs) });
  return row.is_late ? t("desk.appeals.late") : t("desk.appeals.by", { day: answerDay(row.due_at) });
}
