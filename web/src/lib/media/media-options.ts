import { useStore } from "zustand";
import { createChoiceStore } from "#lib/choice-store.ts";
import { type Stored, readStored, writeStored } from "#lib/storage.ts";

/** The user's options for the local video and sound on this device. */
export type MediaOptions = Stored<"mediaOptions">;

const usual: MediaOptions = {
  mirrorsOwn: true,
  hidesOwn: false,
  reducesNoise: true,
  evensVolume: true,
  signs: false,
  blursBackground: false,
};

const store = createChoiceStore<MediaOptions>(() => readStored("mediaOptions") ?? usual);

/** Whether the user signs, which changes how calls send video. */
export const usesSignLanguage = (): boolean => store.getState().signs;
/** Whether the page itself blurs the background; the camera may also do that. */
export const blursBackground = (): boolean => store.getState().blursBackground;
export const useMediaOptions = (): MediaOptions => useStore(store);

/** Stores the choice on this device. A call applies it at once, an open microphone after `reopenMicrophone`. */
export function setMediaOption<Name extends keyof MediaOptions>(name: Name, value: MediaOptions[Name]): void {
  const changed = { ...store.getState(), [name]: value };
  writeStored("mediaOptions", changed);
  store.setState(changed);
}

/** The constraints for the sound of the microphone. */
export function soundConstraints(): MediaTrackConstraints {
  const { reducesNoise, evensVolume } = store.getState();
  return { echoCancellation: true, noiseSuppression: reducesNoise, autoGainControl: evensVolume };
}
