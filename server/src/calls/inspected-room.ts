import type { FrameVerdict } from "#ports/frame-classifier.ts";
import type { EvidenceFrame, EvidenceItem } from "#ports/moderation.ts";
import { ChatLineBuffer } from "./chat-line-buffer.ts";
import { openInspection, type InspectedVideo, type View } from "./inspection-state.ts";
import { type VideoInspection, openVideoInspection } from "./video-inspections.ts";
import type { RoomChanged, RoomChatMessage, ShownKind } from "./room-service.ts";

/** A report that waits for the user's next frames, as further evidence. */
interface LateListener {
  readonly hear: (items: readonly EvidenceItem[]) => void;
  readonly untilMs: number;
  readonly missing: Set<View>;
}

export interface InspectedSide extends VideoInspection {
  state: InspectedVideo;
  readonly room: InspectedRoom;
  readonly rings: { readonly [Which in View]: FrameBuffer };
  readonly lines: ChatLineBuffer;
  readonly openedClear: boolean;
  readonly exposure: Exposure;
  /** Request time of the newest clean frame of this page, on the monotonic clock; null without one. */
  cleanMs: number | null;
  late: readonly LateListener[];
  /** Whether this side's page plays the partner's video, and whether its socket is lost. */
  readonly watches: { isPlaying: boolean; isLost: boolean };
  shield: string;
  /** The state of this user's video that the meters received last. */
  shown: ShownKind;
}

export interface Opening extends Omit<Parameters<typeof openInspection>[0], "isClear"> {
  /** Request time of the frame that lets the video start clear; null: it starts covered. */
  readonly cleanMs: number | null;
}

/** A room with inspected video, kept for some time after its end. */
export class InspectedRoom {
  readonly id: string;
  readonly sides: readonly [InspectedSide, InspectedSide];
  isOver = false;
  forgetting: Disposable | null = null;

  constructor(
    { id, people }: Pick<RoomChanged, "id" | "people">,
    openingOf: (person: RoomChanged["people"]["offerer"]) => Opening,
  ) {
    this.id = id;
    const side = (person: RoomChanged["people"]["offerer"]) => openSide(this, person.userId, openingOf(person));
    this.sides = [side(people.offerer), side(people.answerer)];
  }
}

function openSide(room: InspectedRoom, userId: bigint, opening: Opening): InspectedSide {
  const { cleanMs, isConnected = true } = opening;
  const openedClear = cleanMs !== null;
  const state = openInspection({ ...opening, isClear: openedClear });
  return {
    ...openVideoInspection<InspectedVideo>({ userId, roomId: room.id, state }),
    room,
    rings: { own: [], received: [] },
    lines: new ChatLineBuffer(),
    openedClear,
    exposure: new Exposure(cleanMs),
    cleanMs,
    late: [],
    watches: { isPlaying: false, isLost: !isConnected },
    shield: "",
    shown: "shown",
  };
}

export function otherSideOf(side: InspectedSide): InspectedSide {
  const [one, two] = side.room.sides;
  return side === one ? two : one;
}

/** The user's own side and the partner's. Null if the user is not in the room. */
export function sidesOf(room: InspectedRoom, userId: bigint): [self: InspectedSide, other: InspectedSide] | null {
  const [one, two] = room.sides;
  if (one.userId === userId) return [one, two];
  return two.userId === userId ? [two, one] : null;
}

export function withLine(room: InspectedRoom, line: RoomChatMessage): void {
  sidesOf(room, line.fromId)?.[0].lines.keep(line);
}

/** @param lineId client id of the user's chat line that the report names. */
export function evidenceOf(
  side: InspectedSide,
  { nowMs, lineId = null }: { nowMs: number; lineId?: string | null },
): EvidenceItem[] {
  const frames = [...side.rings.own, ...side.rings.received].map(frameItem);
  return [...frames, ...linesOf(side, { nowMs, lineId })];
}

