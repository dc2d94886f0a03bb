import { Camera, Mic, Volume2 } from "lucide-react";
import type { ReactNode } from "react";
import { useT } from "#lib/i18n.ts";
import { chooseDevice, useChosenDevices, useDevices, useLocalMedia } from "#lib/media/local-media.ts";
import { deviceTrackOf } from "#lib/media/sent-track.ts";
import { openSoundContext } from "#lib/media/sound-context.ts";
import { Button } from "#ui/Button.tsx";
import { Select } from "#ui/Select.tsx";
import styles from "./CameraPreview.module.css";

/**
 * Camera, microphone and speaker, by their names. No speaker choice if the browser lists none. `compact` is the row
 * below the local video.
 */
export function DevicePickers({ compact = false }: { compact?: boolean }): ReactNode {
  const t = useT();
  const devices = useDevices();
  const chosen = useChosenDevices();
  const media = useLocalMedia();
  const running = media.status === "live" ? media.stream : null;
  const sent = running?.getVideoTracks()[0];
  const camera = sent && deviceTrackOf(sent).getSettings().deviceId;
  const microphone = running?.getAudioTracks()[0]?.getSettings().deviceId;
  return (
    <div className={styles.devices} data-compact={compact || undefined}>
      <Select
        compact={compact}
        label={t("home.camera")}
        icon={<Camera size={20} aria-hidden="true" />}
        value={listed(devices.videoinput, chosen.cameraId) ?? camera ?? ""}
        options={optionsOf(devices.videoinput)}
        onChange={(id) => void chooseDevice("cameraId", id)}
      />
      <Select
        compact={compact}
        label={t("home.microphone")}
        icon={<Mic size={20} aria-hidden="true" />}
        value={listed(devices.audioinput, chosen.microphoneId) ?? microphone ?? ""}
        options={optionsOf(devices.audioinput)}
        onChange={(id) => void chooseDevice("microphoneId", id)}
      />
      {devices.audiooutput.length > 0 && (
        <div className={styles.speaker}>
          <Select
            compact={compact}
            label={t("home.speaker")}
            icon={<Volume2 size={20} aria-hidden="true" />}
            value={listed(devices.audiooutput, chosen.speakerId) ?? devices.audiooutput[0]?.deviceId ?? ""}
            options={optionsOf(devices.audiooutput)}
            onChange={(id) => void chooseDevice("speakerId", id)}
          />
          <Button kind="plain" size="small" onClick={() => void playTestTone(chosen.speakerId)}>
            {t("home.speakerTest")}
          </Button>
        </div>
      )}
    </div>
  );
}

/** The chosen device if it is connected. */
function listed(list: readonly MediaDeviceInfo[], chosenId: string | null): string | undefined {
  return list.find(({ deviceId }) => deviceId === chosenId)?.deviceId;
}

function optionsOf(list: readonly MediaDeviceInfo[]): { value: string; text: string }[] {
  return list.map((device, index) => ({ value: device.deviceId, text: device.label || String(index + 1) }));
}

const toneSeconds = 0.5;
const toneHertz = 523;
const toneMsMax = 2_000;
const toneGain = 0.2;

/** Plays a short tone on a speaker, or on the default one if the browser cannot choose. */
async function playTestTone(speakerId: string | null): Promise<void> {
  const owner = new AbortController();
  // Opened and resumed within the press.
  const context: AudioContext & { setSinkId?: (id: string) => Promise<void> } = openSoundContext(owner.signal);
  try {
    if (speakerId !== null) await context.setSinkId?.(speakerId);
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.frequency.value = toneHertz;
    volume.gain.setValueAtTime(toneGain, context.currentTime);
    volume.gain.linearRampToValueAtTime(0, context.currentTime + toneSeconds);
    tone.connect(volume).connect(context.destination);
    tone.start();
    tone.stop(context.currentTime + toneSeconds);
    await new Promise<void>((resolve) => {
      tone.addEventListener("ended", () => resolve());
      // The end of a suspended context never comes.
      setTimeout(resolve, toneMsMax);
    });
  } finally {
    owner.abort();
  }
}
