import { type ReactNode, useEffect, useState } from "react";
import { adminPerson, adminQuickForbid } from "@fava/wire/endpoints/desk.ts";
import type { DeskPerson } from "@fava/wire/moderation.ts";
import type { OwnUser } from "@fava/wire/people.ts";
import { goTo } from "#lib/address.ts";
import { call } from "#lib/api/call.ts";
import { isolate } from "#lib/format.ts";
import { t, useT } from "#lib/i18n.ts";
import { Button } from "#ui/Button.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { showToast } from "#ui/toast-store.ts";
import type { Verdict } from "./case-machine.ts";
import { tellDeskFailure } from "./desk-format.ts";
import { refreshDeskInfo } from "./desk-info.ts";
import { ForbidSheet } from "./ForbidSheet.tsx";
import { LabelSheet } from "./LabelSheet.tsx";
import { NoteSheet } from "./NoteSheet.tsx";
import { PersonPanel } from "./PersonPanel.tsx";
import { usePersonTools } from "./use-person-tools.ts";

/** A person that was found: all that the desk knows, its tools, and to forbid without a case that waits. */
export function FoundPerson(props: { personId: number; user: OwnUser; onClose: () => void }): ReactNode {
  const translate = useT();
  const { personId, user } = props;
  const [person, setPerson] = useState<DeskPerson | null>(null);
  const [dialog, setDialog] = useState<"forbid" | "label" | "note" | null>(null);
  const tools = usePersonTools(user, personId, setPerson);
  const close = () => setDialog(null);
  const { onClose } = props;

  useEffect(() => {
    const ended = new AbortController();
    const about = { user_id: user.user_id, other_id: personId };
    call(adminPerson, about, { signal: ended.signal }).then(setPerson, (error: unknown) => {
      if (ended.signal.aborted) return;
      tellDeskFailure(error);
      onClose();
    });
    return () => ended.abort();
  }, [user.user_id, personId, onClose]);

  // Nobody acts on themself; what is known of a colleague does not come to a moderator.
  const mayForbid = person !== null && personId !== user.user_id;

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
        <ForbidSheet
          subject={{ person, about: null }}
          live={false}
          onForbid={(verdict) => void forbid({ user, person, verdict, onDone: onClose })}
          onClose={close}
        />
      )}
    </>
  );
}

async function forbid(options: {
  user: OwnUser;
  person: DeskPerson;
  verdict: Extract<Verdict, { operation: 4 }>;
  onDone: () => void;
}): Promise<void> {
  const { user, person, verdict, onDone } = options;
  const { hours, reasonId, note } = verdict;
  try {
    const about = { user_id: user.user_id, other_id: person.user_id };
    const { state } = await call(adminQuickForbid, { ...about, hours, reason_id: reasonId, note });
    const name = isolate(person.nickname);
    showToast({ type: "success", text: t(state === "second" ? "desk.did.second" : "desk.done.forbid", { name }) });
    refreshDeskInfo();
    onDone();
  } catch (error) {
    tellDeskFailure(error);
  }
}
