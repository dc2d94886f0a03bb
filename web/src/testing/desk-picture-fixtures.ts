import type { OutputOf } from "@fava/wire/endpoint.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import { deskFace } from "#testing/desk-case-fixtures.ts";
import { claimOf } from "#testing/desk-makers.ts";
import type { Answers } from "#testing/fixture-world.ts";

export type PictureQueue = OutputOf<Endpoints["adminImageList"]>;
type PictureRow = PictureQueue["rows"][number];

const minuteMs = 60_000;
const dayMs = 1_440 * minuteMs;
const colours = ["#5b7fb5", "#8a5a44", "#4d7a52", "#b08a3e", "#7b5a8c", "#3f7f86", "#a65561", "#596275"] as const;
const whys = ["random", "contact", "random", "unsure", "reported", "random", "unsure", "like_removed", "new"] as const;

/** The address of a drawn person as a data URL, so that no server is needed. */
export function drawnPicture(index: number): string {
  const colour = colours[index % colours.length] ?? colours[0];
  const drawn = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400" viewBox="0 0 40 40"><rect width="40" height="40" fill="${colour}"/><circle cx="20" cy="16" r="8" fill="#e7c4a3"/><path d="M4 40c0-11 7-15 16-15s16 4 16 15z" fill="#2d342e"/></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(drawn)}`;
}

/** A waiting image; every ninth one has the same reason. */
export function pictureRow(index: number, nowMs: number, change: Partial<PictureRow> = {}): PictureRow {
  const { user_id, user_no, nickname } = deskFace(index);
  const why = whys[index % whys.length] ?? "new";
  return {
    id: `picture-${index}`,
    user_id,
    user_no,
    nickname,
    url: drawnPicture(index),
    thumb: drawnPicture(index),
    status: "pending",
    reason_id: null,
    at: nowMs - index * minuteMs,
    joined_at: nowMs - 40 * dayMs,
    why,
    explicit: why === "unsure" ? 0.52 : null,
    earlier: { approved: 2, rejected: 0 },
    claim: null,
    ...change,
  };
}

/** Eighteen images of all kinds, one of them claimed by Vera, with more to load. */
export function pictureQueue(nowMs: number): PictureQueue {
  const rows = Array.from({ length: 18 }, (_, index) =>
    pictureRow(index, nowMs, { claim: index === 8 ? claimOf("Vera", nowMs + 9.7 * minuteMs) : null }),
  );
  return { rows, next: "more", waiting: 32, oldest_at: nowMs - 9 * minuteMs };
}

export const noPictures: PictureQueue = { rows: [], next: null, waiting: 0, oldest_at: null };

/** Responses with waiting avatars, and without waiting photos. */
export function deskPictureAnswers(nowMs: number): Answers {
  return {
    adminAvatarList: pictureQueue(nowMs),
    adminAvatarOperate: {},
    adminImageList: noPictures,
    adminImageOperate: {},
  };
}
