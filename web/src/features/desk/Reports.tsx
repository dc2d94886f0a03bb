import { type ReactNode, useState } from "react";
import type { OwnUser } from "@fava/wire/people.ts";
import { hasOpenLayer } from "#lib/layers.ts";
import type { Cases } from "./cases.ts";
import { closedBecause } from "./case-state.ts";
import { CaseActions } from "./CaseActions.tsx";
import { CasePane } from "./CasePane.tsx";
import { CaseUndo } from "./CaseUndo.tsx";
import { toggleGrey } from "./desk-switches.ts";
import { ForbidSheet } from "./ForbidSheet.tsx";
import { KeysSheet } from "./KeysSheet.tsx";
import { LabelSheet } from "./LabelSheet.tsx";
import { NoteSheet } from "./NoteSheet.tsx";
import { PersonPanel } from "./PersonPanel.tsx";
import { Queue } from "./Queue.tsx";
import { useDeskKeys } from "./use-desk-keys.ts";
import { useMachine } from "./use-machine.ts";
import { usePersonTools } from "./use-person-tools.ts";
import styles from "./Reports.module.css";

type Dialog = "forbid" | "label" | "note" | "keys";

/** Queue, case and person side by side; on a phone the queue, then the case with the person below it. */
export function Reports({ cases, user }: { cases: Cases; user: OwnUser }): ReactNode {
  const state = useMachine(cases);
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const { dispatch } = cases;
  const detail = state.open?.phase === "ready" ? state.open.detail : null;
  const mayDecide = closedBecause(state) === null;
  const tools = usePersonTools(user, detail?.subject.user_id ?? null, (subject) =>
    dispatch({ type: "person", subject }),
  );
  const close = () => setDialog(null);
  const openDialog = (which: Dialog) => {
    if (which === "keys" || (which === "forbid" ? mayDecide : detail)) setDialog(which);
  };

  const acts: Readonly<Record<string, () => void>> = {
    j: () => dispatch({ type: "step", by: 1 }),
    k: () => dispatch({ type: "step", by: -1 }),
    Enter: () => dispatch(state.open ? { type: "claim" } : { type: "step", by: 1 }),
    s: () => dispatch({ type: "skip" }),
    g: toggleGrey,
    a: () => dispatch({ type: "decide", verdict: { operation: 1 } }),
    r: () => dispatch({ type: "decide", verdict: { operation: 2 } }),
    w: () => dispatch({ type: "decide", verdict: { operation: 3 } }),
    b: () => openDialog("forbid"),
    l: () => openDialog("label"),
    n: () => openDialog("note"),
    u: () => dispatch({ type: "undo" }),
    "?": () => openDialog("keys"),
  };
  useDeskKeys((key) => {
    dispatch({ type: "active", nowMs: Date.now() });
    const act = acts[key];
    if (!act || hasOpenLayer()) return false;
    act();
    return true;
  });

  return (
    <div className={styles.grid} data-view={state.open ? "case" : "queue"}>
      <Queue state={state} dispatch={dispatch} role={user.role} />
      <section className={styles.case} aria-label={detail?.no}>
        <CasePane
          key={state.open?.id ?? "none"}
          state={state}
          dispatch={dispatch}
          user={user}
          onKeys={() => openDialog("keys")}
        />
        <div className={styles.foot}>
          <CaseUndo pending={state.pending} className={styles.undo ?? ""} onUndo={() => dispatch({ type: "undo" })} />
          {detail && (
            <CaseActions
              key={detail.id}
              state={state}
              onDecide={(operation) => dispatch({ type: "decide", verdict: { operation } })}
              onForbid={() => openDialog("forbid")}
              onLabel={() => openDialog("label")}
              onKeys={() => openDialog("keys")}
            />
          )}
        </div>
      </section>
      <aside className={styles.person} data-empty={!detail || undefined} aria-label={detail?.subject.nickname}>
        {detail && (
          <PersonPanel
            person={detail.subject}
            reports={detail.reports}
            tools={tools}
            onLabel={() => openDialog("label")}
            onNote={() => openDialog("note")}
            onOpenCase={(id) => dispatch({ type: "open", id })}
          />
        )}
      </aside>
      {dialog === "keys" && <KeysSheet onClose={close} />}
      {detail && dialog === "label" && <LabelSheet person={detail.subject} tools={tools} onClose={close} />}
      {detail && dialog === "note" && <NoteSheet person={detail.subject} tools={tools} onClose={close} />}
      {detail && dialog === "forbid" && (
        <ForbidSheet
          subject={{ person: detail.subject, about: detail }}
          live={detail.call?.live ?? false}
          onForbid={(verdict) => dispatch({ type: "decide", verdict })}
          onClose={close}
        />
      )}
    </div>
  );
}
