import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { formatPercent } from "#lib/format-units.ts";
import { useT } from "#lib/i18n.ts";
import { Button } from "#ui/Button.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import { type CropFrame, firstFrame, moveBy, rectOf, zoomOf, zoomTo } from "./photo-file.ts";
import styles from "./Profile.module.css";

/** Drawn at twice its size on the screen, for sharp displays. */
const canvasPx = 640;
const keyStep = 0.04;
const zoomStep = 0.08;

/** Crops a square out of an image, by pointer, wheel, keys and slider. */
export function CropSheet(props: {
  picture: ImageBitmap;
  onUse: (frame: CropFrame) => void;
  onClose: () => void;
}): ReactNode {
  const t = useT();
  const { picture } = props;
  const [frame, setFrame] = useState(() => firstFrame(picture));
  const id = useId();
  const zoom = zoomOf(picture, frame);
  return (
    <Sheet
      widthPx={420}
      title={t("crop.title")}
      lead={t("crop.lead")}
      onClose={props.onClose}
      foot={
        <Button kind="ink" block onClick={() => props.onUse(frame)}>
          {t("crop.use")}
        </Button>
      }
    >
      <CropArea picture={picture} frame={frame} onFrame={setFrame} />
      <label className={styles.zoom} htmlFor={id}>
        {t("crop.zoom")}
        <input
          id={id}
          type="range"
          min={0}
          max={100}
          value={Math.round(zoom * 100)}
          aria-valuetext={formatPercent(Math.round((100 * firstFrame(picture).side) / frame.side))}
          onChange={(event) => setFrame(zoomTo(picture, frame, Number(event.target.value) / 100))}
        />
      </label>
    </Sheet>
  );
}

function CropArea(props: {
  picture: ImageBitmap;
  frame: CropFrame;
  onFrame: (change: (frame: CropFrame) => CropFrame) => void;
}): ReactNode {
  const t = useT();
  const { picture, frame, onFrame } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const last = useRef<{ x: number; y: number }>(null);

  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    const { x, y, width, height } = rectOf(frame);
    context?.clearRect(0, 0, canvasPx, canvasPx);
    context?.drawImage(picture, x, y, width, height, 0, 0, canvasPx, canvasPx);
  }, [picture, frame]);

  useEffect(() => {
    const area = canvas.current;
    const turn = (event: WheelEvent) => {
      event.preventDefault();
      onFrame((now) => zoomTo(picture, now, zoomOf(picture, now) - Math.sign(event.deltaY) * zoomStep));
    };
    // React's own listener is passive and could not keep the page from scrolling.
    area?.addEventListener("wheel", turn, { passive: false });
    return () => area?.removeEventListener("wheel", turn);
  }, [picture, onFrame]);

  function drag(event: PointerEvent<HTMLElement>): void {
    const from = last.current;
    if (!from) return;
    last.current = { x: event.clientX, y: event.clientY };
    const { width } = event.currentTarget.getBoundingClientRect();
    const by = { x: (event.clientX - from.x) / width, y: (event.clientY - from.y) / width };
    onFrame((now) => moveBy(picture, now, by));
  }

  function press(event: KeyboardEvent): void {
    const step = keySteps[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    onFrame((now) =>
      "zoom" in step ? zoomTo(picture, now, zoomOf(picture, now) + step.zoom) : moveBy(picture, now, step),
    );
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the picture itself is what moves
    <div
      className={styles.area}
      role="application"
      aria-label={t("crop.area")}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keys move it as the pointer does
      tabIndex={0}
      onKeyDown={press}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        last.current = { x: event.clientX, y: event.clientY };
      }}
      onPointerMove={drag}
      onPointerUp={() => (last.current = null)}
      onPointerCancel={() => (last.current = null)}
    >
      <canvas ref={canvas} width={canvasPx} height={canvasPx} aria-hidden="true" />
    </div>
  );
}

const keySteps: Readonly<Record<string, { x: number; y: number } | { zoom: number }>> = {
  ArrowLeft: { x: -keyStep, y: 0 },
  ArrowRight: { x: keyStep, y: 0 },
  ArrowUp: { x: 0, y: -keyStep },
  ArrowDown: { x: 0, y: keyStep },
  "+": { zoom: zoomStep },
  "=": { zoom: zoomStep },
  "-": { zoom: -zoomStep },
};
