import { HeartHandshake } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { type KindWord, kindWords } from "@fava/wire/people.ts";
import { isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import styles from "#ui/KindWordOffer.module.css";

/** Offers to leave the partner of a call one of four kind words. `word`: the one that the user has left. */
export function KindWordOffer(props: {
  place: "stage" | "home";
  nickname: string;
  word: KindWord | null;
  onSend: (word: KindWord) => void;
}): ReactNode {
  const t = useT();
  const { nickname, word: sent } = props;
  const [isOpen, setOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The pressed button is gone. Without this the focus would return to the start of the page.
    if (isOpen && document.activeElement === document.body)
      place.current?.querySelector<HTMLElement>("button, p")?.focus({ preventScroll: true });
  }, [isOpen, sent]);
  const name = isolate(nickname);
  const title = t("kind.offer", { name });
  return (
    <div ref={place} className={styles.offer} data-place={props.place}>
      {sent !== null ? (
        <p tabIndex={-1}>{t("kind.done", { name })}</p>
      ) : isOpen ? (
        <div className={styles.words} role="group" aria-label={title}>
          {kindWords.map((word) => (
            <button key={word} type="button" onClick={() => props.onSend(word)}>
              {t(`kind.${word}`)}
            </button>
          ))}
        </div>
      ) : (
        <button type="button" className={styles.open} onClick={() => setOpen(true)}>
          <HeartHandshake size={18} aria-hidden="true" />
          {title}
        </button>
      )}
    </div>
  );
}
