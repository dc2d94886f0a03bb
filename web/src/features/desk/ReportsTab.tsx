import { UsersRound } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { caseReviewGoalMs } from "@fava/wire/limits.ts";
import type { CaseRow } from "@fava/wire/moderation.ts";
import { type OwnUser, roles } from "@fava/wire/people.ts";
import { goTo, useAddress } from "#lib/address.ts";
import { formatNumber, isolate } from "#lib/format.ts";
import { type Key, useT } from "#lib/i18n.ts";
import { useNow } from "#lib/use-now.ts";
import { useShortcuts } from "#lib/use-shortcuts.ts";
import { Button } from "#ui/Button.tsx";
import { Segmented } from "#ui/RadioCards.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { classNames } from "#ui/class-names.ts";
import { BanSheet } from "./BanSheet.tsx";
import { CaseView } from "./CaseView.tsx";
import { PersonPanel } from "./PersonPanel.tsx";
import { type CaseQueue, type Cases, type Closed, useCases } from "./cases.ts";
import { formatAge, useAwayText } from "./desk-format.ts";
import { toggleGrey, useDeskInfo, useListedWaiting } from "./desk-info.ts";
import { ItemRow, KeyButton, EmptyNotice, ClaimMark, NoRows, TimeLeft, UndoBar } from "./parts.tsx";
import { KeysSheet, LabelSheet, NoteSheet } from "./sheets.tsx";
import { usePersonTools } from "./use-person-tools.ts";
import parts from "./Parts.module.css";
import styles from "./Reports.module.css";

type Dialog = "forbid" | "label" | "note" | "keys";

/**
 * The waiting cases; `?case=` opens one of them. Queue, case and person stand side by side; on a phone the queue, then
 * the case with the person below it.
 */
export function ReportsTab({ user }: { user: OwnUser }): ReactNode {
  const cases = useCases(user.user_id);
  useListedWaiting("reports", cases.isLoading || cases.isFailed || cases.box !== "reports" ? null : cases.waiting);
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const { detail } = cases;
  const tools = usePersonTools(user, detail?.subject.user_id ?? null, cases.setSubject);
  useCaseOfAddress(cases.open);
  const close = () => setDialog(null);
  const openDialog = (which: Dialog) => {
    if (which === "keys" || (which === "forbid" ? cases.closed === null : detail)) setDialog(which);
  };

  const acts: Readonly<Record<string, () => void>> = {
    j: () => cases.step(1),
    k: () => cases.step(-1),
    Enter: () => (cases.openId === null ? cases.step(1) : cases.claim()),
    s: cases.skip,
    g: toggleGrey,
    a: () => cases.decide({ operation: 1 }),
    r: () => cases.decide({ operation: 2 }),
    w: () => cases.decide({ operation: 3 }),
    c: () => cases.decide({ operation: "ask_age" }),
    b: () => openDialog("forbid"),
    l: () => openDialog("label"),
    n: () => openDialog("note"),
    u: cases.undo,
    "?": () => openDialog("keys"),
  };
  useShortcuts((key) => {
    cases.keepClaim();
    const act = acts[key];
    act?.();
    return act !== undefined;
  });

  return (
    <div className={classNames(parts.screen, styles.grid)} data-view={cases.openId === null ? "list" : "item"}>
      <Queue cases={cases} role={user.role} />
      <section aria-label={detail?.no}>
        <CasePane key={cases.openId ?? "none"} cases={cases} userId={user.user_id} onKeys={() => openDialog("keys")} />
        <div className={styles.foot}>
          <UndoBar pending={cases.pending} isHeld={cases.isHeld} className={styles.undo} onUndo={cases.undo} />
          {detail && <CaseActions key={detail.id} cases={cases} onDialog={openDialog} />}
        </div>
      </section>
      <aside
        className={classNames(parts.scroll, styles.person)}
        data-empty={!detail || undefined}
        aria-label={detail?.subject.nickname}
      >
        {detail && (
          <PersonPanel
            person={detail.subject}
            reports={detail.reports}
            tools={tools}
            onLabel={() => openDialog("label")}
            onNote={() => openDialog("note")}
            onOpenCase={cases.open}
          />
        )}
      </aside>
      {dialog === "keys" && <KeysSheet of="reports" onClose={close} />}
      {detail && dialog === "label" && <LabelSheet person={detail.subject} tools={tools} onClose={close} />}
      {detail && dialog === "note" && <NoteSheet person={detail.subject} tools={tools} onClose={close} />}
      {detail && dialog === "forbid" && (
        <BanSheet person={detail.subject} about={detail} onForbid={cases.decide} onClose={close} />
      )}
    </div>
  );
}

