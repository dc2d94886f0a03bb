import type { CaseDetail } from "@fava/wire/moderation.ts";
import { hashDistance } from "#picture-hash.ts";
import type { EvidenceRow } from "./evidence-store.ts";

type Moment = CaseDetail["moments"][number];

/** Both ends draw the picture of one moment within a second of each other. */
const togetherMs = 1_000;
const phashShape = /^[0-9a-f]{16}$/;
/** Pictures that have nothing to do with each other differ in about half of the 64 bits. */
const unrelatedBits = 32;

interface Frame {
  readonly publicId: string;
  readonly atMs: number;
  readonly phash: string | null;
  readonly explicit: number | null;
}

/** Pictures of a case by moment: the own one beside what the other received then (rule CASE-43). */
export function momentsOf(rows: readonly EvidenceRow[]): Moment[] {
  const frames = (view: "own" | "received") =>
    rows.filter((row) => row.kind === "frame" && row.view === view && row.blob_key !== null).map(frameOf);
  const received = frames("received");
  const moments = frames("own").map((own) => momentOf(own, takeNearest(received, own.atMs)));
  for (const other of received) moments.push(momentOf(null, other));
  return moments.toSorted((one, other) => one.at - other.at);
}

/** 0 to 1: how alike two pictures are; null where a hash is missing. */
export function agreementOf(one: string | null, other: string | null): number | null {
  if (one === null || other === null) return null;
  return Math.max(0, 1 - hashDistance(one, other) / unrelatedBits);
}

function momentOf(own: Frame | null, received: Frame | null): Moment {
  return {
    at: (own ?? received)?.atMs ?? 0,
    own: own?.publicId ?? null,
    received: received?.publicId ?? null,
    explicit: own?.explicit ?? null,
    agreement: own && received ? agreementOf(own.phash, received.phash) : null,
  };
}

function takeNearest(frames: Frame[], atMs: number): Frame | null {
  let nearest = -1;
  for (const [index, frame] of frames.entries()) {
    const distance = Math.abs(frame.atMs - atMs);
    const best = frames[nearest];
    if (distance <= togetherMs && (!best || distance < Math.abs(best.atMs - atMs))) nearest = index;
  }
  return nearest < 0 ? null : (frames.splice(nearest, 1)[0] ?? null);
}

function frameOf({ public_id, at, facts }: EvidenceRow): Frame {
  const { phash, explicit } = JSON.parse(facts) as { phash?: unknown; explicit?: unknown };
  return {
    publicId: public_id,
    atMs: at.getTime(),
    phash: typeof phash === "string" && phashShape.test(phash) ? phash : null,
    explicit: typeof explicit === "number" ? explicit : null,
  };
}
