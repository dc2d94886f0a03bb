import { Dialog } from "@base-ui/react/dialog";
import { ArrowLeft, X } from "lucide-react";
import {
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type CSSProperties,
  type ReactNode,
  type RefObject,
} from "react";
import { sheetCloseMs } from "@fava/wire/limits.ts";
import { useT } from "#lib/i18n.ts";
import { isTopLayer } from "#lib/layers.ts";
import { isWaitingSheetOpen, removeWaitingSheet } from "#lib/shell.ts";
import { lowWindowQuery, useMediaQuery } from "#lib/use-media-query.ts";
import { classNames } from "#ui/class-names.ts";
import { iconButtonClass } from "#ui/IconButton.tsx";
import { useSheetDrag } from "#ui/sheet-drag.ts";
import { SheetLife } from "#ui/sheet-life.ts";
import { useLayer } from "#ui/use-layer.ts";
import { useScrollStop } from "#ui/use-scroll-stop.ts";
import styles from "#ui/Sheet.module.css";

export interface SheetProps {
  title: string;
  /** A sentence under the title; announced with it. */
  lead?: ReactNode;
  /** Content above the title: a logo, or the steps. */
  eyebrow?: ReactNode;
  /** An image or icon above the title. */
  art?: ReactNode;
  /** An image across the top, with title and lead over its lower end. */
  hero?: ReactNode;
  children?: ReactNode;
  /** Buttons below the body, which stay in place while it scrolls. */
  foot?: ReactNode;
  /** Whether the buttons stay beside each other on a phone too. */
  row?: boolean;
  centre?: boolean;
  /** An interruption that needs an answer: role alertdialog. */
  alert?: boolean;
  /** Shows a back arrow. */
  onBack?: (() => void) | undefined;
  /** Called after the user has closed it and the closing animation is over. */
  onClose?: (() => void) | undefined;
  /** Called before the user closes it; false keeps it open, for instance to ask about unsaved changes. */
  mayClose?: () => boolean;
  /** False: neither a cross nor Escape nor a click on the backdrop closes it. */
  closable?: boolean;
  /** Whether Escape and a click on the backdrop close it; by default as `closable`. */
  maskClosable?: boolean;
  /** Its place on a desktop. On phones and in low windows it always comes from below. */
  direction?: "center" | "bottom" | "start" | "end";
  fullScreen?: boolean;
  /** Duration of a bottom sheet's closing animation before `onClose`. */
  closeDelayMs?: number;
  widthPx?: number;
  style?: CSSProperties;
  /** Dark for a dialog over a call, which is always dark. */
  theme?: "dark";
  /** Takes the first focus instead of the title: the safe answer to a question. */
  initialFocus?: RefObject<HTMLElement | null>;
}

/**
 * The generic modal: centred on a desktop, a bottom sheet below 768 px wide or 520 px high. Its title takes the first
 * focus, so that it is announced; the focus returns when it closes.
 */
export function Sheet(props: SheetProps): ReactNode {
  const { closable = true, maskClosable = closable, direction = "center", closeDelayMs = sheetCloseMs } = props;
  const mayLive = useContext(SheetLife);
  const [leaving, setLeaving] = useState(false);
  // Its beginning is on the screen already, so it does not move in.
  const [replaces] = useState(isWaitingSheetOpen);
  useLayoutEffect(removeWaitingSheet, []);
  const open = mayLive && !leaving;
  const layer = useLayer(open);
  const title = useRef<HTMLHeadingElement>(null);
  const popup = useRef<HTMLDivElement>(null);
  const shownTitle = useRef(props.title);
  useEffect(() => {
    // A dialog that changes to its next step is announced from its title again.
    if (shownTitle.current !== props.title) title.current?.focus();
    shownTitle.current = props.title;
  }, [props.title]);
  function leave(): boolean {
    if (props.mayClose?.() === false) return false;
    setLeaving(true);
    return true;
  }
  const drag = useSheetDrag(popup, leave);
  const style = { "--sheet-width": `${props.widthPx ?? 440}px`, "--close-ms": `${closeDelayMs}ms`, ...props.style };
  return (
    <Dialog.Root
      open={open}
      disablePointerDismissal={!maskClosable}
      onOpenChange={(next, details) => {
        if (next || (details.reason === "escape-key" && !(maskClosable && isTopLayer(layer)))) return;
        leave();
      }}
      onOpenChangeComplete={(isOpen) => {
        if (!isOpen && leaving) props.onClose?.();
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop
          className={styles.backdrop}
          style={{ "--close-ms": `${closeDelayMs}ms` } as CSSProperties}
          data-replaces={replaces || undefined}
          // Without this, Base UI draws no backdrop for a dialog inside another one.
          forceRender
        />
        <Dialog.Popup
          ref={popup}
          {...(closable && drag)}
          className={classNames(styles.sheet, props.fullScreen && styles.fullScreen, styles[direction])}
          style={style as CSSProperties}
          initialFocus={props.initialFocus ?? title}
          role={props.alert ? "alertdialog" : "dialog"}
          data-centre={props.centre || undefined}
          data-replaces={replaces || undefined}
          data-theme={props.theme}
        >
          {closable && <span className={styles.handle} aria-hidden="true" />}
          <SheetBar onBack={props.onBack} closable={closable} />
          {props.art !== undefined && <div className={styles.art}>{props.art}</div>}
          {props.hero !== undefined && <div className={styles.hero}>{props.hero}</div>}
          <div className={styles.head}>
            {props.eyebrow}
            <Dialog.Title ref={title} tabIndex={-1} className={styles.title}>
              {props.title}
            </Dialog.Title>
            {props.lead !== undefined && <Dialog.Description className={styles.lead}>{props.lead}</Dialog.Description>}
          </div>
          {props.children !== undefined && <SheetBody>{props.children}</SheetBody>}
          {props.foot !== undefined && (
            <div className={styles.foot} data-sheet-content="" data-row={props.row || undefined}>
              {props.foot}
            </div>
          )}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** The scrolling part between title and buttons. */
function SheetBody({ children }: { children: ReactNode }): ReactNode {
  const body = useRef<HTMLDivElement>(null);
  const isStop = useScrollStop(body, children);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboards reach what scrolled away only by a focus
    <div ref={body} className={styles.body} data-sheet-content="" tabIndex={isStop ? 0 : undefined}>
      {children}
    </div>
  );
}

/** In a low window the dialog has a back arrow, like a page. */
function SheetBar({ onBack, closable }: { onBack: (() => void) | undefined; closable: boolean }): ReactNode {
  const t = useT();
  const low = useMediaQuery(lowWindowQuery);
  if (!onBack && !closable) return null;
  const arrow = <ArrowLeft size={22} className="flip" aria-hidden="true" />;
  return (
    <div className={styles.bar} data-back={onBack || low ? true : undefined}>
      {onBack && (
        <button
          type="button"
          className={iconButtonClass("plain", styles.round)}
          onClick={onBack}
          aria-label={t("common.back")}
        >
          {arrow}
        </button>
      )}
      {closable && (
        <Dialog.Close
          className={iconButtonClass("plain", styles.round)}
          aria-label={t(low && !onBack ? "common.back" : "common.close")}
        >
          {low && !onBack ? arrow : <X size={22} aria-hidden="true" />}
        </Dialog.Close>
      )}
    </div>
  );
}