/** Opens the case in the address, and removes it from the address. */
function useCaseOfAddress(open: (id: string) => void): void {
  const { pathname, search } = useAddress();
  const wanted = new URLSearchParams(search).get("case");
  useEffect(() => {
    if (wanted === null) return;
    open(wanted);
    goTo(pathname, { replace: true });
  }, [open, wanted, pathname]);
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

const operationKeys = { 1: "A", 2: "R", 3: "W" } as const;

/** The four decisions, all of the same weight; above them why they are disabled, if they are. */
function CaseActions({ cases, onDialog }: { cases: Cases; onDialog: (which: Dialog) => void }): ReactNode {
  const t = useT();
  const away = useAwayText();
  const { closed } = cases;
  const off = closed !== null;
  return (
    <footer className={parts.bar}>
      {closed && closed.because !== "not-open" && (
        <p className={classNames(parts.closed, styles.closed)} role="status">
          {closed.because === "lost"
            ? t("desk.closed.lost", { name: isolate(closed.to) })
            : closed.because === "offline"
              ? away
              : t(closedTexts[closed.because])}
        </p>
      )}
      <div className={classNames(parts.actions, styles.actions)} role="group" aria-label={t("desk.decide")}>
        {([1, 2, 3] as const).map((operation) => (
          <KeyButton
            key={operation}
            shortcut={operationKeys[operation]}
            disabled={off}
            onClick={() => cases.decide({ operation })}
          >
            {t(`desk.operation.${operation}`)}
          </KeyButton>
        ))}
        <KeyButton shortcut="B" className={parts.danger} disabled={off} onClick={() => onDialog("forbid")}>
          {t("desk.operation.4")}
        </KeyButton>
        {cases.detail?.may_ask_age && (
          <KeyButton shortcut="C" disabled={off} onClick={() => cases.decide({ operation: "ask_age" })}>
            {t("desk.operation.askAge")}
          </KeyButton>
        )}
        <span className={styles.gap} />
        <KeyButton shortcut="L" kind="plain" onClick={() => onDialog("label")}>
          {t("desk.label")}
        </KeyButton>
        <KeyButton shortcut="?" kind="plain" onClick={() => onDialog("keys")}>
          {t("desk.keys")}
        </KeyButton>
      </div>
    </footer>
  );
}

/** The centre of the desk: the open case, or a placeholder. */
function CasePane({ cases, userId, onKeys }: { cases: Cases; userId: number; onKeys: () => void }): ReactNode {
  const t = useT();
  if (cases.openId === null) {
    const text = cases.rows.length > 0 ? t("desk.case.choose") : null;
    return <EmptyNotice text={text} action={{ text: t("desk.keys"), run: onKeys }} />;
  }
  if (cases.detail) return <CaseView cases={cases} detail={cases.detail} userId={userId} />;
  if (cases.hasDetailFailed)
    return <EmptyNotice text={t("desk.case.failed")} action={{ text: t("desk.again"), run: cases.reopen }} />;
  return (
    <div className={styles.loading} aria-busy="true">
      <Skeleton height="40px" width="60%" />
      <div>
        <Skeleton height="100%" />
        <Skeleton height="100%" />
      </div>
      <Skeleton height="160px" />
    </div>
  );
}

const orders = ["harm", "oldest", "mine"] as const;
const boxes = ["reports", "restricted"] as const;

/** The waiting cases in the chosen order; administrators also see the restricted queue. */
function Queue({ cases, role }: { cases: Cases; role: number }): ReactNode {
  const t = useT();
  const nowMs = useNow(30_000);
  const info = useDeskInfo();
  const { box, order, rows } = cases;
  const isKnown = rows.length > 0 || !(cases.isLoading || cases.isFailed);
  const boxLabel = (one: CaseQueue) =>
    one === "restricted" && info && info.restricted > 0
      ? t("desk.box.restrictedCount", { count: formatNumber(info.restricted) })
      : t(`desk.box.${one}`);
  return (
    <nav className={styles.queue} aria-label={t("desk.tab.reports")} aria-busy={cases.isLoading}>
      <header>
        <h2>{isKnown ? t("desk.waiting", { count: cases.waiting }) : t("desk.tab.reports")}</h2>
        {cases.oldestAt !== null && <span>{t("desk.oldest", { age: formatAge(cases.oldestAt, nowMs) })}</span>}
      </header>
      <div className={styles.filters}>
        {role >= roles.administrator && (
          <Segmented
            legend={t("desk.box")}
            hideLegend
            value={box}
            options={boxes.map((value) => ({ value, label: boxLabel(value) }))}
            onChange={(value) => cases.filter({ box: value, order })}
          />
        )}
        <Segmented
          legend={t("desk.order")}
          hideLegend
          value={order}
          options={orders.map((value) => ({ value, label: t(`desk.order.${value}`) }))}
          onChange={(value) => cases.filter({ box, order: value })}
        />
      </div>
      <QueueRows cases={cases} nowMs={nowMs} />
    </nav>
  );
}

function QueueRows({ cases, nowMs }: { cases: Cases; nowMs: number }): ReactNode {
  const t = useT();
  const { rows } = cases;
  if (rows.length === 0)
    return <NoRows isLoading={cases.isLoading} isFailed={cases.isFailed} onRefresh={cases.refresh} />;
  return (
    <ul className={classNames(parts.scroll, styles.rows)}>
      {rows.map((row) => (
        <li key={row.id}>
          <QueueRow row={row} isOpen={row.id === cases.openId} nowMs={nowMs} onOpen={() => cases.open(row.id)} />
        </li>
      ))}
      {cases.hasMore && (
        <li>
          <Button size="small" kind="plain" block onClick={cases.more}>
            {t("desk.more")}
          </Button>
        </li>
      )}
    </ul>
  );
}

/** Reason, person, time left, reporters and claim of one case; the most severe have a dot. */
function QueueRow(props: { row: CaseRow; isOpen: boolean; nowMs: number; onOpen: () => void }): ReactNode {
  const t = useT();
  const { row } = props;
  const { claim, person } = row;
  return (
    <ItemRow person={person} isOpen={props.isOpen} isOff={claim?.mine === false} onOpen={props.onOpen}>
      <b>{t(`reason.report.${row.reason_id}`)}</b>
      <span className={styles.who}>
        <span dir="auto" translate="no">
          {person.nickname}
        </span>{" "}
        · {isolate(person.user_no)}
      </span>
      <span className={styles.meta}>
        <TimeLeft dueAt={row.due_at ?? row.opened_at + caseReviewGoalMs} nowMs={props.nowMs} />
        {row.reporters > 0 && (
          <span>
            <UsersRound size={13} aria-hidden="true" />
            <span aria-hidden="true">{formatNumber(row.reporters)}</span>
            <VisuallyHidden>{t("desk.row.reporters", { count: row.reporters })}</VisuallyHidden>
          </span>
        )}
        {claim && <ClaimMark claim={claim} />}
        {row.is_paused && <span>{t("desk.row.paused")}</span>}
        {row.state === "second" && <span>{t("desk.row.second")}</span>}
      </span>
      {row.harm === 1 && (
        <span className={styles.dot}>
          <VisuallyHidden>{t("desk.row.urgent")}</VisuallyHidden>
        </span>
      )}
    </ItemRow>
  );
}
