import { Clock, Coffee, Lock, UsersRound } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { CaseRow } from "@fava/wire/moderation.ts";
import { type OwnUser, roles } from "@fava/wire/people.ts";
import { goTo, useAddress } from "#lib/address.ts";
import { call } from "#lib/api/call.ts";
import { prepareCall } from "#lib/api/prepared-call.ts";
import { isReachable } from "#lib/connection.ts";
import { formatNumber, isolate } from "#lib/format.ts";
import { type Key, t, type Translate, useT } from "#lib/i18n.ts";
import { hasOpenLayer } from "#lib/layers.ts";
import { useNow } from "#lib/use-now.ts";
import { Avatar } from "#ui/Avatar.tsx";
import { Button } from "#ui/Button.tsx";
import { Kbd } from "#ui/Kbd.tsx";
import { Segmented } from "#ui/RadioCards.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { showToast } from "#ui/toast-store.ts";
import { CaseView } from "./CaseView.tsx";
import { ForbidSheet } from "./ForbidSheet.tsx";
import { KeysSheet } from "./KeysSheet.tsx";
import { LabelSheet } from "./LabelSheet.tsx";
import { NoteSheet } from "./NoteSheet.tsx";
import { PersonPanel } from "./PersonPanel.tsx";
import { UndoBar } from "./UndoBar.tsx";
import { type CaseEvent, type CasesState, type Closed, closedBecause, type PendingCase } from "./case-machine.ts";
import { type Cases, casesStore, type DeskPorts } from "./cases.ts";
import { banLength, formatAge, tellDeskFailure, useAwayText } from "./desk-format.ts";
import { refreshDeskInfo, toggleGrey, useDeskInfo } from "./desk-info.ts";
import { useDeskKeys } from "./use-desk-keys.ts";
import { useDeskStore, useMachine } from "./machine-store.ts";
import { usePersonTools } from "./use-person-tools.ts";
import caseActionsStyles from "./CaseActions.module.css";
import casePaneStyles from "./CasePane.module.css";
import queueStyles from "./Queue.module.css";
import styles from "./Reports.module.css";

/** A claim that runs out shows within this time. */
const tickMs = 1_000;

const ports: DeskPorts = {
  call,
  prepare: prepareCall,
  tellFailure: tellDeskFailure,
  tellTaken: (person, by) =>
    showToast({ type: "warning", text: t("desk.taken", { person: isolate(person), by: isolate(by) }) }),
  tellDecided: refreshDeskInfo,
};

/** The cases that wait; `?case=` opens one of them. What is pending is sent when the tab or the page is left. */
export function ReportsTab({ user }: { user: OwnUser }): ReactNode {
  const cases = useDeskStore(() => casesStore(user.user_id, ports, isReachable()));
  const { pathname, search } = useAddress();
  const wanted = new URLSearchParams(search).get("case");

  useEffect(() => {
    const ticking = setInterval(() => cases.dispatch({ type: "tick", nowMs: Date.now() }), tickMs);
    return () => clearInterval(ticking);
  }, [cases]);

  useEffect(() => {
    if (wanted === null) return;
    cases.dispatch({ type: "open", id: wanted });
    goTo(pathname, { replace: true });
  }, [cases, wanted, pathname]);

  return <Reports cases={cases} user={user} />;
}

type Dialog = "forbid" | "label" | "note" | "keys";

