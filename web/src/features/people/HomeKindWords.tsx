import { type ReactNode, useEffect, useState } from "react";
import { useCallShown } from "#lib/call-shown.ts";
import { isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { KindWordOffer } from "#ui/KindWordOffer.tsx";
import type { KindWordFrom } from "./home-people.ts";
import { markKindWordsRead, sendKindWord, useKindWordOffer } from "./kind-words.ts";
import { useRelations } from "./relations.ts";
import styles from "./HomePeople.module.css";

/**
 * The kind words that partners of earlier calls left for the user, and the offer to leave one. Words stay until the user
 * leaves the home screen, although the next response no longer has them.
 */
export function HomeKindWords({ unread }: { unread: readonly KindWordFrom[] | undefined }): ReactNode {
  const t = useT();
  const relations = useRelations();
  const isUnderCall = useCallShown();
  const offer = useKindWordOffer();
  const hasOffer = offer !== null && !isUnderCall;
  const [seen, setSeen] = useState<readonly KindWordFrom[]>();
  if (unread && unread !== seen && !isUnderCall) setSeen(unread);
  useEffect(() => {
    if (seen) void markKindWordsRead();
  }, [seen]);
  const shown = (seen ?? []).filter(({ person }) => !relations.get(person.user_id)?.hidden);
  if (shown.length === 0 && !hasOffer) return null;
  return (
    <div className={styles.words}>
      {shown.map(({ person, word }) => (
        <p key={person.user_id}>{t("kind.home", { name: isolate(person.nickname), word: t(`kind.${word}`) })}</p>
      ))}
      {hasOffer && (
        <KindWordOffer key={offer.callId} {...offer} place="home" onSend={(word) => void sendKindWord(word)} />
      )}
    </div>
  );
}
