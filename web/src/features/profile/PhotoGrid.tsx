import { ChevronLeft, ChevronRight, Plus, X } from "lucide-react";
import { type PointerEvent, type ReactNode, type Ref, useEffect, useId, useRef, useState } from "react";
import type { OwnImage } from "@fava/wire/images.ts";
import { photosMax } from "@fava/wire/limits.ts";
import { formatSize } from "#lib/format-units.ts";
import { formatNumber } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { FileButton } from "./FileButton.tsx";
import { UploadRing } from "./UploadRing.tsx";
import { photoFileBytesMax } from "./photo-file.ts";
import type { Photos } from "./use-photos.ts";
import { refusalReason, uploadProblemText } from "./use-upload.ts";
import styles from "./Photos.module.css";

/** The photos with their review state, ordered by drag or by their buttons. */
export function PhotoGrid({ photos: own }: { photos: Photos }): ReactNode {
  const t = useT();
  const id = useId();
  const { photos, upload } = own;
  const drag = usePhotoDrag(own);
  const [moved, setMoved] = useState("");
  const move = (photo: OwnImage, to: number) => {
    own.move(photo.id, to);
    setMoved(t("photo.moved", { n: formatNumber(to + 1), count: formatNumber(photos.length) }));
  };
  return (
    <section className={styles.part} aria-labelledby={id}>
      <span className={styles.head}>
        <h3 id={id}>{t("profile.photos")}</h3>
        <small>{t("profile.photosCount", { count: formatNumber(photos.length), max: formatNumber(photosMax) })}</small>
      </span>
      <ul className={styles.photos} {...drag.handlers}>
        {photos.map((photo, index) => (
          <PhotoTile
            key={photo.id}
            photo={photo}
            index={index}
            last={photos.length - 1}
            isDragged={drag.dragged === photo.id}
            onMove={(to) => move(photo, to)}
            onRemove={() => own.remove(photo.id)}
          />
        ))}
        {photos.length < photosMax && (
          <li>
            <AddTile photos={own} />
          </li>
        )}
      </ul>
      <VisuallyHidden>
        <span role="status">{moved}</span>
      </VisuallyHidden>
      <Remarks photos={photos} />
      <p className={styles.hint} data-wrong={upload.status === "failed" || own.failed ? "" : undefined} role="status">
        {upload.status === "failed"
          ? uploadProblemText(t, upload.problem)
          : own.failed
            ? t("photo.changeFailed")
            : t("photo.hint", { size: formatSize(photoFileBytesMax) })}
      </p>
    </section>
  );
}

interface TileProps {
  photo: OwnImage;
  index: number;
  last: number;
  isDragged: boolean;
  onMove: (to: number) => void;
  onRemove: () => void;
}

function PhotoTile({ photo, index, last, isDragged, onMove, onRemove }: TileProps): ReactNode {
  const t = useT();
  const n = formatNumber(index + 1);
  const { earlier, later, refocus } = useMoveFocus(index);
  return (
    <li data-photo={photo.id} data-dragged={isDragged || undefined}>
      <img src={photo.thumb} alt={t("photo.name", { n })} draggable={false} />
      {photo.status !== "approved" && (
        <em data-refused={photo.status === "refused" || undefined}>
          {t(photo.status === "refused" ? "photo.refused" : "photo.waiting")}
        </em>
      )}
      <TileButton label={t("photo.remove", { n })} place="remove" onClick={onRemove} icon={<X size={16} />} />
      {index > 0 && (
        <TileButton
          ref={earlier}
          label={t("photo.earlier", { n })}
          place="earlier"
          onClick={() => {
            refocus("earlier");
            onMove(index - 1);
          }}
          icon={<ChevronLeft size={16} className="flip" />}
        />
      )}
      {index < last && (
        <TileButton
          ref={later}
          label={t("photo.later", { n })}
          place="later"
          onClick={() => {
            refocus("later");
            onMove(index + 1);
          }}
          icon={<ChevronRight size={16} className="flip" />}
        />
      )}
    </li>
  );
}

