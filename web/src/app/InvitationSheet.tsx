import { Link2, Link2Off } from "lucide-react";
import { type ReactNode, useCallback, useEffect, useState } from "react";
import { inviteOpen } from "@fava/wire/endpoints/invitations.ts";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import { startSteps } from "#app/start-steps.ts";
import { tellFailure } from "#features/people/relation-actions.ts";
import { onSocial } from "#features/people/social-messages.ts";
import { useInvitationToken } from "#features/rings/invitation-link.ts";
import { request } from "#lib/api/request.ts";
import { isolate } from "#lib/format.ts";
import { type Key, useT } from "#lib/i18n.ts";
import { closeOverlay, openOverlay } from "#lib/overlays.ts";
import { currentUser, useUser } from "#lib/session.ts";
import { minuteMs, useNow } from "#lib/use-now.ts";
import { Avatar } from "#ui/Avatar.tsx";
import { Button } from "#ui/Button.tsx";
import { IconTile } from "#ui/IconTile.tsx";
import { Sheet } from "#ui/Sheet.tsx";

type Opened = OutputOf<typeof inviteOpen>;

/**
 * A link that the page was opened with. The user agrees first, because that tells the maker who they are. Then they
 * wait for the maker's ring, which appears over this dialog.
 */
export function InvitationSheet(): ReactNode {
  const t = useT();
  const isVisitor = useUser() === null;
  const { opened, isPending, open } = useInvitation();
  const waiting = opened?.state === "waiting" ? opened : null;
  const name = waiting && isolate(waiting.maker.nickname);
  const close = () => closeOverlay("invitation");
  const [title, lead] = wordsOf(opened);
  return (
    <Sheet
      centre
      art={
        waiting ? (
          <Avatar src={waiting.maker.avatar} name={waiting.maker.nickname} sizePx={96} />
        ) : (
          <IconTile>{opened?.state === "gone" ? <Link2Off size={28} /> : <Link2 size={28} />}</IconTile>
        )
      }
      title={t(title, { name: name ?? "" })}
      lead={t(lead, { name: name ?? "" })}
      onClose={close}
      foot={
        opened ? (
          <Button kind="ink" onClick={opened.state === "own" ? showOwn : close}>
            {t(opened.state === "own" ? "invite.title" : "common.ok")}
          </Button>
        ) : (
          <Button kind="go" loading={isPending} onClick={() => void open()}>
            {t(isVisitor ? "login.open" : "invite.go")}
          </Button>
        )
      }
    />
  );
}

/** What the server has said about the link, kept up to date; null before the user has agreed. */
function useInvitation() {
  const token = useInvitationToken();
  const [answer, setAnswer] = useState<{ token: string; opened: Opened } | null>(null);
  const [isPending, setPending] = useState(false);
  const nowMs = useNow(minuteMs);
  const ask = useCallback(async () => {
    const user = currentUser();
    if (user) setAnswer({ token, opened: await request(inviteOpen, { user_id: user.user_id, token }) });
  }, [token]);
  async function open(): Promise<void> {
    setPending(true);
    try {
      if ((await startSteps.signIn()) && (await startSteps.completeProfile())) await ask();
    } catch (error) {
      tellFailure(error);
    }
    setPending(false);
  }
  const present = answer?.token === token ? answer.opened : null;
  const waiting = present?.state === "waiting" ? present : null;
  useEffect(() => {
    if (!waiting) return undefined;
    return onSocial({
      frame(frame) {
        if (frame.type === "social" && frame.event.kind === "invite_over" && frame.event.id === waiting.id)
          setAnswer({ token, opened: { state: "gone" } });
      },
      sessionNew: () => void ask().catch(tellFailure),
    });
  }, [waiting, token, ask]);
  const opened: Opened | null = waiting && waiting.until <= nowMs ? { state: "gone" } : present;
  return { opened, isPending, open };
}

function wordsOf(opened: Opened | null): readonly [title: Key, lead: Key] {
  switch (opened?.state) {
    case undefined:
      return ["invite.asked", "invite.askedText"];
    case "waiting":
      return ["invite.waiting", "invite.waitingText"];
    case "own":
      return ["invite.own", "invite.ownText"];
    case "gone":
      return ["invite.gone", "invite.goneText"];
  }
}

function showOwn(): void {
  closeOverlay("invitation");
  void openOverlay("invite");
}
