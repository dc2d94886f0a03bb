import { appealPushAdd, appealPushDel, appealPushInfo } from "@fava/wire/endpoints/appeals.ts";
import { request } from "#lib/api/request.ts";
import { currentUser } from "#lib/session.ts";
import { readStored, removeStored, writeStored } from "#lib/storage.ts";
import { wasDeclined } from "./ask.ts";
import {
  forgetHere,
  offsetMin,
  type Reach,
  reachHere,
  reachOfBrowser,
  subscriptionHere,
  type Telling,
} from "./told-here.ts";

/**
 * How this browser stands to telling of the answer to an appeal. `none`: nobody is told, or its owner did not want it in
 * the last 30 days.
 */
export type AnswerStanding =
  | { readonly kind: "on" | "none" | Exclude<Reach, "can"> }
  | { readonly kind: "open"; readonly key: string };

/** Of the ban alone: nobody is signed in. */
const asVisitor = { token: "", quiet: true } as const;

/** @throws RequestFailure */
export async function answerStanding(token: string): Promise<AnswerStanding> {
  const endpoint = (await subscriptionHere())?.endpoint;
  const about = { appeal_token: token, ...(endpoint !== undefined && { endpoint }) };
  const { key, on } = await request(appealPushInfo, about, asVisitor);
  if (on) {
    writeStored("appealTold", token);
    return { kind: "on" };
  }
  if (isKeptFor(token)) removeStored("appealTold");
  if (key === null) return { kind: "none" };
  const reach = reachOfBrowser();
  if (reach !== "can") return { kind: reach };
  // Without a worker, as in development, nothing can be told.
  const isThere = (await navigator.serviceWorker.getRegistration()) !== undefined;
  return isThere && !wasDeclined("answer") ? { kind: "open", key } : { kind: "none" };
}

/**
 * Has this browser told once that the appeal was answered, and keeps what opens it. Asks for
 * permission where nobody has yet, and so has to be called out of a press.
 */
export async function tellOfAnswer(token: string, key: string): Promise<Telling> {
  return reachHere(key, async (reached) => {
    const about = { appeal_token: token, ...reached, offset_min: offsetMin() };
    const { on } = await request(appealPushAdd, about, asVisitor);
    if (on) writeStored("appealTold", token);
  });
}

/** @throws RequestFailure where the server was not reached: it goes on telling. */
export async function tellOfAnswerNoMore(token: string): Promise<void> {
  await request(appealPushDel, { appeal_token: token }, asVisitor);
  await answerIsKnown(token);
}

/** Nothing is left to tell: what this browser keeps for it is gone, with its address at the push service where nobody else is told here. */
export async function answerIsKnown(token: string): Promise<void> {
  if (!isKeptFor(token)) return;
  removeStored("appealTold");
  if (!currentUser()) await forgetHere();
}

/** What opens the appeal that this browser tells of. */
export function toldAppealToken(): string | null {
  return readStored("appealTold");
}

/** A ban has many tokens, which begin alike: each sign-in makes one. */
function isKeptFor(token: string): boolean {
  const [kept, asked] = [readStored("appealTold"), token].map((one) => one?.split(".", 1)[0]);
  return kept !== undefined && kept === asked;
}
