import { vi } from "vitest";

/** Gives the page a front and a back camera, as a phone has them. Returns the directions that the page asked for. */
export function installPhoneCameras(): string[] {
  const { mediaDevices } = navigator;
  const asked: string[] = [];
  const facing = new WeakMap<MediaStreamTrack, string>();
  const [open, list] = [mediaDevices.getUserMedia.bind(mediaDevices), mediaDevices.enumerateDevices.bind(mediaDevices)];
  vi.spyOn(mediaDevices, "getUserMedia").mockImplementation(async (wanted) => {
    const stream = await open(wanted);
    const video = typeof wanted?.video === "object" ? wanted.video : {};
    const { facingMode, deviceId } = video as Record<string, { ideal: string } | undefined>;
    const direction = deviceId?.ideal === "back" ? "environment" : (facingMode?.ideal ?? "user");
    for (const track of stream.getVideoTracks()) {
      facing.set(track, direction);
      asked.push(direction);
    }
    return stream;
  });
  vi.spyOn(mediaDevices, "enumerateDevices").mockImplementation(async () => {
    const all = await list();
    const camera = (deviceId: string, label: string) => ({
      kind: "videoinput" as const,
      groupId: "phone",
      deviceId,
      label,
      toJSON: () => ({}),
    });
    const others = all.filter(({ kind }) => kind !== "videoinput");
    return [camera("front", "Front Camera"), camera("back", "Back Camera"), ...others];
  });
  vi.spyOn(MediaStreamTrack.prototype, "getSettings").mockImplementation(function (this: MediaStreamTrack) {
    const facingMode = facing.get(this);
    return facingMode === undefined ? {} : { facingMode, deviceId: facingMode === "environment" ? "back" : "front" };
  });
  return asked;
}
