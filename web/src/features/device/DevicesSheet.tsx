import { type ReactNode, useEffect, useState } from "react";
import { useCallState } from "#features/call/machine/call-store.ts";
import { useT } from "#lib/i18n.ts";
import { reopenMicrophone, useLocalMedia } from "#lib/media/local-media.ts";
import { type MediaOptions, setMediaOption, useMediaOptions } from "#lib/media/media-options.ts";
import { closeOverlay } from "#lib/overlays.ts";
import { Sheet } from "#ui/Sheet.tsx";
import { Switch } from "#ui/Switch.tsx";
import { DevicePickers } from "./DevicePickers.tsx";
import { NetworkTest } from "./NetworkTest.tsx";
import styles from "./CameraPreview.module.css";

/** Devices, and the options of the local video and sound. */
export function DevicesSheet(): ReactNode {
  const t = useT();
  const options = useMediaOptions();
  const media = useLocalMedia();
  // The test would take the network from the call.
  const isInCall = useCallState().status !== "idle";
  const picture = media.status === "live" ? media.stream.getVideoTracks()[0] : undefined;
  function change(name: keyof MediaOptions, on: boolean): void {
    setMediaOption(name, on);
    if (name === "reducesNoise" || name === "evensVolume") void reopenMicrophone();
  }
  const option = (name: keyof MediaOptions, words: string, hint?: string) => (
    <Switch checked={options[name]} {...(hint !== undefined && { hint })} onChange={(on) => change(name, on)}>
      {words}
    </Switch>
  );
  return (
    <Sheet title={t("options.title")} lead={t("account.cameraText")} onClose={() => closeOverlay("devices")}>
      <DevicePickers />
      <div className={styles.options}>
        {option("mirrorsOwn", t("options.mirror"), t("options.mirrorHint"))}
        {option("hidesOwn", t("options.hide"), t("options.hideHint"))}
        {picture && <BackgroundBlur key={picture.id} picture={picture} />}
        {option("reducesNoise", t("options.noise"))}
        {option("evensVolume", t("options.volume"))}
        {option("signs", t("options.signs"), t("options.signsHint"))}
      </div>
      {!isInCall && <NetworkTest />}
    </Sheet>
  );
}

/** The additions to a track in browsers that report background blur (Media Capture Extensions). */
interface BlurredTrack {
  getCapabilities?: () => { backgroundBlur?: readonly boolean[] };
  getSettings: () => { backgroundBlur?: boolean };
}

/** The device's own background blur, if the page may switch it; the device's settings may switch it, too. */
function BackgroundBlur({ picture }: { picture: MediaStreamTrack }): ReactNode {
  const t = useT();
  const track: BlurredTrack = picture;
  const [on, setOn] = useState(() => track.getSettings().backgroundBlur === true);
  useEffect(() => {
    const follow = () => setOn(track.getSettings().backgroundBlur === true);
    picture.addEventListener("configurationchange", follow);
    return () => picture.removeEventListener("configurationchange", follow);
  }, [picture, track]);
  const can = track.getCapabilities?.().backgroundBlur ?? [];
  if (!can.includes(true) || !can.includes(false)) return null;
  async function change(wanted: boolean): Promise<void> {
    const constraints: MediaTrackConstraints & { backgroundBlur: boolean } = { backgroundBlur: wanted };
    try {
      await picture.applyConstraints(constraints);
    } catch (error) {
      console.info("could not switch the blur", error);
    }
    setOn(track.getSettings().backgroundBlur === true);
  }
  return (
    <Switch checked={on} hint={t("options.blurHint")} onChange={(wanted) => void change(wanted)}>
      {t("options.blur")}
    </Switch>
  );
}
