import { useMutation } from "@tanstack/react-query";
import {
  adminImageDelete,
  adminImagesDelete,
  adminLabeling,
  adminNote,
  adminPerson,
  adminReset,
  adminSameIpOperate,
  adminSetRole,
} from "@fava/wire/endpoints/desk.ts";
import type { DeskFace, DeskPerson, labelIds, nudityReasonId, resettable } from "@fava/wire/moderation.ts";
import type { OwnUser } from "@fava/wire/people.ts";
import { request } from "#lib/api/request.ts";
import { t, type Key } from "#lib/i18n.ts";
import { queryClient } from "#lib/query.ts";
import { showToast } from "#ui/toast-store.ts";
import { showDeskFailure } from "./desk-format.ts";

export type ResetField = (typeof resettable)[number];
type LabelId = (typeof labelIds)[number];

/** What a moderator can do with a person beside deciding; each action loads the person again and shows its success. */
export interface PersonTools {
  readonly isBusy: boolean;
  /** The role of the moderator. */
  readonly role: number;
  readonly label: (id: LabelId, on: boolean) => void;
  readonly note: (text: string) => Promise<boolean>;
  readonly reset: (field: ResetField) => void;
  /** Deletes an image. With nudity as the reason, no user can upload the same image again. */
  readonly deleteImage: (id: string, reason?: typeof nudityReasonId) => void;
  readonly deleteImages: (reason?: typeof nudityReasonId) => void;
  readonly setRole: (role: 0 | 2 | 3) => void;
  /** Judges a possibly linked account. 1: the accounts are unrelated; 2: opens a case about the other account. */
  readonly judgeLink: (other: DeskFace, operation: 1 | 2) => void;
}

/** The tools for one person. `onChanged` receives the person after each change. */
export function usePersonTools(
  user: OwnUser,
  personId: number | null,
  onChanged: (person: DeskPerson) => void,
): PersonTools {
  const about = { user_id: user.user_id, other_id: personId ?? 0 };
  const { isPending: isBusy, mutateAsync } = useMutation(
    {
      mutationFn: async ({ run, done }: { run: () => Promise<unknown>; done: Key }) => {
        await run();
        showToast({ type: "success", text: t(done) });
        return request(adminPerson, about);
      },
      onSuccess: onChanged,
    },
    queryClient,
  );

  /** Runs one change; resolves to whether the server accepted it. */
  async function change(run: () => Promise<unknown>, done: Key): Promise<boolean> {
    if (personId === null || isBusy) return false;
    try {
      await mutateAsync({ run, done });
      return true;
    } catch (error) {
      showDeskFailure(error);
      return false;
    }
  }

  return {
    isBusy,
    role: user.role,
    label: (id, on) => {
      void change(
        () => request(adminLabeling, { ...about, label_id: id, on: on ? 1 : 0 }),
        on ? "desk.done.label" : "desk.done.unlabel",
      );
    },
    note: (text) => change(() => request(adminNote, { ...about, text }), "desk.done.note"),
    reset: (field) => void change(() => request(adminReset, { ...about, field }), "desk.done.reset"),
    deleteImage: (id, reason) => {
      void change(() => request(adminImageDelete, { ...about, id, ...reasonOf(reason) }), "desk.done.image");
    },
    deleteImages: (reason) => {
      void change(() => request(adminImagesDelete, { ...about, ...reasonOf(reason) }), "desk.done.images");
    },
    setRole: (role) => void change(() => request(adminSetRole, { ...about, role }), "desk.done.role"),
    judgeLink: (other, operation) => {
      void change(
        () => request(adminSameIpOperate, { ...about, linked_id: other.user_id, operation }),
        operation === 1 ? "desk.done.unrelated" : "desk.done.linked",
      );
    },
  };
}

function reasonOf(reason: typeof nudityReasonId | undefined): { reason_id?: typeof nudityReasonId } {
  return reason === undefined ? {} : { reason_id: reason };
}
