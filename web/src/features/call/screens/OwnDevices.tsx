import { MicOff, VideoOff } from "lucide-react";
import type { ReactNode } from "react";
import { useAnnounced } from "#lib/announce.ts";
import { useT } from "#lib/i18n.ts";
import { useLocalMedia } from "#lib/media/local-media.ts";
import { CallNotice } from "./CallNotice.tsx";
import { ownDeviceText } from "./own-device-text.ts";

/** Tells the user that the system took the camera or microphone away, or that another one opens. */
export function OwnDevices(): ReactNode {
  return (
    <>
      <OwnDevice device="camera" />
      <OwnDevice device="microphone" />
    </>
  );
}

function OwnDevice({ device }: { device: "camera" | "microphone" }): ReactNode {
  const t = useT();
  const media = useLocalMedia();
  const key = ownDeviceText(media, device);
  const text = key !== null && media.status === "live" && media[device] === "muted" ? [t("call.ownPausedText")] : [];
  useAnnounced(key === null ? "" : [t(key), ...text].join(". "));
  if (key === null) return null;
  return <CallNotice icon={device === "camera" ? VideoOff : MicOff} title={t(key)} text={text} />;
}
