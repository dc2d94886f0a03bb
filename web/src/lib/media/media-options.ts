import { useStore } from "zustand";
import { createChoiceStore } from "#lib/choice-store.ts";
import { type Stored, readStored, writeStored } from "#lib/storage.ts";

/** How this person wants their own picture and sound on this device. */
export type MediaOptions = Stored<"mediaOptions">;

const usual: MediaOptions = {
  mirrorsOwn: true,
  hidesOwn: false,
  reducesNoise: true,
  evensVolume: true,
  signs: false,
};

const store = createChoiceStore<MediaOptions>(() => readStored("mediaOptions") ?? usual);

/** Whether somebody who signs sends the picture of a call. */
export const sendsSigns = (): boolean => store.getState().signs;
export const useMediaOptions = (): MediaOptions => useStore(store);

/** Keeps the choice on this device. A call goes by it at once; a microphone that is open takes it over with `reopenMedia`. */
export function setMediaOption<Name extends keyof MediaOptions>(name: Name, value: MediaOptions[Name]): void {
  const changed = { ...store.getState(), [name]: value };
  writeStored("mediaOptions", changed);
  store.setState(changed);
}

/** What the browser is asked to do with the sound of the microphone. */
export function soundConstraints(): MediaTrackConstraints {
  const { reducesNoise, evensVolume } = store.getState();
  return { echoCancellation: true, noiseSuppression: reducesNoise, autoGainControl: evensVolume };
}
