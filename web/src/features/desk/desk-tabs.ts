import type { Key } from "#lib/i18n.ts";
import type { DeskInfo } from "./desk-info.ts";

export type DeskTab = "reports" | "avatars" | "photos" | "appeals" | "figures";

interface TabPlace {
  readonly id: DeskTab;
  readonly path: string;
  readonly text: Key;
  /** How many wait there; null where nothing waits. */
  readonly waiting: ((info: DeskInfo) => number) | null;
}

/** The tabs of the desk in their order. */
export const deskTabs: readonly TabPlace[] = [
  { id: "reports", path: "/reportReview", text: "desk.tab.reports", waiting: ({ reports }) => reports },
  { id: "avatars", path: "/avatarAudit", text: "desk.tab.avatars", waiting: ({ avatars }) => avatars },
  { id: "photos", path: "/photoReview", text: "desk.tab.photos", waiting: ({ photos }) => photos },
  { id: "appeals", path: "/reportReview/appeals", text: "desk.tab.appeals", waiting: ({ appeals }) => appeals },
  { id: "figures", path: "/reportReview/figures", text: "desk.tab.figures", waiting: null },
];