/** Queue, case and person side by side; on a phone the queue, then the case with the person below it. */
function Reports({ cases, user }: { cases: Cases; user: OwnUser }): ReactNode {
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

const closedTexts: Readonly<Record<Exclude<Closed["because"], "not-open" | "lost" | "offline">, Key>> = {
  second: "desk.closed.second",
  own: "desk.closed.own",
  moderator: "desk.closed.moderator",
  decided: "desk.closed.decided",
  claimed: "desk.closed.claimed",
  first_decider: "desk.closed.first",
  administrators: "desk.closed.administrators",
};

/** The four decisions, all alike; below them why they are off, where they are. */
function CaseActions(props: {
  state: CasesState;
  onDecide: (operation: 1 | 2 | 3) => void;
  onForbid: () => void;
  onLabel: () => void;
  onKeys: () => void;
}): ReactNode {
  const t = useT();
  const away = useAwayText();
  const closed = closedBecause(props.state);
  const off = closed !== null;
  return (
    <footer className={caseActionsStyles.bar}>
      {closed && closed.because !== "not-open" && (
        <p className={caseActionsStyles.closed} role="status">
          {closed.because === "lost" && t("desk.closed.lost", { name: isolate(closed.to) })}
          {closed.because === "offline" && away}
          {closed.because !== "lost" && closed.because !== "offline" && t(closedTexts[closed.because])}
        </p>
      )}
      <div className={caseActionsStyles.actions} role="group" aria-label={t("desk.decide")}>
        {([1, 2, 3] as const).map((operation) => (
          <Button
            key={operation}
            size="small"
            disabled={off}
            aria-keyshortcuts={operationKeys[operation]}
            onClick={() => props.onDecide(operation)}
          >
            {t(`desk.operation.${operation}`)}
            <Kbd>{operationKeys[operation]}</Kbd>
          </Button>
        ))}
        <Button
          size="small"
          className={caseActionsStyles.forbid}
          disabled={off}
          aria-keyshortcuts="B"
          onClick={props.onForbid}
        >
          {t("desk.operation.4")}
          <Kbd>B</Kbd>
        </Button>
        <span className={caseActionsStyles.gap} />
        <Button size="small" kind="plain" aria-keyshortcuts="L" onClick={props.onLabel}>
          {t("desk.label")}
          <Kbd>L</Kbd>
        </Button>
        <Button size="small" kind="plain" aria-keyshortcuts="?" onClick={props.onKeys}>
          {t("desk.keys")}
          <Kbd>?</Kbd>
        </Button>
      </div>
    </footer>
  );
}

const operationKeys = { 1: "A", 2: "R", 3: "W" } as const;

/** The decision about a case that can still be undone. */
function CaseUndo(props: { pending: PendingCase | null; className: string; onUndo: () => void }): ReactNode {
  const t = useT();
  const { pending } = props;
  if (!pending) return null;
  const { operation } = pending.verdict;
  return (
    <UndoBar
      key={pending.row.id}
      text={decidedText(t, pending)}
      hint={operation === 3 || operation === 4 ? t("desk.undo.reads") : t("desk.undo.then")}
      isHeld={pending.isHeld}
      className={props.className}
      onUndo={props.onUndo}
    />
  );
}

function decidedText(t: Translate, { row, verdict }: PendingCase): string {
  const name = isolate(row.person.nickname);
  switch (verdict.operation) {
    case 1:
      return t("desk.did.1", { name });
    case 2:
      return t("desk.did.2", { name });
    case 3:
      return t("desk.did.3", { name, reason: t(`reason.report.${row.reason_id}`) });
    case 4:
      return verdict.hours === 0
        ? t("desk.did.second", { name })
        : t("desk.did.4", { name, length: banLength(t, verdict.hours) });
  }
}

/** The middle of the desk: the opened case, or what stands there while there is none. */
function CasePane(props: {
  state: CasesState;
  dispatch: (event: CaseEvent) => void;
  user: OwnUser;
  onKeys: () => void;
}): ReactNode {
  const t = useT();
  const { state, dispatch } = props;
  const { open } = state;
  if (!open)
    return (
      <div className={casePaneStyles.empty}>
        {state.queue.rows.length > 0 && <p>{t("desk.case.choose")}</p>}
        <Button size="small" onClick={props.onKeys}>
          {t("desk.keys")}
        </Button>
      </div>
    );
  if (open.phase !== "ready")
    return open.phase === "failed" ? (
      <div className={casePaneStyles.empty}>
        <p>{t("desk.case.failed")}</p>
        <Button size="small" onClick={() => dispatch({ type: "open", id: open.id })}>
          {t("desk.again")}
        </Button>
      </div>
    ) : (
      <CaseSkeleton />
    );
  return (
    <CaseView
      detail={open.detail}
      lostTo={open.lostTo}
      isRestricted={state.box === "restricted"}
      userId={props.user.user_id}
      onClaim={() => dispatch({ type: "claim" })}
      onClose={() => dispatch({ type: "close" })}
    />
  );
}

function CaseSkeleton(): ReactNode {
  return (
    <div className={casePaneStyles.loading} aria-busy="true">
      <Skeleton height="40px" width="60%" />
      <div className={casePaneStyles.frames}>
        <Skeleton height="100%" />
        <Skeleton height="100%" />
      </div>
      <Skeleton height="160px" />
    </div>
  );
}

const orders = ["harm", "oldest", "mine"] as const;
const boxes = ["reports", "restricted"] as const;
const skeletonRows = 6;

/** What waits, in the chosen order; administrators also see the restricted queue. */
function Queue(props: { state: CasesState; dispatch: (event: CaseEvent) => void; role: number }): ReactNode {
  const t = useT();
  const nowMs = useNow(30_000);
  const { state, dispatch } = props;
  const { box, order, queue } = state;
  const isKnown = queue.phase === "ready" || queue.rows.length > 0;
  return (
    <nav className={queueStyles.queue} aria-label={t("desk.tab.reports")} aria-busy={queue.phase === "loading"}>
      <header>
        <h2>{isKnown ? t("desk.waiting", { count: queue.waiting }) : t("desk.tab.reports")}</h2>
        {queue.oldestAt !== null && <span>{t("desk.oldest", { age: formatAge(queue.oldestAt, nowMs) })}</span>}
      </header>
      <div className={queueStyles.filters}>
        {props.role >= roles.administrator && <Boxes state={state} dispatch={dispatch} />}
        <Segmented
          legend={t("desk.order")}
          hideLegend
          value={order}
          options={orders.map((value) => ({ value, label: t(`desk.order.${value}`) }))}
          onChange={(value) => dispatch({ type: "filter", box, order: value })}
        />
      </div>
      <QueueRows state={state} dispatch={dispatch} nowMs={nowMs} />
    </nav>
  );
}

function Boxes({ state, dispatch }: { state: CasesState; dispatch: (event: CaseEvent) => void }): ReactNode {
  const t = useT();
  const info = useDeskInfo();
  const label = (box: (typeof boxes)[number]) =>
    box === "restricted" && info && info.restricted > 0
      ? t("desk.box.restrictedCount", { count: formatNumber(info.restricted) })
      : t(`desk.box.${box}`);
  return (
    <Segmented
      legend={t("desk.box")}
      hideLegend
      value={state.box}
      options={boxes.map((value) => ({ value, label: label(value) }))}
      onChange={(box) => dispatch({ type: "filter", box, order: state.order })}
    />
  );
}

function QueueRows(props: { state: CasesState; dispatch: (event: CaseEvent) => void; nowMs: number }): ReactNode {
  const t = useT();
  const { state, dispatch, nowMs } = props;
  const { queue, open } = state;
  if (queue.phase === "failed" && queue.rows.length === 0)
    return (
      <div className={queueStyles.state}>
        <p>{t("desk.failed")}</p>
        <Button size="small" onClick={() => dispatch({ type: "refresh" })}>
          {t("desk.again")}
        </Button>
      </div>
    );
  if (queue.phase === "loading" && queue.rows.length === 0)
    return (
      <div className={queueStyles.rows}>
        {Array.from({ length: skeletonRows }, (_, index) => (
          <Skeleton key={index} height="64px" />
        ))}
      </div>
    );
  if (queue.rows.length === 0)
    return (
      <div className={queueStyles.state}>
        <Coffee size={28} aria-hidden="true" />
        <p>{t("desk.empty")}</p>
        <Button size="small" onClick={() => dispatch({ type: "refresh" })}>
          {t("desk.refresh")}
        </Button>
      </div>
    );
  return (
    <ul className={queueStyles.rows}>
      {queue.rows.map((row) => (
        <li key={row.id}>
          <QueueRow
            row={row}
            isOpen={row.id === open?.id}
            nowMs={nowMs}
            onOpen={() => dispatch({ type: "open", id: row.id })}
          />
        </li>
      ))}
      {queue.next !== null && (
        <li>
          <Button size="small" kind="plain" block onClick={() => dispatch({ type: "more" })}>
            {t("desk.more")}
          </Button>
        </li>
      )}
    </ul>
  );
}

/** Reason, person, age, reporters and claim of one case; the worst have a dot. */
function QueueRow(props: { row: CaseRow; isOpen: boolean; nowMs: number; onOpen: () => void }): ReactNode {
  const t = useT();
  const { row, isOpen } = props;
  const { claim, person } = row;
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isOpen) button.current?.scrollIntoView({ block: "nearest" });
  }, [isOpen]);
  return (
    <button
      ref={button}
      type="button"
      className={queueStyles.row}
      aria-current={isOpen || undefined}
      // Once it is open, Space and Enter mean the case and no longer the row.
      data-desk-free={isOpen || undefined}
      data-locked={(claim && !claim.mine) || undefined}
      onClick={props.onOpen}
    >
      <Avatar src={person.avatar} name={person.nickname} sizePx={40} />
      <span className={queueStyles.text}>
        <b>{t(`reason.report.${row.reason_id}`)}</b>
        <span className={queueStyles.who}>
          <span dir="auto">{person.nickname}</span> · {isolate(person.user_no)}
        </span>
        <span className={queueStyles.meta}>
          <span>
            <Clock size={13} aria-hidden="true" />
            {formatAge(row.opened_at, props.nowMs)}
          </span>
          {row.reporters > 0 && (
            <span>
              <UsersRound size={13} aria-hidden="true" />
              <span aria-hidden="true">{formatNumber(row.reporters)}</span>
              <VisuallyHidden>{t("desk.row.reporters", { count: row.reporters })}</VisuallyHidden>
            </span>
          )}
          {claim && (
            <span data-lock>
              <Lock size={13} aria-hidden="true" />
              {claim.mine ? t("desk.row.mine") : t("desk.row.with", { name: isolate(claim.name) })}
            </span>
          )}
          {row.is_paused && <span>{t("desk.row.paused")}</span>}
          {row.state === "second" && <span>{t("desk.row.second")}</span>}
        </span>
      </span>
      {row.harm === 1 && (
        <span className={queueStyles.dot}>
          <VisuallyHidden>{t("desk.row.urgent")}</VisuallyHidden>
        </span>
      )}
    </button>
  );
}
