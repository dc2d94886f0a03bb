import type { ReactNode } from "react";
import type { AppealRow } from "@fava/wire/endpoints/appeals.ts";
import type { OwnUser } from "@fava/wire/people.ts";
import { call } from "#lib/api/call.ts";
import { prepareCall } from "#lib/api/prepared-call.ts";
import { isReachable } from "#lib/connection.ts";
import { isolate } from "#lib/format.ts";
import { type Translate, useT } from "#lib/i18n.ts";
import { hasOpenLayer } from "#lib/layers.ts";
import { useNow } from "#lib/use-now.ts";
import { Avatar } from "#ui/Avatar.tsx";
import { Button } from "#ui/Button.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { AppealPage } from "./AppealPage.tsx";
import { SecondPage } from "./SecondPage.tsx";
import { UndoBar } from "./UndoBar.tsx";
import type { AppealEvent, AppealsState, PendingAppeal } from "./appeal-machine.ts";
import { type Appeals, appealsStore } from "./appeals.ts";
import { answerDay, banLength, tellDeskFailure, timeLeft } from "./desk-format.ts";
import { refreshDeskInfo } from "./desk-info.ts";
import { useDeskKeys } from "./use-desk-keys.ts";
import { useDeskStore, useMachine } from "./machine-store.ts";
import appealListStyles from "./AppealList.module.css";
import styles from "./AppealsTab.module.css";

const ports = { call, prepare: prepareCall, tellFailure: tellDeskFailure, tellDecided: refreshDeskInfo };

/** Second opinions and appeals: what one person decided, for another to decide again. */
export function AppealsTab({ user }: { user: OwnUser }): ReactNode {
  const appeals = useDeskStore(() => appealsStore(user.user_id, ports, isReachable()));
  return <AppealsView appeals={appeals} userId={user.user_id} />;
}

function AppealsView({ appeals, userId }: { appeals: Appeals; userId: number }): ReactNode {
  const t = useT();
  const state = useMachine(appeals);
  const { dispatch } = appeals;
  const acts: Readonly<Record<string, AppealEvent>> = {
    j: { type: "step", by: 1 },
    k: { type: "step", by: -1 },
    u: { type: "undo" },
  };
  useDeskKeys((key) => {
    const event = acts[key];
    if (!event || hasOpenLayer()) return false;
    dispatch(event);
    return true;
  });
  return (
    <div className={styles.grid} data-view={state.open ? "item" : "list"}>
      <AppealList state={state} dispatch={dispatch} />
      <section className={styles.item} aria-label={state.open?.row.person.nickname}>
        <OpenItem state={state} dispatch={dispatch} userId={userId} />
        {state.pending && (
          <UndoBar
            key={`${state.pending.row.kind} ${state.pending.row.id}`}
            text={decidedText(t, state.pending)}
            hint={t("desk.undo.reads")}
            isHeld={state.pending.isHeld}
            className={styles.undo ?? ""}
            onUndo={() => dispatch({ type: "undo" })}
          />
        )}
      </section>
    </div>
  );
}

function OpenItem(props: { state: AppealsState; dispatch: (event: AppealEvent) => void; userId: number }): ReactNode {
  const t = useT();
  const { state, dispatch } = props;
  const { open } = state;
  if (!open) return <p className={styles.empty}>{t("desk.appeals.choose")}</p>;
  if (open.phase !== "ready")
    return open.phase === "loading" ? (
      <div className={styles.loading} aria-busy="true">
        <Skeleton height="56px" width="60%" />
        <Skeleton height="280px" />
      </div>
    ) : (
      <div className={styles.empty}>
        <p>{t("desk.case.failed")}</p>
        <Button size="small" onClick={() => dispatch({ type: "open", row: open.row })}>
          {t("desk.again")}
        </Button>
      </div>
    );
  const key = `${open.kind} ${open.row.id}`;
  return open.kind === "second" ? (
    <SecondPage key={key} state={state} detail={open.detail} dispatch={dispatch} userId={props.userId} />
  ) : (
    <AppealPage key={key} state={state} detail={open.detail} dispatch={dispatch} userId={props.userId} />
  );
}

function decidedText(t: Translate, { row, verdict }: PendingAppeal): string {
  const name = isolate(row.person.nickname);
  if (verdict.kind === "appeal") return t(`desk.appeal.did.${verdict.outcome}`, { name });
  return t(`desk.second.did.${verdict.operation}`, { name });
}

/** One list in two groups; what the reader decided first is listed and closed. */
function AppealList(props: { state: AppealsState; dispatch: (event: AppealEvent) => void }): ReactNode {
  const t = useT();
  const { state, dispatch } = props;
  const nowMs = useNow(60_000);
  if (state.phase === "failed")
    return (
      <nav className={appealListStyles.list} aria-label={t("desk.appeals.waiting")}>
        <div className={appealListStyles.state}>
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
    <nav className={appealListStyles.list} aria-label={t("desk.appeals.waiting")} aria-busy={state.phase === "loading"}>
      {groups.map(({ title, rows }) => (
        <section key={title}>
          <h2>
            {title}
            {state.phase === "ready" && <span>{rows.length}</span>}
          </h2>
          {state.phase === "loading" && <Skeleton height="64px" />}
          {state.phase === "ready" && rows.length === 0 && (
            <p className={appealListStyles.none}>{t("desk.appeals.none")}</p>
          )}
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
      className={appealListStyles.row}
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
