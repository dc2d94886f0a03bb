import { kindRead, kindSend } from "@fava/wire/endpoints/social.ts";
import type { KindWord } from "@fava/wire/people.ts";
import { useStore } from "zustand";
import { ignoreRequestFailure } from "#lib/api/request-failure.ts";
import { request } from "#lib/api/request.ts";
import { createChoiceStore } from "#lib/choice-store.ts";
import { currentUser } from "#lib/session.ts";
import { tellFailure } from "./relation-actions.ts";

/** The partner of the last call, to whom the user may leave a kind word. */
interface Offer {
  readonly userId: number;
  readonly nickname: string;
  readonly callId: string;
  /** The word that the user has left; null: none yet. */
  readonly word: KindWord | null;
}

interface OfferState {
  readonly offer: Offer | null;
  /** Whom the user has last reported or blocked, maybe during the call; null: nobody. */
  readonly refusedId: number | null;
}

const store = createChoiceStore<OfferState>(() => ({ offer: null, refusedId: null }));

export function useKindWordOffer(): Offer | null {
  return useStore(store, ({ offer }) => offer);
}

export function offerKindWord(partner: Omit<Offer, "word">): void {
  if (partner.userId !== store.getState().refusedId) store.setState({ offer: { ...partner, word: null } });
}

/** Call when the next call begins. */
export function endKindWordOffer(): void {
  store.setState({ offer: null });
}

/** Call when the user has reported this person, or one of the two has blocked the other. */
export function offerNoKindWordTo(userId: number): void {
  store.setState(({ offer }) => ({ offer: offer?.userId === userId ? null : offer, refusedId: userId }));
}

/** Leaves the last partner a word. Shown at once, and offered again with a message if the server did not store it. */
export async function sendKindWord(word: KindWord): Promise<void> {
  const user = currentUser();
  const { offer } = store.getState();
  if (!user || !offer || offer.word !== null) return;
  const { userId, callId } = offer;
  store.setState({ offer: { ...offer, word } });
  try {
    await request(kindSend, { user_id: user.user_id, other_id: userId, call_id: callId, word });
  } catch (error) {
    if (store.getState().offer?.callId === callId) store.setState({ offer });
    tellFailure(error);
  }
}

/** The user sees all kind words. If the request fails, they are shown again next time. */
export async function markKindWordsRead(): Promise<void> {
  const user = currentUser();
  if (user) await request(kindRead, { user_id: user.user_id }, { quiet: true }).catch(ignoreRequestFailure);
}
