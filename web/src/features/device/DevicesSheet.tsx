import { type ReactNode, useEffect, useState } from "react";
import { useCallState } from "#features/call/machine/call-store.ts";
import { announce } from "#lib/announce.ts";
import { useT } from "#lib/i18n.ts";
import { applyBlur, reopenMicrophone, useLocalMedia } from "#lib/media/local-media.ts";
import { type MediaOptions, setMediaOption, useMediaOptions } from "#lib/media/media-options.ts";
import { canBlur, deviceTrackOf } from "#lib/media/sent-track.ts";
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
  const sent = media.status === "live" ? media.stream.getVideoTracks()[0] : undefined;
  const picture = sent && deviceTrackOf(sent);
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
        {picture && (switchesOwnBlur(picture) ? <DeviceBlur key={picture.id} picture={picture} /> : <PageBlur />)}
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

function switchesOwnBlur(picture: BlurredTrack): boolean {
  const can = picture.getCapabilities?.().backgroundBlur ?? [];
  return can.includes(true) && can.includes(false);
}

/** The blur of a device whose own blur the page may switch; the device's settings may switch it, too. */
function DeviceBlur({ picture }: { picture: MediaStreamTrack }): ReactNode {
  const t = useT();
  const track: BlurredTrack = picture;
  const [on, setOn] = useState(() => track.getSettings().backgroundBlur === true);
  useEffect(() => {
    const follow = () => setOn(track.getSettings().backgroundBlur === true);
    picture.addEventListener("configurationchange", follow);
    return () => picture.removeEventListener("configurationchange", follow);
  }, [picture, track]);
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

/** The page's own blur, where the browser allows it and a frame of this device takes little time. */
function PageBlur(): ReactNode {
  const t = useT();
  const { blursBackground } = useMediaOptions();
  const [finding, setFinding] = useState<"none" | "checking" | "slow" | "failed">("none");
  if (!canBlur()) return null;
  const hint = {
    none: t("options.blurHint"),
    checking: t("options.blurChecking"),
    slow: t("options.blurSlow"),
    failed: t("options.blurFailed"),
  }[finding];
  async function change(on: boolean): Promise<void> {
    if (finding === "checking") return;
    setFinding(on ? "checking" : "none");
    const found = on ? await speedFound() : "fast";
    setFinding(found === "fast" ? "none" : found);
    if (found === "slow") announce(t("options.blurSlow"));
    if (found === "failed") announce(t("options.blurFailed"));
    if (found !== "fast") return;
    setMediaOption("blursBackground", on);
    await applyBlur();
  }
  return (
    <Switch checked={blursBackground || finding === "checking"} hint={hint} onChange={(wanted) => void change(wanted)}>
      {t("options.blur")}
    </Switch>
  );
}

async function speedFound(): Promise<"fast" | "slow" | "failed"> {
  try {
    const { isFastEnough } = await import("#lib/media/blur/blurred-camera.ts");
    return (await isFastEnough()) ? "fast" : "slow";
  } catch (error) {
    console.info("could not measure the blur", error);
    return "failed";
  }
}
