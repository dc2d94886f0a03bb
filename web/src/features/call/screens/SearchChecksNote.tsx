import { ScanEye } from "lucide-react";
import { type MouseEvent, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from "react";
import { useCallRuntime } from "#features/call/machine/runtime-context.ts";
import { areSearchChecksTold, noteReadMs } from "#features/call/machine/search-media.ts";
import { announce } from "#lib/announce.ts";
import { useT } from "#lib/i18n.ts";
import { useOverlays } from "#lib/overlays.ts";
import { readStored } from "#lib/storage.ts";
import { usePageVisible } from "#lib/use-page-visible.ts";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import styles from "./SearchChecksNote.module.css";

/** How much of the note the signed-in user has seen so far: a search may end before the note was read. */
let seen = { loginToken: "", inViewMs: 0, isSaid: false };

/**
 * On the search screen, once: frames are inspected during a search, and why. The user counts as told after Got it, or
 * after `noteReadMs` in view. The note stays until the press, the end of the search, or the offer of a wider search,
 * and returns with the next search while unread.
 *
 * @param isCrowded the screen offers a wider search
 * @param children what takes the note's place
 */
export function SearchChecksNote(props: { isCrowded: boolean; children: ReactNode }): ReactNode {
  const [isOpen, setOpen] = useState(() => !areSearchChecksTold());
  return isOpen && !props.isCrowded ? <OpenNote onClose={() => setOpen(false)} /> : props.children;
}

function OpenNote({ onClose }: { onClose: () => void }): ReactNode {
  const t = useT();
  const { searchChecksTold } = useCallRuntime();
  const titleId = useId();
  const note = useRef<HTMLElement>(null);
  const [title, text] = [t("search.checks"), t("search.checksText")];
  useEffect(() => {
    const loginToken = readStored("loginToken") ?? "";
    if (seen.loginToken !== loginToken) seen = { loginToken, inViewMs: 0, isSaid: false };
    if (seen.isSaid) return;
    seen.isSaid = true;
    announce(`${title}. ${text}`);
  }, [title, text]);
  useReading(note);
  function gotIt({ currentTarget }: MouseEvent): void {
    // The focus would be lost with the note.
    currentTarget.closest("main")?.focus({ preventScroll: true });
    searchChecksTold();
    onClose();
  }
  return (
    <section ref={note} className={styles.note} aria-labelledby={titleId}>
      <ScanEye size={22} aria-hidden="true" />
      <p>
        <b id={titleId}>{title}</b>
        <span>
          {text}{" "}
          <a href="/privacyPolicy#checks" target="_blank" rel="noopener">
            {t("menu.privacy")}
            <VisuallyHidden>({t("common.newWindow")})</VisuallyHidden>
          </a>
        </span>
      </p>
      <button type="button" onClick={gotIt}>
        {t("rules.ok")}
      </button>
    </section>
  );
}

/** Adds up the time for which the note can be read, and reports when it suffices. */
function useReading(note: RefObject<HTMLElement | null>): void {
  const [isInView, setInView] = useState(false);
  const { searchChecksTold } = useCallRuntime();
  const isPageVisible = usePageVisible();
  const isCovered = useOverlays().length > 0;
  useEffect(() => {
    const { current } = note;
    if (!current) return undefined;
    const observer = new IntersectionObserver(
      (entries) => setInView(entries.at(-1)?.isIntersecting === true),
      // Nearly all of it: no browser reports exactly 1 for a whole box.
      { threshold: 0.95 },
    );
    observer.observe(current);
    return () => observer.disconnect();
  }, [note]);
  const isRead = isInView && isPageVisible && !isCovered;
  useEffect(() => {
    if (!isRead) return undefined;
    const sinceMs = performance.now();
    const timer = setTimeout(searchChecksTold, Math.max(0, noteReadMs - seen.inViewMs));
    return () => {
      clearTimeout(timer);
      seen.inViewMs += performance.now() - sinceMs;
    };
  }, [isRead, searchChecksTold]);
}
