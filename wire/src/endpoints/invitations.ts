import * as v from "valibot";
import { endpoint } from "../endpoint.ts";
import { formText, formUserId } from "../form.ts";
import { identifierLengthMax } from "../limits.ts";
import { personSchema } from "../people.ts";

const invitationSchema = v.object({
  id: v.string(),
  /** When the link ends, milliseconds since the epoch. */
  until: v.number(),
  /** The first user who opened the link, whom its maker may ring; null: none yet. */
  opener: v.nullable(personSchema),
});
export type Invitation = v.InferOutput<typeof invitationSchema>;

export const invite = endpoint({
  path: "/api/invite/make",
  summary: "Make a link to a direct call: for the first user who opens it within 24 hours; at most three at a time",
  access: "complete",
  input: { user_id: formUserId },
  /** `token` is part of the link; the server stores only its hash. */
  output: v.object({ id: v.string(), token: v.string(), until: v.number() }),
});

export const inviteList = endpoint({
  path: "/api/invite/list",
  summary: "The user's valid invitations, newest first, with the users who opened them",
  access: "user",
  isRead: true,
  input: { user_id: formUserId },
  output: v.object({ rows: v.array(invitationSchema) }),
});

export const inviteTakeBack = endpoint({
  path: "/api/invite/takeBack",
  summary: "Take an invitation back, or decline the user who opened it; idempotent",
  access: "user",
  input: { user_id: formUserId, id: formText(1, identifierLengthMax) },
  output: v.object({}),
});

export const inviteOpen = endpoint({
  path: "/api/invite/open",
  summary: "Open an invitation: tells its maker who did, whom the maker can then ring; idempotent",
  access: "complete",
  input: { user_id: formUserId, token: formText(1, identifierLengthMax) },
  output: v.variant("state", [
    v.object({
      state: v.literal("waiting"),
      id: v.string(),
      until: v.number(),
      maker: v.object({ nickname: v.string(), avatar: v.string() }),
    }),
    v.object({ state: v.literal("own") }),
    /** Unknown, expired, taken back, declined, opened by another user, or its maker cannot call this user. */
    v.object({ state: v.literal("gone") }),
  ]),
});