/** Keeps the focus on the pressed button when its photo moves; at an end the other button gets it. */
function useMoveFocus(index: number) {
  const earlier = useRef<HTMLButtonElement>(null);
  const later = useRef<HTMLButtonElement>(null);
  const pressed = useRef<"earlier" | "later">(null);
  useEffect(() => {
    const button =
      pressed.current === "earlier" ? (earlier.current ?? later.current) : (later.current ?? earlier.current);
    if (pressed.current) button?.focus();
    pressed.current = null;
  }, [index]);
  return { earlier, later, refocus: (which: "earlier" | "later") => (pressed.current = which) };
}

function TileButton({
  ref,
  label,
  place,
  icon,
  onClick,
}: {
  ref?: Ref<HTMLButtonElement>;
  label: string;
  place: "remove" | "earlier" | "later";
  icon: ReactNode;
  onClick: () => void;
}): ReactNode {
  return (
    <button
      ref={ref}
      type="button"
      className={styles.tool}
      data-place={place}
      aria-label={label}
      title={label}
      onClick={onClick}
    >
      <span aria-hidden="true">{icon}</span>
    </button>
  );
}

function AddTile({ photos }: { photos: Photos }): ReactNode {
  const t = useT();
  const { upload } = photos;
  if (upload.status === "sending") {
    return (
      <div className={styles.sending}>
        <UploadRing percent={upload.percent} label={t("photo.uploading")} />
        <TileButton label={t("profile.stop")} place="remove" onClick={photos.stop} icon={<X size={16} />} />
      </div>
    );
  }
  return (
    <FileButton className={styles.add ?? ""} label={t("photo.addLong")} onFile={photos.add}>
      <Plus size={22} aria-hidden="true" />
      {t("photo.add")}
    </FileButton>
  );
}

/** Why photos were rejected, as text below the grid, because a tile has no space for it. */
function Remarks({ photos }: { photos: readonly OwnImage[] }): ReactNode {
  const t = useT();
  return photos.map((photo, index) =>
    photo.status === "refused" ? (
      <p key={photo.id} className={styles.hint} data-wrong="">
        {t("photo.refusedWhy", { n: formatNumber(index + 1), reason: refusalReason(t, photo) })}
      </p>
    ) : null,
  );
}

/** A press on a photo: its start, and the place that it has reached. */
interface Press {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  to: number | null;
  moving: boolean;
}

/** A press that moves less than this is no drag. */
const dragStartPx = 8;

/**
 * Drags a photo over another one to take its place; vertical movement scrolls the page on a touch screen. The list
 * handles the pointer, because the photos move during the drag.
 */
function usePhotoDrag(photos: Photos) {
  const [dragged, setDragged] = useState<string | null>(null);
  const press = useRef<Press>(null);

  function move(event: PointerEvent): void {
    const now = press.current;
    if (!now) return;
    if (!now.moving && Math.hypot(event.clientX - now.x, event.clientY - now.y) < dragStartPx) return;
    now.moving = true;
    setDragged(now.id);
    const over = photoAt(document.elementFromPoint(event.clientX, event.clientY));
    const to = photos.photos.findIndex((photo) => photo.id === over);
    if (to < 0 || over === now.id) return;
    now.to = to;
    photos.show({ id: now.id, to });
  }

  function end(): Press | null {
    const ended = press.current;
    press.current = null;
    setDragged(null);
    return ended;
  }

  return {
    dragged,
    handlers: {
      onPointerDown(event: PointerEvent) {
        const id = event.target instanceof HTMLImageElement ? photoAt(event.target) : null;
        if (id === null || event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        press.current = { id, x: event.clientX, y: event.clientY, to: null, moving: false };
      },
      onPointerMove: move,
      onPointerUp() {
        const ended = end();
        if (ended && ended.to !== null) photos.move(ended.id, ended.to);
      },
      onPointerCancel() {
        end();
        photos.show(null);
      },
    },
  };
}

function photoAt(element: Element | null): string | null {
  return element?.closest<HTMLElement>("[data-photo]")?.dataset["photo"] ?? null;
}
