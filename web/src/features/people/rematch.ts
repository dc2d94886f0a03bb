/** Somebody whom this person wants to meet again, and who wants it too. */
export interface MeetPerson {
  readonly userId: number;
  readonly nickname: string;
}

const listeners = new Set<(person: MeetPerson) => void>();

/** Asks for a call with this one person; whoever owns the start of a call takes it from here. */
export function startMeeting(person: MeetPerson): void {
  for (const listener of listeners) listener(person);
}

/** Hears of every such start, until the answer is called. */
export function onMeetingStart(listener: (person: MeetPerson) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
