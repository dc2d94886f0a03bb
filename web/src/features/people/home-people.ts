import { useEffect } from "react";
import { homePeople } from "@fava/wire/endpoints/social.ts";
import { homePeopleMax } from "@fava/wire/limits.ts";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import type { Person } from "@fava/wire/people.ts";
import { callShown } from "#lib/call-shown.ts";
import { useEndpointQuery } from "#lib/query.ts";
import { useUser } from "#lib/session.ts";
import { writeStored } from "#lib/storage.ts";
import { minuteMs, useNow } from "#lib/use-now.ts";
import { noteRelations, type Relation, useRelations } from "./relations.ts";
import { noteRecent, type RematchRequest, useRematchRequests } from "./rematch-requests.ts";
import { onSocial, type SocialMessage } from "./social-messages.ts";

type HomePeople = OutputOf<typeof homePeople>;

/** A person in the row, whom a press calls, calls back or meets again. */
export interface Face {
  readonly kind: "meet" | "missed" | "friend";
  readonly person: Person;
}

/** The mutual wish that home shows as a card. */
export interface MeetCard {
  readonly person: Person;
  readonly isWaitedFor: boolean;
  readonly untilMs: number;
}

export type KindWordFrom = NonNullable<HomePeople["kind_words"]>[number];

export interface HomePeopleShown {
  readonly card: MeetCard | null;
  readonly faces: readonly Face[];
  readonly unreadWords: readonly KindWordFrom[] | undefined;
}

/** The list is loaded again at most this often, because friends come and go. */
const refreshMs = 5_000;

/** The people of the home screen, up to date; null before the server's first response. */
export function useHomePeople(): HomePeopleShown | null {
  const user = useUser();
  const nowMs = useNow(minuteMs);
  const relations = useRelations();
  const wishes = useRematchRequests();
  const { data, refetch } = useEndpointQuery(homePeople, user?.profile_complete ? { user_id: user.user_id } : null, {
    refetchOnReconnect: true,
    onAnswer(answer) {
      const { meets, missed, friends, kind_words = [] } = answer;
      noteRelations([...[...meets, ...kind_words].map(({ person }) => person), ...missed, ...friends]);
      noteRecent(meets.map(({ person, until }) => ({ person, until, meet: "both" })));
      writeStored("homePeople", meets.length + missed.length + friends.length > 0 ? 1 : 0);
    },
  });
  useEffect(() => (data ? followPeople(data, () => void refetch()) : undefined), [data, refetch]);
  return data ? shownOf(data, { relations, wishes, nowMs }) : null;
}

let refreshedAtMs = 0;

/** Calls `refresh` when the list may have changed, at most every `refreshMs`; returns how to stop. */
function followPeople(known: HomePeople, refresh: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const soon = () => {
    // After a call the page loads the list anyway.
    if (callShown.getState()) return;
    timer ??= setTimeout(
      () => {
        timer = undefined;
        refreshedAtMs = performance.now();
        refresh();
      },
      Math.max(0, refreshedAtMs + refreshMs - performance.now()),
    );
  };
  const stops = [
    onSocial({ frame: (frame) => isNews(frame, known) && soon(), sessionNew: soon }),
    callShown.subscribe(soon),
    () => clearTimeout(timer),
  ];
  return () => stops.forEach((stop) => stop());
}

function isNews(frame: SocialMessage, { missed, friends }: HomePeople): boolean {
  const isIn = (people: readonly Person[], externalId: string) => people.some((one) => one.externalId === externalId);
  if (frame.type === "presence") return frame.presence === "online" && !isIn(friends, frame.externalId);
  if (frame.type !== "social") return false;
  const { event } = frame;
  if (event.kind === "message")
    return event.message.msgType === "missed" || isIn(missed, event.conversation.externalId);
  return event.kind === "relation" || (event.kind === "meet" && event.state === "both");
}

interface Facts {
  readonly relations: ReadonlyMap<number, Relation>;
  readonly wishes: ReadonlyMap<number, RematchRequest>;
  readonly nowMs: number;
}

/** Everybody once: the newest mutual wish as the card, then the others in a row. */
function shownOf(data: HomePeople, { relations, wishes, nowMs }: Facts): HomePeopleShown {
  const isShown = ({ user_id }: Person) => !relations.get(user_id)?.hidden;
  const isFriend = ({ user_id }: Person) => relations.get(user_id)?.followStatus === 2;
  const meets = data.meets.flatMap(({ person, until }) => {
    const wish = wishes.get(person.user_id);
    const isMutual = wish?.meet === "both" && until > nowMs && isShown(person);
    return isMutual ? [{ person, untilMs: until, isWaitedFor: wish.isWaitedFor }] : [];
  });
  const card = meets.find(({ isWaitedFor }) => isWaitedFor) ?? meets[0] ?? null;
  const known = new Set(card && [card.person.user_id]);
  const faces: Face[] = [];
  const add = (kind: Face["kind"], people: readonly Person[]) => {
    for (const person of people) {
      if (known.has(person.user_id) || faces.length === homePeopleMax) continue;
      known.add(person.user_id);
      faces.push({ kind, person });
    }
  };
  add(
    "missed",
    data.missed.filter((person) => isShown(person) && isFriend(person)),
  );
  add(
    "meet",
    meets.map(({ person }) => person),
  );
  const isOnline = ({ user_id }: Person) => relations.get(user_id)?.presence === "online";
  add(
    "friend",
    data.friends.filter((person) => isShown(person) && isFriend(person) && isOnline(person)),
  );
  return { card, faces, unreadWords: data.kind_words };
}
