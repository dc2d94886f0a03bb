import { ChevronLeft, ChevronRight } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import type { OtherUser } from "@fava/wire/people.ts";
import { formatNumber } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { IconButton } from "#ui/IconButton.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import styles from "./OtherProfile.module.css";

/** One photo large; the arrow keys go on to the next and back, round at both ends. */
export function PhotoViewer(props: {
  photos: OtherUser["photos"];
  name: string;
  at: number;
  onGo: (at: number) => void;
  onClose: () => void;
}): ReactNode {
  const t = useT();
  const { photos, name, at, onGo } = props;
  const count = photos.length;
  const photo = photos[at];
  const previous = (at - 1 + count) % count;
  const next = (at + 1) % count;
  useEffect(() => {
    // On the window, because the title has the focus when the photos open; captured, because a dialog keeps arrows.
    const pressed = (event: KeyboardEvent) => {
      if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
      event.preventDefault();
      const forwards = document.documentElement.dir === "rtl" ? "ArrowLeft" : "ArrowRight";
      onGo(event.key === forwards ? next : previous);
    };
    window.addEventListener("keydown", pressed, { capture: true });
    return () => window.removeEventListener("keydown", pressed, { capture: true });
  }, [onGo, next, previous]);
  return (
    <Sheet theme="dark" widthPx={920} title={t("other.viewer", { name })} onClose={props.onClose}>
      <div className={styles.viewer}>
        {photo && <img key={photo.id} src={photo.url} alt={t("other.photo", { n: at + 1, name })} />}
        {count > 1 && (
          <p className={styles.steps}>
            <IconButton
              kind="filled"
              label={t("other.previous")}
              icon={<ChevronLeft size={24} className="flip" />}
              onClick={() => onGo(previous)}
            />
            <span role="status">{t("other.of", { n: formatNumber(at + 1), count: formatNumber(count) })}</span>
            <IconButton
              kind="filled"
              label={t("other.next")}
              icon={<ChevronRight size={24} className="flip" />}
              onClick={() => onGo(next)}
            />
          </p>
        )}
      </div>
    </Sheet>
  );
}
