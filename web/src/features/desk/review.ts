import type { InputOf } from "@fava/wire/endpoint.ts";
import { adminClaim } from "@fava/wire/endpoints/desk.ts";
import {
  adminAvatarList,
  adminAvatarOperate,
  adminImageList,
  adminImageOperate,
} from "@fava/wire/endpoints/moderation.ts";
import type { DeskPorts } from "./cases.ts";
import { Farewell, type LivingStore, machineStore, type MachineStore, newLife } from "./machine-store.ts";
import {
  initialReview,
  type PendingPictures,
  type ReviewEffect,
  type ReviewEvent,
  type ReviewState,
  stepReview,
} from "./review-machine.ts";

export type PictureKind = "avatars" | "photos";

export interface ReviewPorts extends Pick<DeskPorts, "call" | "prepare" | "tellFailure" | "tellDecided"> {
  readonly tellUnseen: () => void;
}

export interface Review extends MachineStore<ReviewState, ReviewEvent>, LivingStore {}

const endpoints = {
  avatars: { list: adminAvatarList, operate: adminAvatarOperate },
  photos: { list: adminImageList, operate: adminImageOperate },
} as const;

/** The pictures that wait, for the moderator with this id. */
export function reviewStore(options: {
  userId: number;
  kind: PictureKind;
  ports: ReviewPorts;
  isOnline: boolean;
  isBlurred: boolean;
}): Review {
  const { userId, kind, ports } = options;
  const life = newLife(() => store.dispatch({ type: "leave" }));
  const farewell = new Farewell();
  const user = { user_id: userId };

  async function load(cursor: string | null, signal: AbortSignal): Promise<ReviewEvent> {
    const page = await ports.call(endpoints[kind].list, { ...user, ...(cursor !== null && { cursor }) }, { signal });
    return { type: "arrived", cursor, page };
  }

  function inputsOf({ rows, verdict }: PendingPictures): readonly InputOf<typeof adminAvatarOperate>[] {
    const reason = verdict.operation === 2 ? { reason_id: verdict.reasonId } : {};
    return rows.map(({ id }) => ({ ...user, id, operation: verdict.operation, ...reason }));
  }

  /** One call a picture, one after the other: a page holds few, and the server counts them. */
  async function send(pending: PendingPictures, isLeaving: boolean): Promise<void> {
    const sending = isLeaving ? farewell.send(keyOf(pending)) : null;
    if (sending) await sending;
    else
      for (const input of inputsOf(pending)) await ports.call(endpoints[kind].operate, input, { keepalive: isLeaving });
    ports.tellDecided();
  }

  async function run(effect: ReviewEffect, dispatch: (event: ReviewEvent) => void): Promise<void> {
    const signal = life.signal();
    const hear = (event: ReviewEvent) => {
      if (!signal.aborted) dispatch(event);
    };
    try {
      if (effect.type === "load") hear(await load(effect.cursor, signal));
      if (effect.type === "send") await send(effect.pending, effect.isLeaving);
      if (effect.type === "set-claim") {
        const { claim } = await ports.call(
          adminClaim,
          { ...user, item: `image:${effect.id}`, on: effect.on },
          { quiet: true },
        );
        hear({ type: "claim-arrived", id: effect.id, claim });
      }
    } catch (error) {
      if (signal.aborted) return;
      if (effect.type === "load") hear({ type: "failed" });
      if (effect.type === "send") hear({ type: "refused", ids: effect.pending.rows.map(({ id }) => id) });
      ports.tellFailure(error);
    }
  }

  const store = machineStore<ReviewState, ReviewEvent, ReviewEffect>({
    initial: initialReview(options),
    step: stepReview,
    run: (effect, dispatch) => {
      if (effect.type === "start-timer") {
        life.startTimer(effect.delayMs, () => dispatch({ type: "due" }));
        const { pending } = store.getState();
        const making = (input: InputOf<typeof adminAvatarOperate>) => ports.prepare(endpoints[kind].operate, input);
        if (pending) void farewell.prepare(keyOf(pending), inputsOf(pending).map(making));
      } else if (effect.type === "stop-timer") life.stopTimer();
      else if (effect.type === "tell-unseen") ports.tellUnseen();
      else void run(effect, dispatch);
    },
  });
  return { ...store, start: life.start };
}

/** Names a decision: its pictures are decided once. */
function keyOf({ rows }: PendingPictures): string {
  return rows.map(({ id }) => id).join(" ");
}
