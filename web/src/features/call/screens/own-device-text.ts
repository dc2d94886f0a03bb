import type { Key } from "#lib/i18n.ts";
import type { DeviceState, LocalMedia } from "#lib/media/local-media.ts";

const texts: Readonly<Record<"camera" | "microphone", Readonly<Record<DeviceState, Key | null>>>> = {
  camera: { running: null, muted: "call.ownCameraPaused", switching: "call.ownCameraSwitching" },
  microphone: { running: null, muted: "call.ownMicPaused", switching: "call.micSwitching" },
};

/** Why the partner gets nothing of a device that the user has on; null: they get it, or the user switched it off. */
export function ownDeviceText(media: LocalMedia, device: "camera" | "microphone"): Key | null {
  if (media.status !== "live" || !(device === "camera" ? media.cameraOn : media.microphoneOn)) return null;
  return texts[device][media[device]];
}
