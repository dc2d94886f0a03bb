declare global {
  interface Window {
    muteCamera: () => void;
  }
}

/** Gives the page a front and a back camera, and lets a test take the running one away. */
export function twoCameras(): void {
  const { mediaDevices } = navigator;
  // The provider's window, empty at first, has none.
  if (!mediaDevices) return;
  let running: MediaStreamTrack | undefined;
  const open = mediaDevices.getUserMedia.bind(mediaDevices);
  const list = mediaDevices.enumerateDevices.bind(mediaDevices);
  mediaDevices.getUserMedia = async (wanted) => {
    const stream = await open(wanted);
    const video = typeof wanted?.video === "object" ? wanted.video : {};
    const { facingMode } = video as { facingMode?: { ideal: string } };
    for (const track of stream.getVideoTracks()) {
      track.getSettings = () => ({ facingMode: facingMode?.ideal ?? "user" });
      running = track;
    }
    return stream;
  };
  mediaDevices.enumerateDevices = async () => {
    const all = await list();
    return [...all, ...all.filter(({ kind }) => kind === "videoinput")];
  };
  window.muteCamera = () => {
    if (!running) return;
    Object.defineProperty(running, "muted", { value: true });
    running.dispatchEvent(new Event("mute"));
  };
}
