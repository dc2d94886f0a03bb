import { type ReactNode, useEffect, useState } from "react";
import { adminPerson, adminQuickForbid } from "@fava/wire/endpoints/desk.ts";
import type { DeskPerson } from "@fava/wire/moderation.ts";
import type { OwnUser } from "@fava/wire/people.ts";
import { goTo } from "#lib/address.ts";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { request } from "#lib/api/request.ts";
import { isolate } from "#lib/format.ts";
import { t, useT } from "#lib/i18n.ts";
import { endpointQuery, queryClient, useEndpointQuery } from "#lib/query.ts";
import { Button } from "#ui/Button.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { showToast } from "#ui/toast-store.ts";
import { BanSheet } from "./BanSheet.tsx";
import { ConfirmSheet } from "./PersonMenu.tsx";
import { PersonPanel } from "./PersonPanel.tsx";
import type { Verdict } from "./cases.ts";
import { showDeskFailure } from "./desk-format.ts";
import { refreshDeskInfo } from "./desk-info.ts";
import { requestOptions, useFailureToast } from "./desk-query.ts";
import { LabelSheet, NoteSheet } from "./sheets.tsx";
import { usePersonTools } from "./use-person-tools.ts";

type Forbid = Extract<Verdict, { operation: 4 }>;

/** A person found by search: all that the desk knows, its tools, and a ban without an open case. */
export function FoundPerson(props: { personId: number; user: OwnUser; onClose: () => void }): ReactNode {
  const translate = useT();
  const { personId, user, onClose } = props;
  const about = { user_id: user.user_id, other_id: personId };
  const { data: person, error } = useEndpointQuery(adminPerson, about, { requestOptions });
  useFailureToast(error);
  const [dialog, setDialog] = useState<"forbid" | "label" | "note" | null>(null);
  /** A ban that needs a confirmation, because the person is banned already. */
  const [unconfirmed, setUnconfirmed] = useState<Forbid | null>(null);
  const tools = usePersonTools(user, personId, (changed) =>
    queryClient.setQueryData(endpointQuery(adminPerson, about).queryKey, changed),
  );
  const close = () => setDialog(null);
  useEffect(() => {
    if (error) onClose();
  }, [error, onClose]);

  // Moderators cannot act on themselves; the server does not show them colleagues.
  const mayForbid = person && personId !== user.user_id;
  const forbid = async (verdict: Forbid, { nickname }: DeskPerson, again: 0 | 1 = 0) => {
    const { hours, reasonId, note } = verdict;
    try {
      const { state } = await request(adminQuickForbid, { ...about, hours, reason_id: reasonId, note, again });
      const text = t(state === "second" ? "desk.did.second" : "desk.done.forbid", { name: isolate(nickname) });
      showToast({ type: "success", text });
      refreshDeskInfo();
      onClose();
    } catch (error) {
      if (error instanceof RequestFailure && error.reason === "already_banned") setUnconfirmed(verdict);
      else showDeskFailure(error);
    }
  };

  return (
    <>
      <Sheet
        title={person ? isolate(person.nickname) : translate("desk.find.person")}
        direction="end"
        widthPx={420}
        onClose={onClose}
        foot={
          mayForbid ? (
            <Button block onClick={() => setDialog("forbid")}>
              {translate("desk.operation.4")}
            </Button>
          ) : undefined
        }
      >
        {person ? (
          <PersonPanel
            person={person}
            reports={null}
            headless
            tools={tools}
            onLabel={() => setDialog("label")}
            onNote={() => setDialog("note")}
            onOpenCase={(id) => {
              onClose();
              goTo(`/reportReview?case=${encodeURIComponent(id)}`);
            }}
          />
        ) : (
          <Skeleton height="320px" />
        )}
      </Sheet>
      {person && dialog === "label" && <LabelSheet person={person} tools={tools} onClose={close} />}
      {person && dialog === "note" && <NoteSheet person={person} tools={tools} onClose={close} />}
      {person && dialog === "forbid" && (
        <BanSheet person={person} about={null} onForbid={(verdict) => void forbid(verdict, person)} onClose={close} />
      )}
      {person && unconfirmed && (
        <ConfirmSheet
          title={translate("desk.forbid.again", { name: isolate(person.nickname) })}
          lead={translate("desk.refused.banned")}
          yes={translate("desk.forbid.againYes")}
          onYes={() => void forbid(unconfirmed, person, 1)}
          onClose={() => setUnconfirmed(null)}
        />
      )}
    </>
  );
}
