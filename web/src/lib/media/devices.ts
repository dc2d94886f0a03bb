/** The devices of this machine by kind (specification section 3, video state). */
export interface DeviceLists {
  videoinput: readonly MediaDeviceInfo[];
  audioinput: readonly MediaDeviceInfo[];
  audiooutput: readonly MediaDeviceInfo[];
}

export const noDevices: DeviceLists = { videoinput: [], audioinput: [], audiooutput: [] };

/** Lists the devices; before permission they have no names. Empty where the page may not have any. */
export async function listDevices(): Promise<DeviceLists> {
  if (!("mediaDevices" in navigator)) return noDevices;
  const all = await navigator.mediaDevices.enumerateDevices();
  const of = (kind: MediaDeviceKind) => all.filter((device) => device.kind === kind);
  return { videoinput: of("videoinput"), audioinput: of("audioinput"), audiooutput: of("audiooutput") };
}

/** The device check: at least one camera and one microphone (rule CALL-10). */
export function foundIn(devices: DeviceLists): { camera: boolean; microphone: boolean } {
  return { camera: devices.videoinput.length > 0, microphone: devices.audioinput.length > 0 };
}
