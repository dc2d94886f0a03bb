import type { resettable } from "@fava/wire/moderation.ts";

/** What of a profile a moderator can take back. */
export type Field = (typeof resettable)[number];

/** A nickname cannot be empty: the number takes its place until the person chooses another, which they may at once. */
export function emptied({ user_no }: { user_no: string }, field: Exclude<Field, "avatar">) {
  switch (field) {
    case "nickname":
      return { nickname: user_no, nickname_changed_at: null };
    case "birthday":
      return { birthday: null };
    case "sex":
      return { sex: 0 };
    case "about":
      return { about: "" };
    case "location":
      return { location: "" };
  }
}
