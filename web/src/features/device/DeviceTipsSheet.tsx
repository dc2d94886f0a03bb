import { AppWindow, Camera, CameraOff, Check, Mic, Plug, RotateCw, VideoOff } from "lucide-react";
import { type ReactNode, useContext, useEffect, useRef, useState } from "react";
import { openMediaWithTabLock, tabLock } from "#features/call/machine/tab-lock.ts";
import { useT, type Key } from "#lib/i18n.ts";
import { openMedia, useDevices, useLocalMedia } from "#lib/media/local-media.ts";
import type { MediaFailure } from "#lib/media/media-failure.ts";
import { closeOverlay } from "#lib/overlays.ts";
import { Button } from "#ui/Button.tsx";
import { IconTile } from "#ui/IconTile.tsx";
import { List, ListRow } from "#ui/List.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import { SheetLife } from "#ui/sheet-life.ts";
import { DeniedSteps } from "./DeniedSteps.tsx";
import { DevicePickers } from "./DevicePickers.tsx";
import styles from "./DeviceTipsSheet.module.css";

/** The oldest browsers with all features that `missingCallSupport` tests. */
const browserFloor = { chrome: "123", firefox: "132", safari: "17.5" } as const;

type Missing = Extract<MediaFailure, { reason: "missing" }>;

/** Why camera or microphone do not work, and what to do; a reload is never needed. */
export function DeviceTipsSheet(): ReactNode {
  const t = useT();
  const media = useLocalMedia();
  const { videoinput, audioinput } = useDevices();
  const isComplete = videoinput.length > 0 && audioinput.length > 0;
  const hasOther = videoinput.length > 1 || audioinput.length > 1;
  // While a retry runs, the dialog keeps showing the last failure.
  const [failure, setFailure] = useState<MediaFailure>({ reason: "busy" });
  if (media.status === "failed" && media.failure !== failure) setFailure(media.failure);
  const isOpen = useContext(SheetLife);
  const wasMissing = useRef(false);
  useEffect(() => {
    const hasAppeared = media.status === "off" && wasMissing.current && isComplete;
    wasMissing.current = media.status === "failed" && media.failure.reason === "missing";
    if (!isOpen) return;
    if (media.status === "live") closeOverlay("device-tips", "done");
    // A missing device was plugged in: opens the camera without a press, unless another tab has it by now.
    else if (hasAppeared && tabLock.isHeld) void openMedia();
    // Another part of the page closed the media, so the step that needed them is over.
    else if (media.status === "off") closeOverlay("device-tips");
  }, [media, isComplete, isOpen]);
  const Icon = failure.reason === "denied" ? CameraOff : VideoOff;
  return (
    <Sheet
      widthPx={500}
      art={
        <IconTile>
          <Icon size={28} />
        </IconTile>
      }
      title={t(titleOf(failure))}
      lead={t(leadOf(failure))}
      onClose={() => closeOverlay("device-tips")}
      foot={
        failure.reason === "unsupported" ? (
          <Button kind="ink" block onClick={() => closeOverlay("device-tips")}>
            {t("common.ok")}
          </Button>
        ) : (
          <Button
            kind="go"
            block
            loading={media.status === "opening"}
            icon={<RotateCw size={20} aria-hidden="true" />}
            onClick={() => void openMediaWithTabLock()}
          >
            {t("common.retry")}
          </Button>
        )
      }
    >
      {failure.reason === "unsupported" && <UnsupportedSteps isOld={failure.isOld} />}
      {failure.reason === "denied" && <DeniedSteps />}
      {failure.reason === "missing" && <MissingList failure={failure} />}
      {failure.reason === "busy" && hasOther && <DevicePickers />}
    </Sheet>
  );
}

function MissingList({ failure }: { failure: Missing }): ReactNode {
  const t = useT();
  const rows = [
    { icon: <Camera size={20} aria-hidden="true" />, name: t("home.camera"), found: failure.camera },
    { icon: <Mic size={20} aria-hidden="true" />, name: t("home.microphone"), found: failure.microphone },
  ];
  return (
    <>
      <List className={styles.found}>
        {rows.map(({ icon, name, found }) => (
          <ListRow
            key={name}
            leading={icon}
            trailing={found && <Check size={20} className={styles.ok} aria-hidden="true" />}
          >
            <b>{name}</b>
            <small>{t(found ? "device.found" : "device.missing")}</small>
          </ListRow>
        ))}
      </List>
      <ul className={styles.hints}>
        <li>
          <Plug size={18} aria-hidden="true" />
          {t("device.plug")}
        </li>
        <li>
          <AppWindow size={18} aria-hidden="true" />
          {t("device.busyText")}
        </li>
      </ul>
      <p className={styles.small}>{t("device.auto")}</p>
    </>
  );
}

/** What to do: another version, another browser, or settings of this one. */
function UnsupportedSteps({ isOld }: { isOld: boolean }): ReactNode {
  const t = useT();
  return (
    <>
      <ol className={styles.steps}>
        {!isOld && <li>{t("unsupported.allow")}</li>}
        {!isOld && <li>{t("unsupported.outside")}</li>}
        {isOld && <li>{t("unsupported.update")}</li>}
        <li>{t("unsupported.other", browserFloor)}</li>
      </ol>
      <p className={styles.small}>{t("unsupported.rest")}</p>
    </>
  );
}

function leadOf(failure: MediaFailure): Key {
  switch (failure.reason) {
    case "denied":
      return "denied.lead";
    case "busy":
      return "device.busyText";
    case "unsupported":
      return failure.isOld ? "unsupported.old" : "unsupported.blocked";
    case "missing":
      return "device.lead";
  }
}

function titleOf(failure: MediaFailure): Key {
  switch (failure.reason) {
    case "denied":
      return "denied.title";
    case "busy":
      return "device.busyTitle";
    case "unsupported":
      return "unsupported.title";
    case "missing":
      if (!failure.camera && !failure.microphone) return "device.noneTitle";
      return failure.camera ? "device.noMicrophone" : "device.noCamera";
  }
}
