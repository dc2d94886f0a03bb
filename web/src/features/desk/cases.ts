import type { InputOf } from "@fava/wire/endpoint.ts";
import { adminCase, adminClaim, adminReportList, adminReportOperate } from "@fava/wire/endpoints/desk.ts";
import type { call } from "#lib/api/call.ts";
import type { prepareCall } from "#lib/api/prepared-call.ts";
import {
  type CaseEffect,
  type CaseEvent,
  type CasesState,
  initialCases,
  type PendingCase,
  stepCases,
} from "./case-machine.ts";
import { Farewell, type LivingStore, machineStore, type MachineStore, newLife } from "./machine-store.ts";

export interface DeskPorts {
  readonly call: typeof call;
  /** Signs a call ahead, for a page that goes away. */
  readonly prepare: typeof prepareCall;
  /** Tells the moderator why something did not work. */
  readonly tellFailure: (error: unknown) => void;
  readonly tellTaken: (person: string, by: string) => void;
  /** Something was decided: numbers elsewhere on the desk have changed. */
  readonly tellDecided: () => void;
}

export interface Cases extends MachineStore<CasesState, CaseEvent>, LivingStore {}

/** The cases of one visit to the desk, for the moderator with this id. */
export function casesStore(userId: number, ports: DeskPorts, isOnline: boolean): Cases {
  const life = newLife(() => store.dispatch({ type: "leave" }));
  const farewell = new Farewell();
  const store = machineStore<CasesState, CaseEvent, CaseEffect>({
    initial: initialCases(isOnline),
    step: stepCases,
    run: (effect, dispatch) => {
      if (effect.type === "start-timer") {
        life.startTimer(effect.delayMs, () => dispatch({ type: "due" }));
        const { pending } = store.getState();
        if (pending)
          void farewell.prepare(pending.row.id, [ports.prepare(adminReportOperate, inputOf(userId, pending))]);
      } else if (effect.type === "stop-timer") life.stopTimer();
      else if (effect.type === "tell-taken") ports.tellTaken(effect.person, effect.by);
      else void run(effect, { userId, ports, farewell, dispatch, signal: life.signal() });
    },
  });
  return { ...store, start: life.start };
}

interface Running {
  readonly userId: number;
  readonly ports: DeskPorts;
  readonly farewell: Farewell;
  readonly dispatch: (event: CaseEvent) => void;
  readonly signal: AbortSignal;
}

type CallEffect = Exclude<CaseEffect, { type: "start-timer" | "stop-timer" | "tell-taken" }>;

/** Makes the call of an effect and hands its answer in; nothing is handed in once the desk was left. */
async function run(effect: CallEffect, running: Running): Promise<void> {
  const { ports, signal } = running;
  try {
    const event = await answerOf(effect, running);
    if (event && !signal.aborted) running.dispatch(event);
  } catch (error) {
    if (signal.aborted) return;
    const event = failedEvent(effect);
    if (event) running.dispatch(event);
    ports.tellFailure(error);
  }
}

async function answerOf(effect: CallEffect, running: Running): Promise<CaseEvent | null> {
  const { userId, ports, signal } = running;
  const user = { user_id: userId };
  switch (effect.type) {
    case "load-queue": {
      const { box, order, cursor } = effect;
      const page = await ports.call(
        adminReportList,
        { ...user, box, order, ...(cursor !== null && { cursor }) },
        { signal },
      );
      return { type: "queue-arrived", box, order, cursor, page };
    }
    case "load-case": {
      const { id, isAhead } = effect;
      return {
        type: "case-arrived",
        isAhead,
        detail: await ports.call(adminCase, { ...user, id }, { signal, quiet: isAhead }),
      };
    }
    case "set-claim": {
      const { id, on } = effect;
      const { claim } = await ports.call(adminClaim, { ...user, item: `case:${id}`, on }, { quiet: true });
      return { type: "claim-arrived", id, claim };
    }
    case "send":
      await send(effect, running);
      ports.tellDecided();
      return null;
  }
}

function failedEvent(effect: CallEffect): CaseEvent | null {
  switch (effect.type) {
    case "load-queue":
      return { type: "queue-failed", box: effect.box, order: effect.order };
    case "load-case":
      return effect.isAhead ? null : { type: "case-failed", id: effect.id };
    case "send":
      return { type: "refused", pending: effect.pending };
    case "set-claim":
      return null;
  }
}

async function send(effect: Extract<CaseEffect, { type: "send" }>, running: Running): Promise<void> {
  const { pending, isLeaving } = effect;
  const { userId, ports, farewell } = running;
  const sending = isLeaving ? farewell.send(pending.row.id) : null;
  await (sending ?? ports.call(adminReportOperate, inputOf(userId, pending), { keepalive: isLeaving }));
}

function inputOf(userId: number, { row, verdict }: PendingCase): InputOf<typeof adminReportOperate> {
  const about = { user_id: userId, id: row.id };
  if (verdict.operation !== 4) return { ...about, operation: verdict.operation };
  const { hours, reasonId, note } = verdict;
  return { ...about, operation: 4, hours, reason_id: reasonId, note };
}