/** The room's chat as evidence about one user, as one item; none without a line. */
export function linesOf(
  side: InspectedSide,
  { nowMs, lineId = null }: { nowMs: number; lineId?: string | null },
): EvidenceItem[] {
  const lines = [...side.lines.evidence("person", lineId), ...otherSideOf(side).lines.evidence("other")];
  if (lines.length === 0) return [];
  return [{ kind: "lines", at: new Date(nowMs), lines: lines.toSorted((one, other) => one.at - other.at) }];
}

export function frameItem({ view, atMs, bytes, verdict }: StoredFrame): EvidenceFrame {
  const { phash, explicit, scores, openNsfw } = verdict;
  const facts = { phash, explicit, scores, ...(openNsfw !== undefined && { openNsfw }) };
  return { kind: "frame", view, at: new Date(atMs), bytes, facts };
}

interface Judged {
  readonly view: View;
  readonly passed: boolean;
  /** When the frame was requested, and when the verdict came. */
  readonly askedMs: number;
  readonly nowMs: number;
  readonly before: InspectedVideo;
  readonly after: InspectedVideo;
}

/**
 * Measures for how long the partner may have seen video that had to be hidden: from the request of the last clean frame
 * until the hiding. Received frames count once the user's own camera confirms them.
 */
export class Exposure {
  #cleanMs: number | null;
  /** The exposure of video that received frames have hidden, in milliseconds, until the own camera confirms it. */
  #doubtedMs: number | null = null;

  /** @param cleanMs request time of the frame that let the call start clear; null if it started covered. */
  constructor(cleanMs: number | null) {
    this.#cleanMs = cleanMs;
  }

  /** @returns milliseconds of exposure if this verdict hides the video for good; otherwise null. */
  judged({ view, passed, askedMs, nowMs, before, after }: Judged): number | null {
    const isClear = after.kind === "watched" && after.phase.kind === "clear";
    if (isClear) {
      if (view === "own" && passed) this.#cleanMs = askedMs;
      this.#doubtedMs = null;
      return null;
    }
    const wasClear = before.kind === "watched" && before.phase.kind === "clear";
    const exposedMs = wasClear && this.#cleanMs !== null ? nowMs - this.#cleanMs : this.#doubtedMs;
    if (after.kind === "watched") {
      if (after.phase.kind === "checking") return null;
      this.#doubtedMs = after.phase.kind === "unsure" && !after.phase.isConfirmed ? exposedMs : null;
      return this.#doubtedMs === null ? exposedMs : null;
    }
    this.#doubtedMs = null;
    return exposedMs;
  }
}

export interface StoredFrame {
  readonly view: View;
  readonly atMs: number;
  readonly bytes: Buffer;
  readonly verdict: FrameVerdict;
}

/** Oldest first. */
type FrameBuffer = StoredFrame[];

const picturesPerRing = 3;

/** The last frames of all rooms, up to a number of bytes. The oldest of all rooms is dropped first (rule SAFE-26). */
export class FrameMemory {
  readonly #bytesMax: number;
  /** By frame, oldest first: the buffer that contains it. */
  readonly #rings = new Map<StoredFrame, FrameBuffer>();
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get bytes(): number {
    return this.#bytes;
  }

  keep(ring: FrameBuffer, picture: StoredFrame): void {
    ring.push(picture);
    this.#rings.set(picture, ring);
    this.#bytes += picture.bytes.length;
    if (ring.length > picturesPerRing) this.#drop(ring[0]);
    while (this.#bytes > this.#bytesMax) {
      const [oldest] = this.#rings.keys();
      this.#drop(oldest);
    }
  }

  forget(ring: FrameBuffer): void {
    while (ring.length > 0) this.#drop(ring[0]);
  }

  #drop(picture: StoredFrame | undefined): void {
    const ring = picture && this.#rings.get(picture);
    if (!ring) return;
    ring.splice(ring.indexOf(picture), 1);
    this.#rings.delete(picture);
    this.#bytes -= picture.bytes.length;
  }
}
