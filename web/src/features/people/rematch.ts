/** A person whom the user wants to meet again, and who wants it too. */
export interface MeetPerson {
  readonly userId: number;
  readonly nickname: string;
}

const listeners = new Set<(person: MeetPerson) => void>();

/** Requests a call with this person; the listener that starts calls handles it. */
export function startMeeting(person: MeetPerson): void {
  for (const listener of listeners) listener(person);
}

/** Calls the listener for every such request; returns how to unsubscribe. */
export function onMeetingStart(listener: (person: MeetPerson) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
