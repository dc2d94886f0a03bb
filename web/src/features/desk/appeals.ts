import { adminAppeal, adminAppealList, adminAppealOperate } from "@fava/wire/endpoints/appeals.ts";
import { adminCase, adminClaim, adminSecondOperate } from "@fava/wire/endpoints/desk.ts";
import type { PreparedCall } from "#lib/api/prepared-call.ts";
import {
  type AppealEffect,
  type AppealEvent,
  type AppealsState,
  type AppealVerdict,
  initialAppeals,
  type PendingAppeal,
  stepAppeals,
} from "./appeal-machine.ts";
import type { DeskPorts } from "./cases.ts";
import { Farewell, type LivingStore, machineStore, type MachineStore, newLife } from "./machine-store.ts";

export interface Appeals extends MachineStore<AppealsState, AppealEvent>, LivingStore {}

type CallEffect = Exclude<AppealEffect, { type: "start-timer" | "stop-timer" }>;
type AppealPorts = Pick<DeskPorts, "call" | "prepare" | "tellFailure" | "tellDecided">;

/** Second opinions and appeals, for the moderator with this id. */
export function appealsStore(userId: number, ports: AppealPorts, isOnline: boolean): Appeals {
  const life = newLife(() => store.dispatch({ type: "leave" }));
  const farewell = new Farewell();
  const user = { user_id: userId };

  async function answerOf(effect: CallEffect, signal: AbortSignal): Promise<AppealEvent | null> {
    switch (effect.type) {
      case "load":
        return { type: "arrived", lists: await ports.call(adminAppealList, user, { signal }) };
      case "load-detail": {
        const { id, kind } = effect.row;
        if (kind === "second")
          return { type: "second-arrived", detail: await ports.call(adminCase, { ...user, id }, { signal }) };
        return { type: "appeal-arrived", id, detail: await ports.call(adminAppeal, { ...user, id }, { signal }) };
      }
      case "set-claim": {
        const { id, kind } = effect.row;
        const item = `${kind === "second" ? "case" : "appeal"}:${id}`;
        const { claim } = await ports.call(adminClaim, { ...user, item, on: effect.on }, { quiet: true });
        return { type: "claim-arrived", id, claim };
      }
      case "send":
        await send(effect.pending, effect.isLeaving);
        ports.tellDecided();
        return null;
    }
  }

  async function send(pending: PendingAppeal, isLeaving: boolean): Promise<void> {
    const sending = isLeaving ? farewell.send(keyOf(pending)) : null;
    const options = { keepalive: isLeaving };
    const { row, verdict } = pending;
    if (sending) await sending;
    else if (verdict.kind === "second")
      await ports.call(adminSecondOperate, { ...user, id: row.id, operation: verdict.operation }, options);
    else await ports.call(adminAppealOperate, { ...user, id: row.id, ...outcomeOf(verdict) }, options);
  }

  async function run(effect: CallEffect, dispatch: (event: AppealEvent) => void): Promise<void> {
    const signal = life.signal();
    try {
      const event = await answerOf(effect, signal);
      if (event && !signal.aborted) dispatch(event);
    } catch (error) {
      if (signal.aborted) return;
      if (effect.type === "load") dispatch({ type: "failed" });
      if (effect.type === "load-detail") dispatch({ type: "detail-failed", id: effect.row.id });
      if (effect.type === "send") dispatch({ type: "refused" });
      ports.tellFailure(error);
    }
  }

  const store = machineStore<AppealsState, AppealEvent, AppealEffect>({
    initial: initialAppeals(isOnline),
    step: stepAppeals,
    run: (effect, dispatch) => {
      if (effect.type === "start-timer") {
        life.startTimer(effect.delayMs, () => dispatch({ type: "due" }));
        const { pending } = store.getState();
        if (pending) void farewell.prepare(keyOf(pending), [prepared(ports, user, pending)]);
      } else if (effect.type === "stop-timer") life.stopTimer();
      else void run(effect, dispatch);
    },
  });
  return { ...store, start: life.start };
}

function prepared(
  ports: AppealPorts,
  user: { user_id: number },
  { row, verdict }: PendingAppeal,
): Promise<PreparedCall> {
  const about = { ...user, id: row.id };
  return verdict.kind === "second"
    ? ports.prepare(adminSecondOperate, { ...about, operation: verdict.operation })
    : ports.prepare(adminAppealOperate, { ...about, ...outcomeOf(verdict) });
}

/** Names a decision: second opinions and appeals are counted apart. */
function keyOf({ row }: PendingAppeal): string {
  return `${row.kind} ${row.id}`;
}

function outcomeOf(verdict: Extract<AppealVerdict, { kind: "appeal" }>) {
  const { outcome, answer } = verdict;
  return { outcome, answer, ...(verdict.outcome === "shortened" && { hours: verdict.hours }) };
}
