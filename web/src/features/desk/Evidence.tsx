import { EyeOff, ImageOff } from "lucide-react";
import type { ReactNode } from "react";
import { useT } from "#lib/i18n.ts";
import { classNames } from "#ui/class-names.ts";
import { Kbd } from "#ui/Kbd.tsx";
import { formatSecond } from "./desk-format.ts";
import { useDeskSwitches } from "./desk-switches.ts";
import type { Look } from "./use-looks.ts";
import chipStyles from "./PictureChip.module.css";
import styles from "./Evidence.module.css";

/** One picture of the evidence: covered and grey until asked for; nothing of it is loaded before. */
export function Evidence(props: {
  /** Null: this end sent none. */
  id: string | null;
  caption: string;
  atMs: number;
  look: Look | null;
  onToggle: () => void;
}): ReactNode {
  const t = useT();
  const { caption, look, id } = props;
  return (
    <figure className={styles.evidence}>
      <Picture {...(look?.phase === "shown" && { url: look.url })} name={caption} />
      {id === null ? (
        <p className={classNames(chipStyles.chip, styles.none)}>
          <ImageOff size={18} aria-hidden="true" />
          {t("desk.evidence.none")}
        </p>
      ) : (
        <button
          type="button"
          className={classNames(chipStyles.chip, styles.reveal)}
          data-shown={look?.phase === "shown" || undefined}
          aria-keyshortcuts="Space"
          aria-busy={look?.phase === "asked" || undefined}
          aria-label={t(look?.phase === "shown" ? "desk.evidence.hideIt" : "desk.evidence.showIt", { caption })}
          onClick={props.onToggle}
        >
          <EyeOff size={18} aria-hidden="true" />
          {t(wordOf(look))}
          <Kbd>{t("desk.key.space")}</Kbd>
        </button>
      )}
      <figcaption>
        <b>{caption}</b>
        <span>{formatSecond(props.atMs)}</span>
      </figcaption>
    </figure>
  );
}

function wordOf(look: Look | null) {
  if (look?.phase === "shown") return "desk.hide";
  return look?.phase === "failed" ? "desk.evidence.again" : "desk.show";
}

/** The picture itself, or a drawn cover that tells nothing of it. */
export function Picture({ url, name }: { url?: string; name: string }): ReactNode {
  const { grey } = useDeskSwitches();
  if (url === undefined) return <span className={styles.cover} aria-hidden="true" />;
  return <img className={styles.picture} src={url} alt={name} data-grey={grey || undefined} draggable={false} />;
}
