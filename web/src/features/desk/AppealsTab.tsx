import type { ReactNode } from "react";
import type { OwnUser } from "@fava/wire/people.ts";
import { call } from "#lib/api/call.ts";
import { prepareCall } from "#lib/api/prepared-call.ts";
import { isReachable } from "#lib/connection.ts";
import { hasOpenLayer } from "#lib/layers.ts";
import { isolate } from "#lib/format.ts";
import { type Translate, useT } from "#lib/i18n.ts";
import { Button } from "#ui/Button.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { AppealList } from "./AppealList.tsx";
import type { AppealEvent, AppealsState, PendingAppeal } from "./appeal-machine.ts";
import { AppealPage } from "./AppealPage.tsx";
import { type Appeals, appealsStore } from "./appeals.ts";
import { tellDeskFailure } from "./desk-failure.ts";
import { refreshDeskInfo } from "./desk-info.ts";
import { SecondPage } from "./SecondPage.tsx";
import { UndoBar } from "./UndoBar.tsx";
import { useDeskKeys } from "./use-desk-keys.ts";
import { useDeskStore } from "./use-desk-store.ts";
import { useMachine } from "./use-machine.ts";
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
