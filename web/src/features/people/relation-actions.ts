import { codes } from "@fava/wire/codes.ts";
import { block, follow, like, unblock } from "@fava/wire/endpoints/social.ts";
import { undoMs } from "@fava/wire/limits.ts";
import type { FollowStatus, LikeStatus } from "@fava/wire/people.ts";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { request } from "#lib/api/request.ts";
import { isolate } from "#lib/format.ts";
import { t } from "#lib/i18n.ts";
import { currentUser } from "#lib/session.ts";
import { showToast } from "#ui/toast-store.ts";
import { openRefusal } from "./refusal.ts";
import { changeRelation, hidePerson, relationOf } from "./relations.ts";

/** The person of an action. */
export interface PersonRef {
  readonly userId: number;
  readonly externalId?: string;
  readonly nickname: string;
  /** The person follows the user, so that following back makes them friends. */
  readonly isFan?: boolean;
}

type Status = FollowStatus | LikeStatus;

/**
 * The state of one follow or like: the last status from the server, whether the user wants it, and the pending request.
 */
interface Line {
  confirmed: Status;
  wanted: boolean;
  running: Promise<void> | null;
}

/** Follows and likes with a pending request, by kind and person. */
const lines = new Map<string, Line>();

/**
 * Follows or unfollows. Shown at once, and reverted with a message if the server rejects it; resolves when the server
 * has responded. After several presses the last one counts.
 */
export function setFollow(person: PersonRef, on: boolean): Promise<void> {
  const present = relationOf(person.userId)?.followStatus ?? 0;
  return turn(`follow ${person.userId}`, {
    on,
    present,
    show: (followStatus) => changeRelation(person.userId, { followStatus: followStatus as FollowStatus }),
    guess: person.isFan || present === 2 ? 2 : 1,
    send: async (wanted) => {
      const input = { userId: ownId(), followUserId: person.userId, on: wanted } as const;
      const { followStatus } = await request(follow, input);
      if (followStatus === 2) befriended();
      return followStatus;
    },
  });
}

/** Loads the code for the question on demand, because most presses make no friends. */
function befriended(): void {
  import("#features/notifications/ask.ts").then(
    ({ askAfterBefriending }) => askAfterBefriending(),
    // On an old or offline page the import fails: ask at another time.
    () => undefined,
  );
}

/** Likes or unlikes, as `setFollow` does. */
export function setLike(person: PersonRef, on: boolean): Promise<void> {
  return turn(`like ${person.userId}`, {
    on,
    present: relationOf(person.userId)?.likeStatus ?? 0,
    show: (likeStatus) => changeRelation(person.userId, { likeStatus: likeStatus as LikeStatus }),
    guess: 1,
    send: async (wanted) => {
      const input = { userId: ownId(), likeUserId: person.userId, on: wanted } as const;
      return (await request(like, input)).likeStatus;
    },
  });
}

/**
 * Blocks a person: hides them at once, sends the request at once, and offers an undo for 5 s. Resolves when the server
 * has responded; a failed request is shown, not thrown.
 */
export function blockPerson(person: PersonRef): Promise<void> {
  const before = relationOf(person.userId);
  const stored = sendBlock(person.userId);
  hidePerson(person.userId, stored);
  const name = isolate(person.nickname);
  const takeAway = showToast({
    type: "success",
    text: t("people.blockedToast", { name }),
    durationMs: undoMs,
    action: { text: t("people.undo"), run: () => void stored.then((done) => done && unblockPerson(person)) },
  });
  return stored.then((done) => {
    if (done) return;
    takeAway();
    changeRelation(person.userId, { followStatus: 0, likeStatus: 0, presence: null, ...before, hidden: false });
  });
}

/**
 * Unblocks a person, with a message that follows are not restored. Resolves to false if the server did not do it, which
 * was shown already.
 */
export async function unblockPerson(person: PersonRef): Promise<boolean> {
  try {
    await request(unblock, { user_id: ownId(), other_id: person.userId });
  } catch (error) {
    tellFailure(error);
    return false;
  }
  changeRelation(person.userId, { hidden: false });
  showToast({ type: "info", text: t("people.unblockedToast", { name: isolate(person.nickname) }) });
  return true;
}

async function sendBlock(userId: number): Promise<boolean> {
  try {
    await request(block, { user_id: ownId(), other_id: userId });
    return true;
  } catch (error) {
    tellFailure(error);
    return false;
  }
}

interface Turn {
  on: boolean;
  present: Status;
  /** The status that the server will most likely respond with. */
  guess: Status;
  show: (status: Status) => void;
  send: (wanted: 0 | 1) => Promise<Status>;
}

function turn(key: string, { on, present, guess, show, send }: Turn): Promise<void> {
  const line = lines.get(key) ?? { confirmed: present, wanted: on, running: null };
  line.wanted = on;
  lines.set(key, line);
  show(on ? guess : 0);
  line.running ??= settle(line, { show, send }).finally(() => lines.delete(key));
  return line.running;
}

/** Sends one request at a time, until the server has stored what the user wanted last. */
async function settle(line: Line, { show, send }: Pick<Turn, "show" | "send">): Promise<void> {
  let sent: boolean;
  do {
    sent = line.wanted;
    try {
      line.confirmed = await send(sent ? 1 : 0);
    } catch (error) {
      if (sent !== line.wanted) continue;
      show(line.confirmed);
      return tellFailure(error);
    }
  } while (sent !== line.wanted);
  show(line.confirmed);
}

function ownId(): number {
  const user = currentUser();
  if (!user) throw new RequestFailure({ code: 0, reason: "aborted", message: "nobody is signed in" });
  return user.user_id;
}

/**
 * Shows why the server rejected a request. Requests show a missing response and the end of the session by themselves.
 */
export function tellFailure(error: unknown): void {
  if (!(error instanceof RequestFailure)) throw error;
  if (openRefusal(error)) return;
  if (error.code === codes.slowDown) showToast({ type: "error", text: t("people.tooFast") });
  else if (error.code === codes.badInput) showToast({ type: "error", text: t("people.failed") });
}
