import { X } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { Button } from "#ui/Button.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { Composer } from "./Composer.tsx";
import { discard, setWatched, useMessages, wantThread } from "./messages.ts";
import type { Thread, Unsent } from "./messages-state.ts";
import { RequestAsk } from "./RequestAsk.tsx";
import { ThreadHead } from "./ThreadHead.tsx";
import { ThreadLog } from "./ThreadLog.tsx";
import { canWrite, whyClosed } from "./why-closed.ts";
import footStyles from "./ThreadFoot.module.css";
import styles from "./ThreadView.module.css";

const nothingUnsent: readonly Unsent[] = [];

/** One conversation: with whom, what was said, and what can be said now. */
export function ThreadView(props: { thread: Thread; onClose: () => void; onAnswered: () => void }): ReactNode {
  const { thread, onClose } = props;
  const { externalId, conversation } = thread;
  const t = useT();
  const name = isolate(conversation?.userProfile.nick ?? "");
  const unsent = useMessages((state) => state.unsent.get(externalId) ?? nothingUnsent);
  const composer = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState("");
  const isTyping = useMessages((state) => state.typing.has(externalId));
  useWatching();
  const closed = conversation && thread.isKnown ? whyClosed(conversation) : null;
  return (
    <section className={styles.thread} aria-label={name}>
      <ThreadHead thread={thread} onClose={onClose} />
      {thread.isKnown || thread.messages.length > 0 || unsent.length > 0 ? (
        <ThreadLog
          thread={thread}
          unsent={unsent}
          isTyping={isTyping}
          onEdit={(failed) => {
            discard(externalId, failed.clientId);
            setText(failed.text);
            composer.current?.focus();
          }}
        />
      ) : (
        <NotYet hasFailed={thread.failed === "first"} />
      )}
      {conversation?.state === "request_in" && <RequestAsk thread={thread} onAnswered={props.onAnswered} />}
      {closed && (
        <p className={footStyles.closed} role="note">
          {t(closed, { name })}
        </p>
      )}
      {conversation && canWrite(conversation) && (
        <Composer
          // Who has chosen somebody to write to wants to write.
          key={externalId}
          field={composer}
          conversation={conversation}
          text={text}
          onText={setText}
        />
      )}
    </section>
  );
}

/** The place of a thread on a desk, while none is chosen; `children` in place of the word that one can be. */
export function NoThread({ onClose, children }: { onClose: () => void; children?: ReactNode }): ReactNode {
  const t = useT();
  return (
    <section className={styles.thread} aria-label={t("msg.choose")}>
      <div className={styles.none}>
        <IconButton
          className={styles.corner}
          label={t("msg.close")}
          icon={<X size={22} aria-hidden="true" />}
          onClick={onClose}
        />
        {children ?? <p>{t("msg.choose")}</p>}
      </div>
    </section>
  );
}

function NotYet({ hasFailed }: { hasFailed: boolean }): ReactNode {
  const t = useT();
  if (hasFailed) {
    return (
      <div className={styles.none} role="alert">
        <p>{t("msg.loadFailed")}</p>
        <Button kind="outline" size="small" onClick={wantThread}>
          {t("common.retry")}
        </Button>
      </div>
    );
  }
  return (
    <div className={styles.notYet} role="status">
      <VisuallyHidden>{t("msg.loading")}</VisuallyHidden>
      <Skeleton width="40%" height="42px" />
      <Skeleton width="62%" height="42px" />
    </div>
  );
}

/** Nothing is read while nobody looks at the page. */
function useWatching(): void {
  useEffect(() => () => setWatched(false), []);
}
